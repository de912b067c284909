from mnar import sources


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
    monkeypatch.setattr(sources, "ROOT", tmp_path)
    sources._imported.cache_clear()

    plain = sources.fingerprint("train.py")
    with_method = sources.fingerprint("train.py", "mnar.models.one")
    assert plain != with_method

    (library / "apart.py").write_text("x = 1\n")
    assert sources.fingerprint("train.py", "mnar.models.one") == with_method

    (library / "kernel.py").write_text("def run(): return 1\n")
    assert sources.fingerprint("train.py") == plain
    assert sources.fingerprint("train.py", "mnar.models.one") != with_method

    (library / "base.py").write_text("y = 2\n")
    assert sources.fingerprint("train.py") != plain
    sources._imported.cache_clear()
