"""Random flips, cuts and insertions in the files of a finished tiny run: each is refused by name."""

from helpers.running import snakemake, tiny_config

from fuzz.refused import refused
from mnar.core.files import check_listed, check_parquet, read_arrays, read_csv, read_json

READERS = {".npz": read_arrays, ".csv": read_csv, ".json": read_json, ".parquet": check_parquet}
STAGES = ("data", "views", "splits", "complete", "scores", "analyses", "simulations")
PAPERS = ("lim2015", "pradel2012", "theorems")


def cases(folder):
    done = snakemake(folder, config=tiny_config(*PAPERS), cores=1)
    assert done.returncode == 0, done.stderr[-3000:]
    return damaged(folder)


def damaged(folder):
    """A case of damage in the results that lie in a folder."""
    kinds = {}
    for path in _files(folder):
        kinds.setdefault((path.relative_to(folder).parts[1], path.suffix), []).append(path)

    def case(chance):
        path = chance.choice(kinds[chance.choice(sorted(kinds))])
        whole = path.read_bytes()
        content = bytearray(whole)
        at, action = chance.randrange(len(whole)), chance.randrange(5)
        if action < 2:
            content[at] ^= 1 << chance.randrange(8)
        elif action == 2:
            del content[at:]
        elif action == 3:
            del content[at : at + chance.randrange(1, 30)]
        else:
            content[at:at] = chance.randbytes(5)
        path.write_bytes(content)
        try:
            seen = refused(lambda: _read(path))
        finally:
            path.write_bytes(whole)
        assert seen, f"{path.relative_to(folder)}: damage at byte {at} was not seen"
        _read(path)
        return f"refused ({path.suffix})"

    return case


def _files(folder):
    """The files that jobs read: those between stages, then tables and figures, which the page reads."""
    for stage in (*STAGES, *PAPERS):
        for path in sorted((folder / "results" / stage).rglob("*")):
            if path.is_file() and (path.suffix in READERS or stage in PAPERS):
                yield path


def _read(path):
    """As a job reads it: tables and figures through the list of checksums beside them."""
    lists = [path.parent / "checksums.json", path.with_suffix(".checksums.json")]
    lists = [path for path in lists if path.exists()]
    if lists:
        check_listed([path, *lists])
    else:
        READERS[path.suffix](path)
