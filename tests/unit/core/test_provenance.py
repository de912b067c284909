import os
import subprocess
import sys

from mnar.core import provenance


def forget():
    provenance._fingerprint.cache_clear()
    provenance.imported.cache_clear()


def test_a_change_counts_for_those_who_import_it_alone(tmp_path, monkeypatch):
    library = tmp_path / "mnar"
    (library / "models").mkdir(parents=True)
    (tmp_path / "scripts").mkdir()
    (library / "__init__.py").write_text("")
    (library / "models" / "__init__.py").write_text("from mnar import base\n")
    (library / "models" / "one.py").write_text("from mnar.kernel import run\n")
    (library / "base.py").write_text("")
    (library / "kernel.py").write_text("def run(): ...\n")
    (library / "apart.py").write_text("")
    (tmp_path / "scripts" / "train.py").write_text("from mnar import models\n")
    monkeypatch.setattr(provenance, "ROOT", tmp_path)
    forget()

    plain = provenance.fingerprint("train.py")
    with_method = provenance.fingerprint("train.py", "mnar.models.one")
    assert plain != with_method

    (library / "apart.py").write_text("x = 1\n")
    forget()
    assert provenance.fingerprint("train.py", "mnar.models.one") == with_method

    (library / "kernel.py").write_text("def run(): return 1\n")
    forget()
    assert provenance.fingerprint("train.py") == plain
    assert provenance.fingerprint("train.py", "mnar.models.one") != with_method

    (library / "base.py").write_text("y = 2\n")
    forget()
    assert provenance.fingerprint("train.py") != plain
    forget()


def test_the_script_and_other_files_count_and_the_place_does_not(tmp_path, monkeypatch):
    hashes = []
    for name in ("one", "two"):
        root = tmp_path / name
        (root / "mnar").mkdir(parents=True)
        (root / "scripts").mkdir()
        (root / "mnar" / "__init__.py").write_text("")
        (root / "scripts" / "show.py").write_text("import mnar\n")
        numbers = root / "mnar" / "numbers.csv"
        numbers.write_text("1\n")
        monkeypatch.setattr(provenance, "ROOT", root)
        forget()
        hashes.append(provenance.fingerprint("show.py", files=[numbers]))
    assert hashes[0] == hashes[1]
    numbers.write_text("2\n")
    forget()
    assert provenance.fingerprint("show.py", files=[numbers]) != hashes[0]
    numbers.write_text("1\n")
    (root / "scripts" / "show.py").write_text("import mnar  # edited\n")
    forget()
    assert provenance.fingerprint("show.py", files=[numbers]) != hashes[0]
    forget()


def test_two_files_of_one_name_do_not_change_places_unnoticed(tmp_path, monkeypatch):
    """Recorded tables lie beside the library, one `table1.csv` for each dataset."""
    root = tmp_path / "workflow"
    (root / "scripts").mkdir(parents=True)
    (root / "scripts" / "page.py").write_text("")
    monkeypatch.setattr(provenance, "ROOT", root)
    files = [tmp_path / "docs" / name / "table1.csv" for name in ("one", "two")]
    hashes = []
    for texts in ("12", "21"):
        for file, text in zip(files, texts, strict=True):
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        forget()
        hashes.append(provenance.fingerprint("page.py", files=files))
    assert hashes[0] != hashes[1]
    forget()


def test_a_file_of_the_users_own_counts_wherever_it_lies(tmp_path, monkeypatch):
    root = tmp_path / "project" / "workflow"
    (root / "scripts").mkdir(parents=True)
    (root / "scripts" / "train.py").write_text("")
    monkeypatch.setattr(provenance, "ROOT", root)
    hashes = []
    for name, text in (("here", "one"), ("there", "one"), ("there", "two")):
        folder = tmp_path / name / "my_methods"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "ease.py").write_text(f"# {text}\n")
        monkeypatch.chdir(tmp_path / name)
        forget()
        hashes.append(provenance.fingerprint("train.py", "my_methods/ease.py"))
    assert hashes[0] == hashes[1] != hashes[2]
    forget()


def test_an_import_anywhere_counts(tmp_path, monkeypatch):
    library = tmp_path / "mnar"
    library.mkdir()
    names = ["function", "otherwise", "caught", "at_last", "case", "held"]
    for name in names:
        (library / f"{name}.py").write_text("")
    script = tmp_path / "script.py"
    script.write_text(
        "def call():\n    from mnar import function\n"
        "if call:\n    pass\nelse:\n    import mnar.otherwise\n"
        "try:\n    pass\nexcept OSError:\n    import mnar.caught\nfinally:\n    import mnar.at_last\n"
        "match call:\n    case _:\n        import mnar.case\n"
        "with call:\n    import mnar.held\n"
    )
    monkeypatch.setattr(provenance, "ROOT", tmp_path)
    forget()
    found = {file.stem for file in provenance.imported(script)}
    assert found == set(names)
    forget()


def test_a_kernel_is_compiled_anew_when_one_that_it_calls_changes(tmp_path):
    library = provenance.ROOT / "mnar"
    copy = tmp_path / "mnar"
    for name in ("", "core", "kernels"):
        (copy / name).mkdir()
        (copy / name / "__init__.py").write_text("")
    for name in ("core/provenance.py", "kernels/compiled.py"):
        (copy / name).write_bytes((library / name).read_bytes())
    calling = "from mnar.kernels.compiled import njit\nfrom mnar.inner import one\n\n"
    (copy / "outer.py").write_text(
        f"{calling}@njit(cache=True)\ndef two():\n    return one() + 1\n"
    )

    def result(value):
        kernel = f"@njit(cache=True)\ndef one():\n    return {value}\n"
        (copy / "inner.py").write_text(f"from mnar.kernels.compiled import njit\n\n{kernel}")
        program = "from mnar.outer import two; print(two(), sum(two.stats.cache_hits.values()))"
        # Without bytecode: a file changed within a second and of the same size is taken for current.
        environment = {**os.environ, "PYTHONPATH": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}
        command = [sys.executable, "-c", program]
        return subprocess.run(
            command, capture_output=True, text=True, env=environment, check=True
        ).stdout.split()

    assert result(1) == ["2", "0"]
    assert result(1) == ["2", "1"]
    assert result(5) == ["6", "0"]
