"""Files, seeds, ratings, views, models: what everything else stands on."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnar.core.errors import UserError
from mnar.core.files import atomic, read_arrays, write_arrays, write_json
from mnar.core.parallel import for_blocks
from mnar.core.seeds import generator, seed_of
from mnar.matrices.factor_model import FactorModel
from mnar.matrices.ratings import Ratings


def test_a_failed_write_leaves_nothing(tmp_path):
    target = tmp_path / "file.txt"
    target.write_text("old")

    def stop_half_way():
        with atomic(target) as temporary:
            temporary.write_text("half")
            raise ValueError("stop")

    with pytest.raises(ValueError, match="stop"):
        stop_half_way()
    assert target.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["file.txt"]


def test_a_file_is_put_in_place_whole(tmp_path):
    """By a new name for the same file: nobody sees one that is being written."""
    target = tmp_path / "file.txt"
    target.write_text("old")
    with target.open() as reader, atomic(target) as temporary:
        temporary.write_text("new")
        written = temporary.stat().st_ino
        before = reader.read()
    assert (before, target.read_text()) == ("old", "new")
    assert target.stat().st_ino == written


def test_a_file_in_the_place_of_another_is_noticed(tmp_path):
    ours, other = (tmp_path / "views" / name / "lim2015.npz" for name in ("ours", "other"))
    for path in (ours, other):
        write_arrays(path, {"a": np.arange(3)}, named=True)
    assert read_arrays(other)["a"].tolist() == [0, 1, 2]
    other.replace(ours)
    with pytest.raises(UserError, match="is not what its name says, it was written as views/other"):
        read_arrays(ours)
    # Moved with its folders it is the same.
    (tmp_path / "views").rename(tmp_path / "moved")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "moved").rename(tmp_path / "elsewhere" / "views")
    write_arrays(tmp_path / "elsewhere/views/other/lim2015.npz", {"a": np.arange(2)}, named=True)
    (tmp_path / "elsewhere").rename(tmp_path / "again")
    assert len(read_arrays(tmp_path / "again/views/other/lim2015.npz")["a"]) == 2


def test_arrays_come_back_and_give_the_same_bytes(tmp_path):
    arrays = {"a": np.arange(3), "b": np.array(["x", "yz"])}
    write_arrays(tmp_path / "one.npz", arrays)
    write_arrays(tmp_path / "two.npz", arrays)
    assert (tmp_path / "one.npz").read_bytes() == (tmp_path / "two.npz").read_bytes()
    stored = read_arrays(tmp_path / "one.npz")
    assert stored["b"].tolist() == ["x", "yz"]


def test_objects_are_not_pickled(tmp_path):
    with pytest.raises(ValueError, match="allow_pickle"):
        write_arrays(tmp_path / "bad.npz", {"a": np.array([{}], dtype=object)})
    assert not list(tmp_path.iterdir())


def test_nan_is_not_json(tmp_path):
    with pytest.raises(ValueError, match="JSON"):
        write_json(tmp_path / "x.json", {"a": float("nan")})


def test_seeds_depend_on_every_part_and_on_nothing_else():
    assert seed_of(1, "a") == seed_of(1, "a")
    assert len({seed_of(1, "a"), seed_of(1, "b"), seed_of(2, "a"), seed_of(1, "a", 0)}) == 4
    assert generator(1).integers(1 << 30) == generator(1).integers(1 << 30)


@pytest.mark.parametrize("threads", [1, 3])
def test_blocks_cover_every_row_once(threads):
    seen = np.zeros(23, int)

    def work(first, last):
        seen[first:last] += 1

    for_blocks(work, 23, threads, 5)
    assert (seen == 1).all()


def test_an_error_in_a_block_is_not_swallowed():
    def work(first, last):
        raise RuntimeError(f"block {first}")

    with pytest.raises(RuntimeError, match="block"):
        for_blocks(work, 10, 2, 5)


@given(st.integers(1, 6), st.integers(1, 6), st.data())
def test_ratings_equal_a_dense_matrix(users, items, data):
    cells = data.draw(st.lists(st.integers(0, 5), min_size=users * items, max_size=users * items))
    dense = np.array(cells, np.float32).reshape(users, items)
    u, i = np.nonzero(dense)
    shuffle = np.random.default_rng(0).permutation(len(u))
    ratings = Ratings.from_triplets(
        u[shuffle], i[shuffle], dense[u, i][shuffle], dense[u, i][shuffle] >= 4, dense.shape
    )
    back = np.zeros_like(dense)
    back[ratings.users, ratings.items] = ratings.values
    assert (back == dense).all()
    turned = ratings.by_item
    back = np.zeros_like(dense.T)
    back[turned.users, turned.items] = turned.values
    assert (back == dense.T).all()
    assert (turned.relevant == (turned.values >= 4)).all()
    for matrix in (ratings, turned):
        assert (np.diff(matrix.users.astype(int) * matrix.n_items + matrix.items) > 0).all()
    good = ratings.select(ratings.relevant)
    assert (good.values >= 4).all()
    assert good.indptr[-1] == (dense >= 4).sum()


def test_a_model_comes_back(tmp_path):
    random = np.random.default_rng(1)
    model = FactorModel.without_biases(random.random((3, 2)), random.random((4, 2)), 1.5)
    model.save(tmp_path / "model.npz")
    again = FactorModel.load(tmp_path / "model.npz")
    assert again.offset == 1.5
    pairs = np.array([0, 2]), np.array([3, 1])
    assert (again.predict(*pairs) == model.predict(*pairs)).all()
    expected = 1.5 + (model.user_vectors @ model.item_vectors.T)[pairs]
    assert model.predict(*pairs) == pytest.approx(expected)


def test_what_a_killed_process_left_is_taken_over(tmp_path):
    target = tmp_path / "file.txt"
    with atomic(target) as first:
        first.write_text("old")
    first.write_text("half")
    with atomic(target) as temporary:
        temporary.write_text("whole")
    assert [path.name for path in tmp_path.iterdir()] == ["file.txt"]
    assert target.read_text() == "whole"


def test_shared_files_are_written_apart(tmp_path):
    target = tmp_path / "file.txt"
    with atomic(target, shared=True) as one, atomic(target, shared=True) as two:
        assert one != two
        one.write_text("same")
        two.write_text("same")
    assert target.read_text() == "same"
