"""The lists of claims: refused entries, and when a claim counts as another."""

import pytest
from helpers.made_up_paper import positive

from mnar.claims import above, entries, generated, identities, is_so
from mnar.core.errors import UserError
from mnar.reporting.outline import outline

ORIGINAL = [
    *(f"lim-{n:02}" for n in range(1, 32)),
    *(f"ste-{n:02}" for n in range(1, 52)),
    *(f"pra-{n:02}" for n in range(1, 42)),
    *(f"kdd-{n:02}" for n in range(1, 26)),
]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"statement": None}, "'statement' is missing"),
        ({"kind": "guess"}, "kind 'guess' is unknown"),
        ({"scope": "half"}, "scope 'half' is unknown"),
        ({"id": "1"}, "three letters"),
        ({"place": 3}, "quote it"),
        ({"colour": "red"}, "unknown key 'colour'"),
        ({"datasets": [3]}, "list of names"),
    ],
)
def test_a_bad_entry_is_refused(paper, change, words):
    with pytest.raises(UserError, match=words):
        paper.claims(change)


def test_a_claim_needs_a_test_and_a_test_a_claim(paper):
    with pytest.raises(UserError, match="no function lim_01"):
        paper.claims(lim_01=None)
    for more in ({"lim_07": positive}, {"lim_07_readings": {}}, {"GRID": {"lim-07": None}}):
        with pytest.raises(UserError, match=r"lim.07.* is not listed"):
            paper.claims(**more)


def test_defaults_are_of_every_claim_that_does_not_say_otherwise(paper):
    first, second = paper.claims(
        {"datasets": None}, {}, defaults={"datasets": ["mine"], "scope": "both effects"}
    )
    assert (first.datasets, second.datasets) == (("mine",), ("d", "gone"))
    assert first.scope == second.scope == "both effects"


BOUND = 0.0


def _bounded(data):
    return above(data.pick("t", method="a"), BOUND)


def _another(data):
    return _bounded(data)


def test_the_fingerprint_is_of_all_that_decides(paper, monkeypatch):
    def of(*changes, **more):
        return paper.claims(*changes, **more)[0].fingerprint

    usual = of(test=_another)
    assert usual == of({"why": "so", "statement": "in other words"}, test=_another)
    assert usual != of({"kind": "size"}, test=_another)
    assert usual != of({"files": ["t", "u"]}, test=_another)
    assert usual != of(test=_bounded)
    grids = [of(test=_another, GRID={"lim-01": one}) for one in (lambda g: g["a"] > 0,
                                                                 lambda g: g["a"] > 1)]  # fmt: skip
    assert len({usual, *grids}) == 3
    # What the test uses in its module is part of it, and so are the helpers.
    monkeypatch.setitem(globals(), "BOUND", 1.0)
    assert usual != of(test=_another)
    monkeypatch.undo()
    assert usual == of(test=_another)
    monkeypatch.setattr(entries, "_stamp", lambda module: "other")
    assert usual != of(test=_another)


ROWS = {"method": "a"}


def _by_default(data, where=ROWS, *, bound=(BOUND, above)):
    judge = bound[1]
    return judge(data.pick("t", **where), bound[0])


def _of_level(bound):
    def test(data):
        return above(data.pick("t", method="a"), bound)

    return test


def _identity(data):
    return is_so(*identities.auc_near_atop())


def test_values_in_defaults_and_of_enclosing_functions_decide(paper, monkeypatch):
    def of(test):
        return paper.claims(test=test)[0].fingerprint

    usual = of(_by_default)
    monkeypatch.setattr(_by_default, "__defaults__", ({"method": "b"},))
    assert usual != of(_by_default)
    monkeypatch.undo()
    monkeypatch.setattr(_by_default, "__kwdefaults__", {"bound": (1.0, above)})
    assert usual != of(_by_default)
    monkeypatch.undo()
    assert usual == of(_by_default)
    assert of(_of_level(1)) == of(_of_level(1)) != of(_of_level(2))


def test_identities_and_the_rule_of_the_grid_decide_where_they_are_used(paper, monkeypatch):
    def of(test, kind):
        return paper.claims({"kind": kind}, test=test)[0].fingerprint

    asked = [(_another, "theorem"), (_another, "behaviour"), (_identity, "theorem")]
    before = [of(*one) for one in asked]
    stamp = entries._stamp
    for changed, moved in ((generated, [False, True, False]), (identities, [False, False, True])):
        monkeypatch.setattr(entries, "_stamp", lambda m, c=changed: "other" if m is c else stamp(m))
        assert [of(*one) != old for one, old in zip(asked, before, strict=True)] == moved


def test_the_lists_are_complete():
    claims = entries.load()
    ids = [claim.id for claim in claims]
    assert len(set(ids)) == len(ids)
    assert set(ORIGINAL) <= set(ids)
    papers = {"lim2015", "steck2010", "pradel2012", "kddcup2011", "beyond"}
    assert {claim.paper for claim in claims} == papers
    assert len({claim.fingerprint for claim in claims}) == len(claims)


def test_every_table_of_the_lists_is_made_by_its_experiment():
    for claim in entries.load():
        for table in claim.files:
            experiment, _, name = f"{claim.paper}/{table}".rpartition("/")
            plan = outline(experiment.split("/")[-1])
            assert name in {**plan.tables, **plan.figures}, (claim.id, table)


def test_only_mathematics_and_what_is_lacking_need_no_table():
    for claim in entries.load():
        if not claim.files and not claim.is_mathematics:
            assert claim.test(None).verdict == "cannot be tested here", claim.id
