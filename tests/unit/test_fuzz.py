"""A fault that make fuzz has found can be run again by its seed, whatever group it is of."""

import math

import pytest
from fuzz import kills, run


@pytest.mark.parametrize("faults", [[], ["kills 7: it ended with other bytes"]])
def test_kills_can_be_run_again(monkeypatch, capsys, faults):
    given = []
    monkeypatch.setattr(kills, "run", lambda *words: given.append(words) or faults)
    again = ["--again", "kills", "7", "--kills", "3", "--seconds", "inf"]
    assert run.main(again) == len(faults)
    [(_, number, seed, until)] = given
    assert (number, seed, until) == (3, 7, math.inf)
    assert (faults or ["no fault"])[0] in capsys.readouterr().out


def test_a_case_can_be_run_again(capsys):
    assert run.main(["--again", "configs", "1"]) == 0
    assert capsys.readouterr().out.strip()


def test_an_unknown_group_gets_a_sentence(capsys):
    with pytest.raises(SystemExit):
        run.main(["--again", "kill", "7"])
    assert "unknown group 'kill'; known are files, tables, configs, damage, kills" in (
        capsys.readouterr().err
    )
