"""Files that break between runs: noticed, named, and made again with the same bytes."""

import shutil
from pathlib import Path

import pytest
from helpers.running import assert_same, results_of, snakemake, tiny_config

from mnar.core.errors import UserError
from mnar.core.files import read_arrays, read_json, write_arrays
from mnar.reporting.outline import page_files

VIEW = "results/views/tiny/lim2015.npz"
TABLE = "results/lim2015/tiny/table1.csv"


@pytest.fixture
def copied(whole_run, tmp_path):
    folder = tmp_path / "copied"
    shutil.copytree(whole_run, folder, symlinks=True)
    return folder


def cut_short(path):
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def test_an_intermediate_file_cut_short(whole_run, copied):
    cut_short(copied / VIEW)
    done = snakemake(copied, TABLE)
    assert done.returncode != 0
    sentence = f"Error: {VIEW} is damaged or cut short"
    assert sentence in done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr
    (copied / VIEW).unlink()
    # The view by name: Snakemake does not make a missing file again that nothing else needs.
    done = snakemake(copied, VIEW, TABLE)
    assert done.returncode == 0, done.stderr[-3000:]
    assert_same(results_of(copied), results_of(whole_run))


def test_an_intermediate_file_in_the_place_of_another(whole_run, copied):
    """Views of two experiments change places; each says whose it is, and is made again."""
    ours, other = copied / VIEW, copied / "results/views/tiny/theorems.npz"
    content = ours.read_bytes(), other.read_bytes()
    for path, swapped in zip((other, ours), content, strict=True):
        path.write_bytes(swapped)
    done = snakemake(copied, TABLE)
    assert done.returncode != 0
    text = done.stdout + done.stderr
    assert (
        f"Error: {VIEW} is not what its name says, it was written as views/tiny/theorems.npz"
        in text
    )
    for path in (ours, other):
        path.unlink()
    done = snakemake(copied, VIEW, "results/views/tiny/theorems.npz", TABLE)
    assert done.returncode == 0, done.stderr[-3000:]
    assert_same(results_of(copied), results_of(whole_run))


@pytest.mark.parametrize(
    "name", ["table1.md", "table1.csv", "learning_curve.svg", "checksums.json"]
)
def test_a_final_file_that_changed_is_not_shown(whole_run, copied, name):
    """The page names it; deleted, it is made again with the same bytes."""
    path = f"results/lim2015/tiny/{name}"
    content = bytearray((copied / path).read_bytes())
    content[len(content) // 2] ^= 1
    (copied / path).write_bytes(content)
    done = snakemake(copied)
    assert done.returncode != 0
    assert f"Error: {path} is damaged or cut short" in done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr
    (copied / path).unlink()
    done = snakemake(copied)
    assert done.returncode == 0, done.stderr[-3000:]
    assert_same(results_of(copied), results_of(whole_run))


def test_every_file_that_a_page_reads_has_a_checksum(whole_run):
    sections = [(name, "tiny") for name in tiny_config()["experiments"]]
    files = page_files("summary", sections)
    lists = [name for name in files if name.endswith("checksums.json")]
    listed = {
        f"{Path(path).parent}/{name}" for path in lists for name in read_json(whole_run / path)
    }
    assert set(files) - set(lists) - listed == set()


@pytest.mark.parametrize("keep", [0, 10, 0.5, 0.99])
def test_damaged_arrays_are_named(tmp_path, keep):
    path = tmp_path / "some.npz"
    write_arrays(path, {"numbers": range(1000), "more": range(2000)})
    whole = path.read_bytes()
    assert list(read_arrays(path)) == ["numbers", "more"]
    path.write_bytes(whole[: keep if isinstance(keep, int) else int(keep * len(whole))])
    with pytest.raises(
        UserError, match=r"some\.npz is damaged or cut short .* delete it and run again"
    ):
        read_arrays(path)


def test_flipped_bits_are_noticed(tmp_path):
    path = tmp_path / "some.npz"
    write_arrays(path, {"numbers": range(1000)})
    whole = bytearray(path.read_bytes())
    whole[len(whole) // 2] ^= 0xFF
    path.write_bytes(whole)
    with pytest.raises(UserError, match="damaged"):
        read_arrays(path)
