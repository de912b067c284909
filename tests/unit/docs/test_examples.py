"""The Python examples of the documentation give what the pages say."""

import doctest

import pytest
from helpers.running import ROOT

PAGES = [page for page in sorted(ROOT.glob("docs/*.md")) if ">>> " in page.read_text("utf-8")]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_examples(page):
    found = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert found.attempted > 0
    assert found.failed == 0
