"""Files that break between runs: noticed, named, and made anew to the same bytes."""

import shutil

import pytest
from helpers.running import assert_same, results_of, snakemake

from mnar.core.errors import UserError
from mnar.core.files import read_arrays, write_arrays

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
    """Views of two experiments change places; each says whose it is, and is made anew."""
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
