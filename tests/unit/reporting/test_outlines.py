"""Every table and figure says what to see; what leads and what can be explored exists."""

import pytest
from helpers.running import tiny_config
from snakemake.exceptions import WorkflowError

from mnar.core.errors import UserError
from mnar.experiments import lim2015, pradel2012
from mnar.reporting.outline import check_studies, fitting_inputs, outline, page_sections

EXPERIMENTS = ["trust", "lim2015", "steck2010", "pradel2012", "kddcup2011", "theorems"]


@pytest.mark.parametrize("experiment", EXPERIMENTS)
def test_names_are_those_of_tables_and_figures(experiment):
    plan = outline(experiment)
    shown = {*plan.tables, *plan.figures, *plan.general}
    assert set(plan.see) == shown
    assert set(plan.lead) <= shown
    assert {*plan.charts, *plan.repeats_without, *plan.needs} <= set(plan.figures)
    assert plan.headline in {None, *plan.figures}


def test_no_figure_twice():
    plan = pradel2012.OUTLINE
    assert "figure3" not in plan.on_page(["timestamps"])
    assert "figure3" in plan.on_page(["random"])
    assert set(lim2015.OUTLINE.on_page([])) == set(lim2015.OUTLINE.figures)


def without_ratings(*papers, kind="datasets"):
    """A config in which papers meet a dataset that has no column of ratings."""
    config = tiny_config(*papers)
    columns = {"user": "user", "item": "item"}
    config["datasets"]["plays"] = {"files": {"ratings": "r.csv"}, "format": {"columns": columns}}
    for paper in papers:
        config["experiments"][paper] |= {kind: ["plays"]}
    return config


@pytest.mark.parametrize("kind", ["datasets", "paper_datasets", "stand_ins"])
@pytest.mark.parametrize("paper", ["trust", "pradel2012", "steck2010", "kddcup2011"])
def test_a_paper_that_compares_ratings_refuses_data_without_them(paper, kind):
    config = without_ratings(paper, kind=kind)
    with pytest.raises(UserError, match=rf"experiments\.{paper}\.{kind}: {paper} compares ratings"):
        check_studies(config)
    entry = config["datasets"]["plays"]
    entry["format"]["columns"]["rating"] = "stars"
    entry["files"]["random"] = "random.csv"
    entry |= {"relevant": 4, "scale": [1, 5]}
    check_studies(config)


@pytest.mark.parametrize("kind", ["datasets", "paper_datasets", "stand_ins"])
def test_papers_about_choices_alone_take_data_without_ratings(kind):
    config = without_ratings("lim2015", "theorems", kind=kind)
    check_studies(config)
    # With ratings it is open which of them are relevant.
    config["datasets"]["plays"]["format"]["columns"]["rating"] = "stars"
    with pytest.raises(UserError, match="the study lim2015 asks which ratings are relevant"):
        check_studies(config)


@pytest.mark.parametrize("paper", ["pradel2012", "steck2010", "kddcup2011", "trust"])
def test_a_result_that_no_list_names_is_refused_too(paper):
    config = without_ratings()
    with pytest.raises(UserError, match=rf"results/{paper}/plays: {paper} compares ratings"):
        fitting_inputs(config, paper, "plays")
    assert fitting_inputs(config, "lim2015", "plays")


def test_scores_that_are_missing_stop_every_page_that_needs_them():
    """Said where files are shown: Snakemake drops what a job deeper down says if its file is there."""
    config = tiny_config("lim2015", "trust")
    given = {"scores": "scores/{study}/{dataset}/{fold}.parquet", "datasets": ["movielens-small"]}
    config["methods"]["given"] = given
    config["studies"]["lim2015"]["methods"] = ["mf-auc", "mf-adg", "svd", "given"]
    config["trust"]["systems"]["given"] = given | {"datasets": ["coat"]}
    assert fitting_inputs(config, "lim2015", "tiny")
    assert fitting_inputs(config, "trust", "tiny")
    for experiment, dataset in (("lim2015", "movielens-small"), ("trust", "coat")):
        file = f"scores/{experiment}/{dataset}/0.parquet"
        with pytest.raises(WorkflowError, match=f"{file} is missing: train on the fold"):
            fitting_inputs(config, experiment, dataset)
        config["experiments"][experiment] |= {"paper_datasets": [dataset]}
        with pytest.raises(WorkflowError, match=f"{file} is missing"):
            page_sections(config, experiment, lambda _: None)
        config["experiments"][experiment] |= {"paper_datasets": ["tiny"]}
        assert page_sections(config, experiment, lambda _: None) == [(experiment, "tiny")]


def test_trust_needs_ratings_that_tell_the_truth():
    config = tiny_config("trust")
    config["experiments"]["trust"]["stand_ins"] = ["movielens-small"]
    with pytest.raises(
        UserError, match=r"trust\.stand_ins: trust needs random or complete ratings"
    ):
        check_studies(config)
