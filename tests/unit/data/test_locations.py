"""The message about missing files, and the files that a dataset reads."""

import pytest

from mnar.core.errors import UserError
from mnar.data import locations, readers

ENTRY = {
    "files": {"ratings": "train.txt", "random": "test.txt"},
    "format": {"kind": "table", "columns": {"user": 1, "item": 2}},
    "source": "Ask Yahoo! at https://webscope.sandbox.yahoo.com",
    "licence": "A signed agreement; never pass it on.",
}
NETFLIX = {
    "files": {"ratings": ["combined_data_*.txt", "training_set/mv_*.txt"], "probe": "probe.txt"},
    "format": {"kind": "netflix"},
}


def touch(folder, *names):
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()


def test_message_says_what_where_from_and_under_which_terms(tmp_path):
    message = locations.missing_message("yahoo-r3", ENTRY, tmp_path)
    for part in ("yahoo-r3", "train.txt", ENTRY["source"], ENTRY["licence"], str(tmp_path)):
        assert part in message
    with pytest.raises(UserError, match=r"train\.txt"):
        locations.find("yahoo-r3", ENTRY, tmp_path)


def test_no_message_when_all_is_there(tmp_path):
    touch(tmp_path, "train.txt", "test.txt")
    assert locations.missing_message("yahoo-r3", ENTRY, tmp_path) is None
    found = locations.find("yahoo-r3", ENTRY, tmp_path)
    assert [str(source) for source in found["random"]] == [str(tmp_path / "test.txt")]


def test_a_file_that_is_named_must_be_there(tmp_path):
    """A dataset without its random part would be another dataset."""
    touch(tmp_path, "train.txt")
    assert "test.txt" in locations.missing_message("yahoo-r3", ENTRY, tmp_path)


def test_the_first_of_several_names_counts(tmp_path):
    message = locations.missing_message("netflix", NETFLIX, tmp_path)
    assert "combined_data_*.txt or training_set/mv_*.txt" in message
    touch(tmp_path, "probe.txt", "training_set/mv_2.txt", "training_set/mv_1.txt")
    ratings = locations.find("netflix", NETFLIX, tmp_path)["ratings"]
    assert [source.path.name for source in ratings] == ["mv_1.txt", "mv_2.txt"]
    expected = ["training_set/mv_1.txt", "training_set/mv_2.txt", "probe.txt"]
    assert locations.inputs(NETFLIX, tmp_path) == [tmp_path / name for name in expected]
    touch(tmp_path, "combined_data_2.txt", "combined_data_1.txt")
    ratings = locations.find("netflix", NETFLIX, tmp_path)["ratings"]
    assert [source.path.name for source in ratings] == [
        "combined_data_1.txt",
        "combined_data_2.txt",
    ]
    expected = ["combined_data_1.txt", "combined_data_2.txt", "probe.txt"]
    assert locations.inputs(NETFLIX, tmp_path) == [tmp_path / name for name in expected]


def test_members_of_an_archive_are_one_input(tmp_path):
    files = {"ratings": "ml.zip/ml/ratings.dat", "items": "ml.zip/ml/movies.dat"}
    entry = ENTRY | {"files": files, "download": {"url": "https://example.org/a/ml.zip?x=1"}}
    assert locations.downloaded(entry, tmp_path) == tmp_path / "ml.zip"
    touch(tmp_path, "ml.zip")
    assert locations.inputs(entry, tmp_path) == [tmp_path / "ml.zip"]
    assert locations.downloaded(ENTRY, tmp_path) is None


@pytest.mark.parametrize(
    ("change", "match"),
    [
        ({"files": {"random": "test.txt"}}, "names no file for 'ratings'"),
        ({"files": {"ratings": "a", "rating": "b"}}, "unknown key 'rating' in `files`; known are"),
        (
            {"format": {"seperator": ";"}},
            "unknown key 'seperator' in `format`; known are kind, sep",
        ),
        ({"format": {"kind": "matrix", "quote": ""}}, "unknown key 'quote' in `format`"),
        ({"catalogue": {"column": 1}}, "unknown key 'column' in `catalogue`"),
        ({"format": {"kind": "tabel"}}, "Unknown format kind 'tabel'; known are jester, matrix"),
    ],
)
def test_wrong_entries(tmp_path, change, match):
    with pytest.raises(UserError, match=match):
        locations.missing_message("it", ENTRY | change, tmp_path)


@pytest.mark.parametrize("kind", readers.names())
def test_every_reader_says_what_it_reads(kind):
    roles, known = readers.format_of(kind)
    assert any(roles.values())
    assert all(isinstance(name, str) for name in known)


def names_found(entry, folder):
    return [source.path.name for source in locations.find("it", entry, folder)["ratings"]]


@pytest.mark.parametrize("name", ["a*.csv", "ratings[1].csv", "what?.csv", "[x]/*.csv"])
def test_a_file_of_exactly_this_name_goes_before_a_pattern(tmp_path, name):
    entry = {"files": {"ratings": name}, "format": ENTRY["format"]}
    touch(tmp_path, name, "ab.csv", "ratings1.csv", "whatx.csv", "x/y.csv")
    assert names_found(entry, tmp_path) == [name.rsplit("/", 1)[-1]]


def test_hidden_files_and_folders_are_no_data(tmp_path):
    entry = {"files": {"ratings": "**/*.csv"}, "format": ENTRY["format"]}
    touch(tmp_path, ".a.partial.csv", ".hidden/b.csv", "c.csv", "d/e.csv", "d/.f.csv")
    (tmp_path / "g.csv").mkdir()
    assert names_found(entry, tmp_path) == ["c.csv", "e.csv"]


def test_a_file_that_is_rewritten_in_a_subfolder_is_an_input(tmp_path):
    entry = {"files": {"ratings": "parts/*.csv"}, "format": ENTRY["format"]}
    touch(tmp_path, "parts/a.csv", "parts/b.csv")
    assert locations.inputs(entry, tmp_path) == [tmp_path / "parts" / n for n in ("a.csv", "b.csv")]
