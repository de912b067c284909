"""Used from elsewhere: as a module, from another directory, with a config of one's own."""

import copy
import subprocess
import sys

import pytest
import yaml
from helpers.running import ROOT, command, results_of, snakemake, tiny_config

TABLE = "results/lim2015/tiny/table1.csv"

OUTER = f"""\
configfile: "mine.yaml"


module mnar:
    snakefile:
        "{ROOT}/Snakefile"
    config:
        config
    prefix:
        "papers"


use rule * from mnar as mnar_*


rule mine:
    default_target: True
    input:
        "papers/{TABLE}",
    output:
        "mine.csv",
    shell:
        "cp {{input}} {{output}}"
"""


def test_as_a_module_with_a_prefix_and_its_own_config(whole_run, tmp_path):
    (tmp_path / "Snakefile").write_text(OUTER, encoding="utf-8")
    (tmp_path / "mine.yaml").write_text(yaml.safe_dump(tiny_config("lim2015")), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "snakemake", "--cores", "2"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    assert (tmp_path / "mine.csv").read_bytes() == (whole_run / TABLE).read_bytes()
    assert not (tmp_path / "results").exists()


def test_from_another_directory_with_a_config_file(tmp_path):
    """The project's config, changed by a file that lies elsewhere; results go to --directory."""
    called_from, work = tmp_path / "called", tmp_path / "work"
    called_from.mkdir()
    work.mkdir()
    (called_from / "my.yaml").write_text(yaml.safe_dump(tiny_config("lim2015")), encoding="utf-8")
    target = "results/views/tiny/lim2015.npz"
    done = subprocess.run(
        command(work, "--configfile", "my.yaml", "--", target),
        cwd=called_from,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    assert (work / target).exists()
    assert not (called_from / "results").exists()


def test_deployed_as_snakedeploy_does(tmp_path):
    """snakedeploy writes a Snakefile with a module and copies the config: that must be enough."""
    listed = yaml.safe_load((ROOT / ".snakemake-workflow-catalog.yml").read_text(encoding="utf-8"))
    assert listed["usage"]["report"] is True
    (tmp_path / "workflow").mkdir()
    text = OUTER.replace('"mine.yaml"', '"config/config.yaml"').partition("    prefix:")[0]
    (tmp_path / "workflow/Snakefile").write_text(
        text + "\n\nuse rule * from mnar\n", encoding="utf-8"
    )
    (tmp_path / "config").mkdir()
    (tmp_path / "config/config.yaml").write_bytes((ROOT / "config.yaml").read_bytes())
    done = subprocess.run(
        [sys.executable, "-m", "snakemake", "--cores", "1", "--dry-run", "--quiet"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-4000:]


@pytest.mark.parametrize("name", ["slurm", "cluster"])
def test_profiles_are_known_to_snakemake(tmp_path, name):
    profile = ROOT / "workflow/profiles" / name
    done = snakemake(
        tmp_path,
        "--dry-run",
        "--profile",
        str(profile),
        config=copy.deepcopy(tiny_config("lim2015")),
    )
    assert done.returncode == 0, done.stderr[-4000:]
    assert not results_of(tmp_path)
