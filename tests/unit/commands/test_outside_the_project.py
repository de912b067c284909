"""Commands that are run elsewhere than in the folder of the project say so, in one sentence."""

import pytest

from mnar.commands import record, recorded_pages

NO_CONFIG = "config.yaml is not there; run this in the folder of the project."
PAGE = ["--pages", "page.md"]


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("main", "given"),
    [(record.main, []), (record.main, ["--targets"]), (recorded_pages.main, PAGE)],
)
@pytest.mark.parametrize(
    ("config", "sentence"),
    [(None, NO_CONFIG), ("a: [1\n", "line 2: it is not YAML"), ("", "has no keys")],
)
def test_no_config(elsewhere, capsys, main, given, config, sentence):
    (elsewhere / "page.md").write_text("words\n")
    if config is not None:
        (elsewhere / "config.yaml").write_text(config)
    assert main(given) == 1
    said = capsys.readouterr().err
    assert sentence in said
    assert said.count("\n") == 1


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (None, "page.md cannot be read (No such file or directory); run this in the folder of the"),
        (b"caf\xe9\n", "page.md is not UTF-8; save it as UTF-8."),
    ],
)
def test_a_page_that_cannot_be_read(elsewhere, capsys, content, sentence):
    (elsewhere / "config.yaml").write_text("seed: 1\n")
    if content is not None:
        (elsewhere / "page.md").write_bytes(content)
    assert recorded_pages.main(PAGE) == 1
    assert sentence in capsys.readouterr().err
