"""The table of planted faults fits the library, and its runner tells caught from missed."""

import ast
import shutil
from collections import Counter
from pathlib import Path

import pytest
from mutants.run import BROKEN, CAUGHT, MISSED, ROOT, Fault, failures, faults, try_fault

FAULTS = faults()


@pytest.mark.parametrize("file", sorted({fault.file for fault in FAULTS}))
def test_every_fault_has_its_place_and_leaves_a_program(file):
    text = (ROOT / file).read_text(encoding="utf-8")
    for fault in FAULTS:
        if fault.file == file:
            planted = fault.planted(text)
            assert planted != text, fault.why
            assert ast.dump(ast.parse(planted)) != ast.dump(ast.parse(text)), fault.why


def test_there_are_faults_in_every_room_and_many_written_blind():
    rooms = {path.name for path in (ROOT / "workflow" / "mnar").iterdir() if path.is_dir()}
    assert {fault.room.name for fault in FAULTS} == rooms - {"__pycache__"}
    assert len(FAULTS) >= 72
    assert sum(fault.blind for fault in FAULTS) >= 110
    assert max(Counter(fault.why for fault in FAULTS).values()) == 1
    assert max(Counter((f.file, f.find, f.replace) for f in FAULTS).values()) == 1


def test_tests_that_are_named_are_there():
    for fault in FAULTS:
        assert [test for test in fault.tests if not (ROOT / test).is_file()] == []
        assert len(fault.test_files(ROOT)) > len(fault.tests)


def test_a_place_that_is_not_unique_is_refused():
    fault = Fault("f.py", "a", "b", "why")
    with pytest.raises(ValueError, match="found 2 times"):
        fault.planted("a a")
    with pytest.raises(ValueError, match="found 0 times"):
        fault.planted("c")


def test_likely_tests_come_first():
    files = Fault("workflow/mnar/measures/auc.py", "", "", "").test_files(ROOT)
    assert files[0] == "tests/unit/measures/test_auc.py"
    named = Fault(
        "workflow/mnar/measures/auc.py", "", "", "", ("tests/unit/measures/test_ties.py",)
    )
    assert named.test_files(ROOT)[:2] == [
        "tests/unit/measures/test_ties.py",
        "tests/unit/measures/test_auc.py",
    ]
    assert sorted(named.test_files(ROOT)) == sorted(files)


@pytest.mark.parametrize(
    ("find", "replace", "verdict"),
    [
        ("return a + b", "return a - b", CAUGHT),
        ("return a * b", "return 0", MISSED),
        ("def add", "def append", BROKEN),
    ],
)
def test_a_fault_is_caught_missed_or_broken(tmp_path, find, replace, verdict):
    library = tmp_path / "workflow" / "mnar" / "room"
    tests = tmp_path / "tests" / "unit" / "room"
    for folder in (library, tests):
        folder.mkdir(parents=True)
    shutil.copy(Path(__file__).parents[1] / "conftest.py", tmp_path / "tests")
    (tmp_path / "pyproject.toml").write_text('[tool.pytest.ini_options]\npythonpath = ["workflow"]')
    for package in (library, library.parent):
        (package / "__init__.py").touch()
    code = "def add(a, b):\n    return a + b\n\n\ndef times(a, b):\n    return a * b\n"
    (library / "sums.py").write_text(code)
    test = "from mnar.room.sums import add\n\n\ndef test_add():\n    assert add(1, 2) == 3\n"
    (tests / "test_sums.py").write_text(test)
    found = try_fault(Fault("workflow/mnar/room/sums.py", find, replace, "why"), tmp_path)
    assert found.verdict == verdict
    if verdict == CAUGHT:
        assert found.by == "tests/unit/room/test_sums.py::test_add"
    # The copy alone has the fault.
    assert (library / "sums.py").read_text() == code


def test_names_of_failed_tests_are_read():
    lines = ["F.", "FAILED tests/a.py::test_b[x-1] - assert 1 == 2", "ERROR tests/a.py::test_c"]
    assert failures(lines) == ["tests/a.py::test_b[x-1]", "tests/a.py::test_c"]
