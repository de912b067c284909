import pytest
from helpers.made_up_paper import Paper


@pytest.fixture
def paper(tmp_path):
    return Paper(tmp_path)
