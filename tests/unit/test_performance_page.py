"""docs/performance.md fits the numbers beside it, and what it says follows from them."""

import shutil

import contest_cells
import kernel_work
import llvm_worth
import machine_limits
import pandas as pd
import performance_page
import pytest
import roofline
import run
import shapes

TINY = shapes.Shape(120, 90, 2_000)


def test_the_page_is_the_one_that_its_numbers_give():
    written = performance_page.PAGE.read_text(encoding="utf-8")
    assert written == performance_page.page_text(performance_page.NUMBERS), (
        "docs/performance.md does not fit docs/performance/*.csv: "
        "run `python benchmarks/run.py page` instead of editing it."
    )


def test_another_number_is_another_page(tmp_path):
    numbers = tmp_path / "numbers"
    shutil.copytree(performance_page.NUMBERS, numbers)
    before = performance_page.page_text(numbers)
    table = pd.read_csv(numbers / "machine.csv")
    table.loc[0, "value"] *= 2
    table.to_csv(numbers / "machine.csv", index=False)
    assert performance_page.page_text(numbers) != before


def test_every_figure_of_the_page_is_there():
    text = performance_page.PAGE.read_text(encoding="utf-8")
    for name in performance_page.figures(performance_page.NUMBERS):
        assert f"(performance/{name}.svg)" in text
        assert (performance_page.NUMBERS / f"{name}.svg").exists()


def test_a_part_measured_beside_other_work_is_named(tmp_path):
    for busy, expected in ((0.1, False), (0.9, True)):
        noted = pd.read_csv(performance_page.NUMBERS / "measured.csv")
        noted["cores_busy_with_other_work"] = busy
        noted.to_csv(tmp_path / "measured.csv", index=False)
        text = performance_page.measured(tmp_path)
        assert ("to be measured again" in text) == expected


def test_a_cell_shows_medians_by_threads_and_the_quality():
    rows = [
        {
            "contestant": "fast",
            "shape": "s",
            "threads": threads,
            "quantity": "seconds",
            "value": value,
        }
        for threads, values in {1: (3.0, 1.0, 2.0), 2: (1.5,)}.items()
        for value in values
    ]
    rows += [
        {"contestant": name, "shape": "s", "threads": 0, "quantity": quantity, "value": value}
        for name, quantity, value in (
            ("fast", "adg", "0.25"),
            ("slow", "sweeps", "more than 8"),
            ("slow", "adg", "0.2"),
            ("away", "failed", "is not installed"),
        )
    ]
    text = contest_cells.cells_table(pd.DataFrame(rows), contest_cells.CELLS["als"])
    cells = [line.split("|")[2].strip() for line in text.splitlines()[2:]]
    assert cells == ["2 / 1.5 (0.250)", "not within 8 sweeps (0.200)", "is not installed"]


def machine(**values):
    rows = [
        {"what": what, "level": level, "threads": 1, "value": value, "unit": "-"}
        for (what, level), value in {
            (roofline.PEAK, "registers"): values["peak"],
            ("read", "L2"): values["l2"],
            ("read", "memory"): values["memory"],
        }.items()
    ]
    return pd.DataFrame(rows)


@pytest.mark.parametrize(
    ("operations", "read", "level", "expected"),
    [
        (60e9, 1e9, "L2", "multiply-adds"),
        (10e9, 30e9, "L2", "reading from L2"),
        # The same bytes are a larger share of what memory gives than of what the cache gives.
        (10e9, 5e9, "memory", "reading from memory"),
        (10e9, 5e9, "L2", "neither"),
    ],
)
def test_what_binds_is_the_limit_that_is_nearer(operations, read, level, expected):
    kernels = pd.DataFrame(
        [{"kernel": "one", "factors": 50, "threads": 1, "seconds": 1.0, "operations": operations}]
    ).assign(useful=1.0, bytes=read, level=level, formula="-")
    [found] = roofline.shares(kernels, machine(peak=100, l2=50, memory=10)).to_dict("records")
    assert found["binds"] == expected
    assert found["share_of_peak"] == pytest.approx(operations / 100e9)


def test_the_machine_and_the_kernels_at_a_tiny_size():
    limits = pd.DataFrame(machine_limits.measure([1, 2], 1, 0.001))
    assert (limits["value"] > 0).all()
    kernels = pd.DataFrame(kernel_work.measure([1, 2], [5], 1, TINY))
    assert set(kernels["kernel"]) >= {"normal equations", "batched Cholesky", "scoring", "split"}
    assert (kernels["useful"].between(0, 1)).all()
    found = roofline.shares(kernels, limits)
    assert (found["share_of_bandwidth"] > 0).all()
    text = roofline.kernel_table(found).to_markdown(index=False)
    assert "k(k + 3)" in text
    roofline.roofline_figure(found, limits)


def test_normal_equations_count_the_tiles_of_the_upper_triangle():
    """With 16 factors there are 32 columns: two tiles a row of tiles, as the diagonal lies in the first."""
    ratings = shapes.draw(TINY)
    kernel = kernel_work.normal_equations(ratings, 16)
    lanes = kernel_work.LANES
    tiles = 2 * (32 // lanes) if lanes == 16 else (3 * 1 + 2 * 1)
    expected = 2 * len(ratings.items) * 2 * 8 * lanes * tiles
    assert kernel.operations == expected


def test_hints_are_compared_with_none():
    rows = llvm_worth.measure_hints([5], 1, [TINY])
    assert {row["function"].split(",")[0] for row in rows} == {"prefetch"}
    assert all(row["ratio"] > 0 for row in rows)


def test_when_and_beside_what_a_part_was_measured(tmp_path, monkeypatch):
    monkeypatch.setattr(run, "RESULTS", tmp_path)
    for value in (1, 2):
        run.noted("one", lambda value=value: [{"value": value}])
        run.noted("other", lambda: [{"value": 3}])
    noted = pd.read_csv(tmp_path / "measured.csv")
    assert list(noted["part"]) == ["one", "other"]
    assert (noted["cores_busy_with_other_work"] >= 0).all()
    assert pd.read_csv(tmp_path / "one.csv")["value"].tolist() == [2]


def test_a_part_measured_again_leaves_the_others_as_they_are(tmp_path):
    numbers, results, page = (tmp_path / name for name in ("numbers", "results", "page.md"))
    shutil.copytree(performance_page.NUMBERS, numbers)
    results.mkdir()
    table = pd.read_csv(numbers / "machine.csv").assign(value=1234.0)
    table.to_csv(results / "machine.csv", index=False)
    noted = pd.read_csv(numbers / "measured.csv")
    again = noted[noted["part"] == "machine"].assign(commit="fedcba98")
    again.to_csv(results / "measured.csv", index=False)
    performance_page.write_page(results, numbers, page)
    found = pd.read_csv(numbers / "measured.csv").set_index("part")["commit"]
    before = noted.set_index("part")["commit"]
    assert found["machine"] == "fedcba98"
    assert found.drop("machine").to_dict() == before.drop("machine").to_dict()
    assert "1234" in page.read_text(encoding="utf-8")
    assert page.read_text(encoding="utf-8") == performance_page.page_text(numbers)
