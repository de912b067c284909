"""Each wrong thing in the config ends in one sentence before any work: key, what was found, what to do."""

import copy
import datetime
from pathlib import Path

import pytest
from helpers.configs import project_config

from mnar import analyses
from mnar.config import checking
from mnar.config.file import check_file
from mnar.core.errors import UserError
from mnar.reporting.outline import check_studies
from mnar.simulations.generators import grid_settings

CONFIG = project_config()
NAN, INFINITE = float("nan"), float("inf")


class _Out:
    """Takes a key out of the config. Its name is the same in every process."""

    def __repr__(self) -> str:
        return "left out"


OUT = _Out()


def changed(key, value):
    """The config with another value at a dotted key, or without it; names with dots are given as lists."""
    config = copy.deepcopy(CONFIG)
    path = key.split(".") if isinstance(key, str) else key
    inner = config
    for part in path[:-1]:
        inner = inner[int(part)] if isinstance(inner, list) else inner[part]
    if value is OUT:
        del inner[path[-1]]
    else:
        inner[path[-1]] = value
    return config


def check(config):
    checking.check(config)
    analyses.check(config["analyses"])
    grid_settings.check(config["synthetic_grid"])
    check_studies(config)


def refused(action, sentence):
    with pytest.raises(UserError) as caught:
        action()
    message = str(caught.value)
    for part in [sentence] if isinstance(sentence, str) else sentence:
        assert part in message, message
    assert message.endswith((".", "?")), message
    assert "\n" not in message


# Numbers that are none, wherever a number may stand.

NUMBERS = [
    ("seed", NAN),
    ("seed", INFINITE),
    ("datasets.synthetic.relevant", NAN),
    ("datasets.synthetic.scale", [1, INFINITE]),
    ("datasets.synthetic.generator.noise", NAN),
    ("datasets.movielens-small.bad_lines", NAN),
    ("views.lim2015.relevant", INFINITE),
    ("views.lim2015.top_items", NAN),
    ("protocols.four-folds.folds", INFINITE),
    ("protocols.four-folds.validation", NAN),
    ("protocols.strong.evaluation_users", -INFINITE),
    ("methods.svd.grid.factors", [1, NAN]),
    ("methods.svd.refine", INFINITE),
    ("methods.mf-adg.settings.gamma", INFINITE),
    ("methods.mf-adg.quick.grid.rate", [NAN]),
    ("methods.allrank-regression-weights.grid.weights", [{5: INFINITE}]),
    ("studies.lim2015.search.dense-svd.grid.lambda", [NAN]),
    ("analyses.learning_curve.checkpoints", [1, INFINITE]),
    ("theorems.users", NAN),
    ("theorems.shares", [0.1, NAN]),
    ("theorems.broken.share", NAN),
    ("theorems.ranking.settings.rate", -INFINITE),
    ("synthetic_grid.generator.users", INFINITE),
    ("synthetic_grid.vary.noise", [0.6, NAN]),
    ("synthetic_grid.allrank.grid.lambda", [NAN]),
    ("trust.held_out", NAN),
    ("trust.mechanisms.positivity", [INFINITE]),
    ("trust.gamma.edges", [1, NAN]),
    ("trust.systems.svd.grid.factors", [INFINITE]),
    ("trust.quick.generator.users", NAN),
    ("seed", 10**400),
    ("theorems.users", 10**4000),
]


@pytest.mark.parametrize(("key", "value"), NUMBERS)
def test_numbers_that_are_none(key, value):
    name = (
        key.removesuffix(".0")
        if not key.endswith("rate") or "quick" not in key
        else "methods.mf-adg.quick"
    )
    refused(lambda: check(changed(key, value)), [name, "expected a finite number, found"])


# Names: they become paths.

PATH = "cannot be part of a path"
TEXT = "is no text for YAML"
SECTIONS = {
    "datasets": CONFIG["datasets"]["synthetic"],
    "views": CONFIG["views"]["lim2015"],
    "protocols": {"folds": 2},
    "methods": {"module": "svd", "settings": {"factors": 2}},
    "studies": CONFIG["studies"]["lim2015"],
    "experiments": CONFIG["experiments"]["lim2015"],
}
NAMES = [
    ("../../x", PATH),
    ("/etc/x", PATH),
    ("..", PATH),
    (".hidden", PATH),
    ("a/b", PATH),
    ("a\\b", PATH),
    ("{x}", PATH),
    ("a b", PATH),
    ("a*", PATH),
    ("", PATH),
    ("a\nb", PATH),
    ("a\0b", PATH),
    ("é", PATH),
    ("x" * 101, PATH),
    ("$(touch x)", PATH),
    ("-x", PATH),
    (123, TEXT),
    (False, TEXT),
    (1.5, TEXT),
    (None, TEXT),
    (datetime.date(2015, 1, 1), TEXT),
]


@pytest.mark.parametrize("section", SECTIONS)
@pytest.mark.parametrize(("name", "sentence"), NAMES, ids=[repr(name)[:30] for name, _ in NAMES])
def test_names(section, name, sentence):
    refused(lambda: check(changed([section, name], SECTIONS[section])), [f"{section}: ", sentence])


@pytest.mark.parametrize(
    ("section", "name", "other"),
    [
        ("methods", "mf_adg", "mf-adg"),
        ("methods", "SVD", "svd"),
        ("datasets", "movielens_small", "movielens-small"),
        ("studies", "steck2010_rel4", "steck2010-rel4"),
        ("views", "Trust", "trust"),
    ],
)
def test_names_that_are_too_much_alike(section, name, other):
    sentence = f"{section}: the names {other!r} and {name!r} are too much alike"
    refused(lambda: check(changed([section, name], SECTIONS[section])), sentence)


# Everything else: a key, its value, and the sentence.

CASES = [
    # top level
    ("sede", 1, "config: unknown key 'sede'; did you mean 'seed'?"),
    ("seed", OUT, "config: the key 'seed' is missing"),
    ("datasets", OUT, "config: the key 'datasets' is missing"),
    ("trust", OUT, "config: the key 'trust' is missing"),
    ("seed", "ten", 'seed: expected integer, found "ten"'),
    ("seed", "1e3", "which is text in YAML"),
    ("seed", 2.0, "seed: expected integer, found 2.0"),
    ("seed", True, "seed: expected integer, found true"),
    ("seed", None, "seed: expected integer, found null"),
    ("seed", -1, "seed: -1 is less than the minimum of 0"),
    ("seed", datetime.date(2015, 1, 1), "seed: expected integer, found"),
    ("offline", "yes", 'offline: expected boolean, found "yes"'),
    ("offline", 1, "offline: expected boolean, found 1"),
    ("datasets", {}, "datasets: expected at least 1 of them, found 0"),
    ("datasets", [1], "datasets: expected object, found [1]"),
    ("methods", "all", "methods: expected object"),
    ("views", None, "views: expected object, found null"),
    # datasets
    ("datasets.synthetic", None, "datasets.synthetic: expected object, found null"),
    ("datasets.synthetic", {}, "Dataset 'synthetic' has no `format`"),
    ("datasets.coat.format", OUT, "Dataset 'coat' has no `format`; say how its files are written"),
    ("datasets.coat.files", OUT, "Dataset 'coat' has no `files`; say which files it has"),
    ("datasets.coat.format", "matrix", "datasets.coat.format: expected object"),
    ("datasets.coat.files", "train", "datasets.coat.files: expected object"),
    ("datasets.coat.files", {"ratings": 5}, "datasets.coat.files.ratings: expected string or arr"),
    ("datasets.coat.format.kind", "matrx", "Unknown format kind 'matrx'"),
    ("datasets.coat.has", ["random"], "datasets.coat: unknown key 'has'"),
    ("datasets.synthetic.relevent", 4, "unknown key 'relevent'; did you mean 'relevant'?"),
    ("datasets.synthetic.relevant", "four", "datasets.synthetic.relevant: expected number"),
    ("datasets.synthetic.relevant", OUT, "datasets.synthetic: the study lim2015 asks which"),
    ("datasets.synthetic.scale", OUT, "does not say; give `scale`"),
    ("datasets.synthetic.scale", [1, "five"], "datasets.synthetic.scale.1: expected number"),
    ("datasets.synthetic.scale", [1], "datasets.synthetic.scale: expected at least 2 of them"),
    ("datasets.coat.scale", [5, 1], "`scale` is [5, 1]; give the lowest and the highest"),
    ("datasets.synthetic.quick", "true", "datasets.synthetic.quick: expected boolean"),
    ("datasets.synthetic.licence", 5, "datasets.synthetic.licence: expected string"),
    ("datasets.synthetic.files", {"ratings": "r"}, "it has both `generator` and `files`"),
    ("datasets.synthetic.download", {"url": "u"}, "it has both `generator` and `download`"),
    ("datasets.movielens-1m.download", {}, "datasets.movielens-1m.download: the key 'url' is mi"),
    ("datasets.movielens-1m.download.ulr", "x", "did you mean 'url'?"),
    ("datasets.movielens-1m.download.url", 5, "download.url: expected string, found 5"),
    ("datasets.movielens-1m.download.url", "ftp://x/y", "is not an address that begins with https"),
    ("datasets.movielens-1m.download.url", "file:///etc/passwd", "an address that begins with"),
    ("datasets.movielens-1m.download.url", "https://x/..", "ends in no file name"),
    ("datasets.movielens-1m.download.url", "https://x/", "ends in no file name"),
    ("datasets.movielens-1m.download.sha256", "abc", "a sha256 of 64 digits"),
    ("datasets.movielens-1m.download.mirrors", "x", "mirrors: expected array"),
    ("datasets.cm100k.sha256", {"data.txt": "x"}, "a sha256 of 64 digits"),
    ("datasets.synthetic.views", {"lim": {}}, "datasets.synthetic.views: unknown view 'lim'"),
    ("datasets.synthetic.protocols.stong", {}, "unknown protocol 'stong'; did you mean 'strong'?"),
    ("datasets.synthetic.protocols.strong.fold", 3, "unknown setting 'fold'; did you mean 'folds'"),
    ("datasets.synthetic.protocols.strong.folds", 0, "strong.folds: expected a whole number from"),
    ("datasets.coat.methods.pradel-alrank", {}, "unknown method 'pradel-alrank'; did you mean"),
    ("datasets.netflix.instead", {"last-six": "probe"}, "did you mean 'last-five'?"),
    ("datasets.netflix.instead", {"last-five": "prob"}, "did you mean 'probe'?"),
    ("datasets.netflix.instead", ["probe"], "datasets.netflix.instead: expected object"),
    # generator
    ("datasets.synthetic.generator", 5, "datasets.synthetic.generator: expected object"),
    ("datasets.synthetic.generator.user", 5, ["generator: unknown setting 'user'", "users"]),
    ("datasets.synthetic.generator.users", 0, "datasets.synthetic.generator: users is 0; give"),
    ("datasets.synthetic.generator.users", 2.5, "generator: users is 2.5"),
    ("datasets.synthetic.generator.users", "many", "generator: users is 'many'"),
    ("datasets.synthetic.generator.taxonomy", 2, "generator: taxonomy is 2"),
    ("synthetic_grid.generator.items", 1, "synthetic_grid.generator: items is 1"),
    ("synthetic_grid.generator.item", 9, "synthetic_grid.generator: unknown setting 'item'"),
    ("synthetic_grid.vary.nose", [1], "synthetic_grid.vary.nose: unknown setting 'nose'"),
    ("synthetic_grid.vary.noise", [-1], "synthetic_grid.vary.noise: noise is -1"),
    ("synthetic_grid.vary.noise", 1, "synthetic_grid.vary"),
    ("synthetic_grid.vary.noise", [], "synthetic_grid.vary"),
    ("synthetic_grid.svd", OUT, "synthetic_grid: the key 'svd' is missing"),
    ("synthetic_grid.svd.grid.factor", [2], "svd has no setting 'factor'; did you mean 'factors'"),
    ("synthetic_grid.allrank.grid.lambda", [-1], "synthetic_grid.allrank.grid.lambda: expected"),
    ("synthetic_grid.pairwise.settings.gama", 5, "did you mean 'gamma'?"),
    ("synthetic_grid.pairwise.grid", {}, "synthetic_grid.pairwise: mf-adg needs the setting"),
    ("synthetic_grid.objectives.observed.grid.lambda", [0], "observed.grid.lambda: expected a nu"),
    ("synthetic_grid.objectives.binary", OUT, "the key 'binary' is missing"),
    # views
    ("views.lim2015.relevant", OUT, "views.lim2015: the key 'relevant' is missing"),
    ("views.lim2015.keep", OUT, "views.lim2015: the key 'keep' is missing"),
    ("views.lim2015.relevant", "best", "views.lim2015.relevant: "),
    ("views.lim2015.keep", "relevnt", "unknown value \"relevnt\"; did you mean 'relevant'?"),
    ("views.lim2015.catalogue", "list", "views.lim2015.catalogue: unknown value"),
    ("views.lim2015.top_item", 5, "unknown key 'top_item'; did you mean 'top_items'?"),
    ("views.lim2015.top_items", 0, "views.lim2015.top_items: 0 is less than the minimum of 1"),
    ("views.lim2015.min_per_user", 1.5, "min_per_user: expected integer, found 1.5"),
    ("views.lim2015.sample_users", "all", "sample_users: expected integer"),
    # protocols
    ("protocols.four-folds.folds", OUT, "protocols.four-folds: the setting 'folds' (number of"),
    ("protocols.four-folds.folds", 0, "folds: expected a whole number from 1 to 1000, found 0"),
    ("protocols.four-folds.folds", 2.0, "folds: expected a whole number"),
    ("protocols.four-folds.folds", 10**9, "folds: expected a whole number"),
    ("protocols.four-folds.folds", "four", "folds: expected a whole number"),
    ("protocols.four-folds.fold", 4, "unknown setting 'fold'; did you mean 'folds'?"),
    ("protocols.four-folds.validaton", 0.1, "did you mean 'validation'?"),
    ("protocols.four-folds.validation", 1, "validation: expected a share between 0 and 1, found"),
    ("protocols.four-folds.validation", 0, "validation: expected a share between 0 and 1, found"),
    ("protocols.four-folds.test", "1e-1", "which is text in YAML"),
    (
        "protocols.four-folds.test",
        0.95,
        "protocols.four-folds: validation 0.1 and test 0.95 leave nothing for the rest; set",
    ),
    ("protocols.four-folds.validation", 0.8, "validation 0.8 and test 0.2 leave nothing for the"),
    ("protocols.global-time.train", 0.95, "protocols.global-time: train 0.95 and validation 0.1"),
    (
        "datasets.synthetic.protocols.four-folds",
        {"test": 0.95},
        "datasets.synthetic.protocols.four-folds: validation 0.1 and test 0.95 leave nothing",
    ),
    ("trust.gamma.edges", [3, 1], "trust.gamma.edges: 1 comes after 3; write them in rising order"),
    ("protocols.last-five.held_out", 0, "held_out: expected a whole number from 1 up"),
    ("protocols.strong.evaluation_users", OUT, "the setting 'evaluation_users' (users that are"),
    ("protocols.strong.evaluation_users", "some", "expected random, halves, a number of users or"),
    ("protocols.strong.evaluation_users", 1.5, "expected random, halves"),
    ("protocols.selected.halves", 1, "halves: expected true or false, found 1"),
    ("protocols.selected.held_out", 2, "held_out: expected a share"),
    ("protocols.track1.test", 0.1, "protocols.track1: unknown setting 'test'"),
    ("protocols.six-folds", {"folds": 6}, "unknown protocol 'six-folds'; did you mean 'four-fol"),
    ("protocols.probe", 3, "protocols.probe: expected object, found 3"),
    # methods
    ("methods.svdd", {}, "methods.svdd: unknown method 'svdd'; did you mean 'svd'?"),
    ("methods.svd.module", "../svd", "methods.svd: unknown method '../svd'"),
    ("methods.svd.module", "no/such.py", "method file no/such.py is not there"),
    ("methods.svd.module", 5, "methods.svd.module: expected string, found 5"),
    ("methods.svd.lable", "x", "unknown key 'lable'; did you mean 'label'?"),
    ("methods.svd.label", "", 'methods.svd.label: found "". Give 1 to 100 characters'),
    (
        "methods.svd.label",
        "a\nb",
        'methods.svd.label: found "a\\nb". Give 1 to 100 characters, none',
    ),
    ("methods.svd.label", "a\n", "methods.svd.label: found"),
    ("methods.svd.label", "a\x1b[31m", "methods.svd.label: found"),
    ("methods.svd.label", "a\x85", "methods.svd.label: found"),
    ("methods.svd.label", "a\u2028b", "methods.svd.label: found"),
    ("methods.svd.label", "a\u202eb", "methods.svd.label: found"),
    ("methods.svd.label", "a\ud800b", "methods.svd.label: found"),
    ("methods.svd.label", "x" * 101, "methods.svd.label: found"),
    ("methods.svd.label", 5, "methods.svd.label: expected string, found 5"),
    ("methods.svd.colour", "pink", "methods.svd.colour: "),
    ("methods.svd.marker", "@", "methods.svd.marker: unknown value"),
    ("methods.svd.needs", "times", "unknown value \"times\"; did you mean 'timestamps'?"),
    ("methods.svd.grid", {"factors": 5}, "methods.svd.grid"),
    ("methods.svd.grid", {"factors": []}, "methods.svd.grid"),
    ("methods.svd.grid", {"factors": [5, 5]}, "has non-unique elements"),
    ("methods.svd.grid", [], "methods.svd.grid"),
    ("methods.svd.grid", "all", "methods.svd.grid"),
    ("methods.svd.grid.factors", [0], "methods.svd.grid.factors: expected a whole number from 1"),
    ("methods.svd.grid.factor", [1], "did you mean 'factors'?"),
    ("methods.svd.settings", 5, "methods.svd.settings: expected object"),
    ("methods.svd.refine", -1, "methods.svd.refine: -1 is less than the minimum"),
    ("methods.svd.select_by", OUT, "select_by of svd: it is missing, and there is more than one"),
    ("methods.svd.select_by", "addg", "unknown measure 'addg'; did you mean 'adg'?"),
    ("methods.svd.select_by", "interval", "select_by of svd: unknown measure 'auc'; "),
    ("methods.svd.select_by", 5, "methods.svd.select_by: expected string"),
    ("methods.mf-adg.settings.lamda", 0.1, "did you mean 'lambda'?"),
    ("methods.mf-adg.grid.rate", OUT, "mf-adg needs the setting 'rate'"),
    ("methods.mf-adg.settings.iterations", "1e6", "which is text in YAML (write 1.0e-4"),
    ("methods.mf-adg.settings.iterations", 1e6, "iterations: expected a whole number from"),
    ("methods.dense-svd.grid.imputed", OUT, "dense-svd needs the setting 'imputed'"),
    ("methods.observed-only.grid.lambda", [0], "expected a number above 0, found 0"),
    ("methods.mf-biased.quick.grid.lambda", [0], "expected a number above 0, found 0"),
    ("methods.bestseller-mean.settings", {"k": 1}, "bestseller-mean has no settings; leave 'k' o"),
    ("methods.mf-adg.quick.settings", {"gamma": 0}, "methods.mf-adg.quick.settings.gamma: expec"),
    ("methods.mf-adg.quick.gird", {}, "unknown key 'gird'; did you mean 'grid'?"),
    # studies
    ("studies.lim2015.view", OUT, "studies.lim2015: the key 'view' is missing"),
    ("studies.lim2015.view", "lim2014", "unknown view 'lim2014'; did you mean 'lim2015'?"),
    ("studies.lim2015.view", 5, "studies.lim2015.view: expected string"),
    ("studies.lim2015.protocol", "four-fold", "did you mean 'four-folds'?"),
    ("studies.lim2015.protocol", "selected", "the study has no validation set"),
    ("studies.lim2015.protocol", "strong", "mf-auc cannot fold in users, which protocol strong n"),
    ("studies.lim2015.sets", ["test"], "and the study has no validation set; add `validation`"),
    ("studies.lim2015.sets", ["tset"], "unknown value \"tset\"; did you mean 'test'?"),
    ("studies.lim2015.sets", [], "studies.lim2015.sets: expected at least 1"),
    ("studies.lim2015.candidates", ["some"], "studies.lim2015.candidates.0: unknown value"),
    ("studies.lim2015.candidates", "all", "studies.lim2015.candidates: expected array"),
    ("studies.lim2015.average", "mean", "studies.lim2015.average: unknown value"),
    ("studies.lim2015.measures", ["adgg"], "studies.lim2015.measures: "),
    ("studies.lim2015.measures", [], "studies.lim2015.measures: expected at least 1"),
    ("studies.lim2015.measures", ["recall@0"], "studies.lim2015.measures: "),
    ("studies.lim2015.measures", ["recall@x"], "studies.lim2015.measures: "),
    ("studies.lim2015.chosen_measures", ["recal@5"], "studies.lim2015.measures: "),
    ("studies.lim2015.methods", [], "studies.lim2015.methods: expected at least 1"),
    ("studies.lim2015.methods", ["mf-agd"], "unknown method 'mf-agd'; did you mean 'mf-adg'?"),
    ("studies.lim2015.methods", ["svd", "svd"], "has non-unique elements"),
    ("studies.lim2015.serach", {}, "unknown key 'serach'; did you mean 'search'?"),
    ("studies.lim2015.search.dens-svd", {}, "did you mean 'dense-svd'?"),
    ("studies.lim2015.per_user", "none", "studies.lim2015.per_user: unknown value"),
    ("studies.steck2010.catalogues", ["steck"], "unknown view 'steck'"),
    ("studies.pradel2012.set_measures", {"tests": ["auc"]}, "set_measures: unknown set 'tests'"),
    ("studies.pradel2012.set_measures", {"random": ["acu"]}, "studies.pradel2012.set_measures.ran"),
    ("studies.pradel2012.set_measures", {"validation": ["atop"]}, "unknown measure 'auc'"),
    ("studies.kddcup2011-track1.select_by", "rsme", "did you mean 'rmse'?"),
    ("studies.lim2015", OUT, "experiments.lim2015: it needs the study 'lim2015'"),
    # experiments
    ("experiments.lim2016", CONFIG["experiments"]["lim2015"], "did you mean 'lim2015'?"),
    ("experiments.lim2015.datasets", ["synthetc"], "did you mean 'synthetic'?"),
    ("experiments.lim2015.paper_datasets", ["x"], "paper_datasets: unknown dataset 'x'"),
    ("experiments.lim2015.stand_ins", ["movielens"], "stand_ins: unknown dataset 'movielens'; di"),
    ("experiments.lim2015.stand_ins", OUT, "experiments.lim2015: the key 'stand_ins' is missing"),
    ("experiments.lim2015.datasets", "synthetic", "experiments.lim2015.datasets: expected array"),
    ("experiments.lim2015", None, "experiments.lim2015: expected object, found null"),
    # analyses
    ("analyses.learning_curves", {}, "unknown analysis 'learning_curves'; did you mean 'learnin"),
    ("analyses.learning_curve.checkpoint", [1], "did you mean 'checkpoints'?"),
    ("analyses.learning_curve.checkpoints", OUT, "the setting 'checkpoints' (iterations after"),
    ("analyses.learning_curve.checkpoints", [5, 2], "each larger than the one before, found [5"),
    ("analyses.learning_curve.checkpoints", [0], "expected a list of whole numbers from 1 up"),
    ("analyses.learning_curve.folds", 0, "analyses.learning_curve.folds: expected a whole number"),
    ("analyses.learning_curve", OUT, "analyses.learning_curve: the setting 'checkpoints'"),
    ("analyses.ranks", {"k": 1}, "analyses.ranks: unknown setting 'k'; known are none"),
    ("analyses", [], "analyses: expected object"),
    # theorems
    ("theorems.shares", [0.5], "theorems.shares: expected at least 2 of them, found 1"),
    ("theorems.shares", [0, 0.5], "theorems.shares.0: 0 is less than or equal to the minimum"),
    ("theorems.user", 5, "theorems: unknown key 'user'; did you mean 'users'?"),
    ("theorems.users", 0, "theorems.users: 0 is less than the minimum"),
    ("theorems.users", 10**12, "theorems.users: 1000000000000 is greater than the maximum"),
    ("theorems.broken.shar", 1, "did you mean 'share'?"),
    ("theorems.broken.share", 1, "theorems.broken.share: 1 is greater than or equal to"),
    ("theorems.holdout.folds", OUT, "theorems.holdout: the key 'folds' is missing"),
    ("theorems.ranking.method", "mf-uac", "did you mean 'mf-auc'?"),
    ("theorems.ranking.settings.rat", 1, "did you mean 'rate'?"),
    ("theorems.ranking.settings.lambda", OUT, "mf-auc needs the setting 'lambda'"),
    ("theorems.unseen.draws", 0, "theorems.unseen.draws: 0 is less than"),
    # trust
    ("trust.seed", 5, "trust: unknown key 'seed'; did you mean 'seeds'?"),
    ("trust.seeds", 0, "trust.seeds: 0 is less than the minimum of 1"),
    (
        "trust.systems.mine",
        {"scores": "{dataset}/{fold}.csv", "datasets": ["jester"]},
        "trust.systems.mine.datasets: on 'jester' selection is simulated",
    ),
    (
        "trust.systems.mine",
        {"scores": "{dataset}/{fold}.csv"},
        "trust.systems.mine: scores fit some datasets only; name them under 'datasets'",
    ),
    (
        "trust.systems.mine",
        {"scores": "{dataset}/{fold}.csv", "datasets": ["coats"]},
        "trust.systems.mine.datasets: unknown dataset 'coats'",
    ),
    (
        "trust.systems.mine",
        {"scores": "{dataset}/{fold}.csv", "datasets": ["coat"], "rates": True},
        "trust.systems.mine: scores from files are only ranked; leave 'rates' out",
    ),
    (
        "trust.systems.mine",
        {"scores": "{dataset}.csv", "datasets": ["coat"]},
        "trust.systems.mine.scores: {dataset}.csv has no {fold}",
    ),
    (
        "trust.systems.svd.datasets",
        ["coat"],
        "trust.systems.svd: 'datasets' is for scores from files",
    ),
    ("trust.seeds", OUT, "trust: the key 'seeds' is missing"),
    ("trust.held_out", 1, "trust.held_out: 1 is greater than or equal to"),
    ("trust.held_out", "0,3", "trust.held_out: expected number"),
    ("trust.spared", 0, "trust.spared: 0 is less than or equal to"),
    ("trust.measures", ["adgg"], "trust.measures: "),
    ("trust.measures", [], "trust.measures: expected at least 1"),
    ("trust.estimators", ["snip(known)"], "unknown weighting 'snip'; did you mean 'snips'?"),
    ("trust.estimators", ["snips"], "trust.estimators: 'adg~snips' must name one propensity mo"),
    ("trust.estimators", ["snips(popularit)"], "trust.estimators: "),
    ("trust.estimators", ["snips(known, clip=2)"], "clip is a quantile above 0 and at most 1"),
    ("trust.estimators", ["snips(known, clp=1)"], "unknown setting 'clp'"),
    ("trust.estimators", ["sampled(0)"], "write sampled(100), or sampled(100, popularity)"),
    ("trust.estimators", ["naive(5)"], "takes nothing in brackets"),
    ("trust.mechanisms.posivity", [1], "did you mean 'positivity'?"),
    ("trust.mechanisms.positivity", [2], "trust.mechanisms.positivity.0: 2 is greater than"),
    ("trust.mechanisms.correlation", OUT, "trust.mechanisms: the key 'correlation' is missing"),
    ("trust.price.numbers", [0], "trust.price.numbers.0: 0 is less than"),
    ("trust.price.measures", ["agd"], "trust.measures: "),
    ("trust.gamma.edges", [1], "trust.gamma.edges: expected at least 2"),
    ("trust.systems.svdd", {}, "trust.systems.svdd: unknown method 'svdd'; did you mean 'svd'?"),
    ("trust.systems.svd.grid.factor", [1], "did you mean 'factors'?"),
    ("trust.systems.svd.grid", {}, "trust.systems.svd: svd needs the setting 'factors'"),
    ("trust.systems.svd.rate", True, "unknown key 'rate'; did you mean 'rates'?"),
    ("trust.systems.mf-adg.grid.rate", [-1], "trust.systems.mf-adg.grid.rate: expected a number"),
    ("trust.quick.sedes", 1, "trust.quick: unknown key 'sedes'; did you mean 'seeds'?"),
    ("trust.quick.generator.user", 1, "trust.quick.generator: unknown setting 'user'"),
    ("trust.generator.items", 0, "trust.generator: items is 0"),
]


@pytest.mark.parametrize(
    ("key", "value", "sentence"),
    CASES,
    ids=[f"{key}={value!r}"[:60] for key, value, _ in CASES],
)
def test_what_is_wrong_is_named(key, value, sentence):
    refused(lambda: check(changed(key, value)), sentence)


def test_an_entry_that_holds_itself():
    config = copy.deepcopy(CONFIG)
    config["methods"]["svd"]["settings"] = config["methods"]
    refused(lambda: check(config), "it is nested too deeply")


# The file itself.

FILES = [
    (b"seed: 1\n# caf\xe9\n", "line 2: it is not UTF-8; save the file as UTF-8."),
    (b"\xff\xfes\x00e\x00", "line 1: it is not UTF-8"),
    (b"seed: 1\nseed: 2\n", "line 2: the key 'seed' is there twice, first on line 1"),
    (b"a: {b: 1,\n b: 2}\n", "line 2: the key 'b' is there twice"),
    (b"a: [1,\n", "line 2: it is not YAML"),
    (b"a: b: c\n", "line 1: it is not YAML"),
    (b"a:\n\t- 1\n", "line 2: it is not YAML"),
    (b"a: *b\n", "line 1: it is not YAML"),
    (b"a: 1\n---\nb: 2\n", "it is not YAML"),
    (b"- 1\n", "has no keys at its top level"),
    (b"", "has no keys at its top level"),
    (b"words\n", "has no keys at its top level"),
    (b"a: \x00\n", "it is not YAML"),
]


@pytest.mark.parametrize(("content", "sentence"), FILES)
def test_the_file(tmp_path, content, sentence):
    path = tmp_path / "config.yaml"
    path.write_bytes(content)
    refused(lambda: check_file(path), ["config.yaml", sentence])


def test_a_file_that_is_not_there_or_a_folder(tmp_path):
    refused(lambda: check_file(tmp_path / "x.yaml"), "x.yaml cannot be read (No such file")
    refused(lambda: check_file(tmp_path), "cannot be read (Is a directory")


def test_the_config_of_the_project_is_good(tmp_path):
    check(copy.deepcopy(CONFIG))
    check_file(Path(__file__).parents[3] / "config.yaml")
    (tmp_path / "own.yaml").write_bytes(b"\xef\xbb\xbfa: &a {b: 1}\nc: *a\n")
    check_file(tmp_path / "own.yaml")


def test_there_are_enough_cases():
    assert len(CASES) + len(NUMBERS) + len(NAMES) * len(SECTIONS) + len(FILES) >= 250
