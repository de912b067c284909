"""The paper's own dataset, in files of the official format: both tracks, with the taxonomy."""

import numpy as np
import pandas as pd
import pytest
from helpers.running import snakemake, tiny_config

USERS, TRACKS, ALBUMS, ARTISTS, GENRES = 60, 40, 10, 5, 3


def write_track1(folder):
    """Ratings of tracks, albums, artists and genres, four a user for validation, six for test."""
    random = np.random.default_rng(3)
    kinds = np.repeat(["track", "album", "artist", "genre"], [TRACKS, ALBUMS, ARTISTS, GENRES])
    first = {kind: int(np.flatnonzero(kinds == kind)[0]) for kind in kinds}
    parts = {"trainIdx1.txt": [], "validationIdx1.txt": [], "testIdx1.txt": []}
    for user in range(USERS):
        items = random.permutation(len(kinds))[: 20 + user % 7]
        rows = [
            f"{item}\t{10 * random.integers(0, 11)}\t{1000 + position}\t12:{position:02}:00"
            for position, item in enumerate(items)
        ]
        unrated = ["\t".join(row.split("\t")[::2] + row.split("\t")[3:]) for row in rows[-6:]]
        for name, lines in zip(parts, (rows[:-10], rows[-10:-6], unrated), strict=True):
            parts[name] += [f"{user}|{len(lines)}", *lines]
    albums = random.integers(ALBUMS, size=TRACKS) + first["album"]
    artists = random.integers(ARTISTS, size=len(kinds)) + first["artist"]
    genres = random.integers(GENRES, size=len(kinds)) + first["genre"]
    taxonomy = {
        "trackData1.txt": [
            f"{i}|{albums[i]}|{artists[albums[i]]}|{genres[i]}" for i in range(TRACKS)
        ],
        "albumData1.txt": [
            f"{i}|{artists[i]}|{genres[i]}" for i in np.flatnonzero(kinds == "album")
        ],
        "artistData1.txt": [str(i) for i in np.flatnonzero(kinds == "artist")],
        "genreData1.txt": [str(i) for i in np.flatnonzero(kinds == "genre")],
    }
    folder.mkdir(parents=True)
    for name, lines in {**parts, **taxonomy}.items():
        (folder / name).write_text("\n".join(lines) + "\n")


def test_official_files_give_every_table_and_figure(tmp_path):
    write_track1(tmp_path / "data" / "yahoo-music")
    config = tiny_config("kddcup2011")
    config["datasets"]["yahoo-music"]["quick"] = True
    config["studies"]["kddcup2011-track1"]["methods"] = [
        "observed-only",
        "mf-biased",
        "mf-taxonomy",
    ]
    track2 = config["studies"]["kddcup2011-track2"]
    balanced = ["mf-balanced", "mf-balanced-taxonomy"]
    track2.update(methods=["observed-only", "svd", *balanced])
    track2["search"] = {"observed-only": track2["search"]["observed-only"]}
    stem = "results/kddcup2011/yahoo-music"
    done = snakemake(
        tmp_path, f"{stem}/table1.csv", f"{stem}/figure6.png", f"{stem}/steps.csv", config=config
    )
    assert done.returncode == 0, done.stderr[-5000:]

    sizes = pd.read_csv(tmp_path / stem / "table1.csv").set_index(["method", "measure"])
    official = sizes.loc["official track1"]
    assert official.loc["users", "mean"] == USERS
    assert official.loc["validation", "mean"] == 4 * USERS
    assert official.loc["validation", "published"] == 4_003_960
    # The contest's test items have no ratings: the official validation part is what can be tested.
    assert sizes.loc[("track1", "test"), "mean"] == 4 * USERS

    profile = pd.read_csv(tmp_path / stem / "profile.csv").set_index(["method", "measure"])
    shares = profile.xs("share of items", level="measure")
    assert shares.loc["track", "mean"] == TRACKS / (TRACKS + ALBUMS + ARTISTS + GENRES)
    assert shares.loc["track", "published"] == pytest.approx(0.8115)
    assert profile.loc[("all", "share of multiples of ten"), "mean"] == 1

    steps = pd.read_csv(tmp_path / stem / "steps.csv")
    taxonomy = steps[steps["step"] == "taxonomy"].set_index("measure")["method"]
    assert taxonomy.to_dict() == {
        "rmse": "mf-taxonomy after mf-biased",
        "track2_error": "mf-balanced-taxonomy after mf-balanced",
    }

    methods = set(pd.read_csv(tmp_path / stem / "track1.csv")["method"])
    assert methods == {"observed-only", "mf-biased", "mf-taxonomy", "blend"}
    assert set(pd.read_csv(tmp_path / stem / "figure6.csv")["type"]) == {
        "track",
        "album",
        "artist",
        "genre",
    }
    assert (tmp_path / stem / "figure1.svg").stat().st_size > 0
