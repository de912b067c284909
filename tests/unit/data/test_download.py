"""Downloads over HTTP from loopback: the right file or none, and a sentence that says why."""

import errno
import hashlib
import os
import resource
import subprocess
import threading
import time
import zipfile
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO

import pytest

from mnar.core.errors import UserError
from mnar.data.download import fetch, obtain
from mnar.data.prepare import prepare

CONTENT = b"1::2::3::4\n" * 50_000
SHA256 = hashlib.sha256(CONTENT).hexdigest()
PAGE = b"<!DOCTYPE html>\n<html><body>Please log in</body></html>"


class _Handler(BaseHTTPRequestHandler):
    """Plays the paths below; `server.calls` says how often each was asked for."""

    def log_message(self, *_):
        pass

    def do_GET(self):
        calls = self.server.calls
        calls[self.path] = calls.get(self.path, 0) + 1
        play = {
            "/good.dat": self.give,
            "/bad.dat": lambda: self.give(CONTENT[:-1] + b"x"),
            "/empty.dat": lambda: self.give(b""),
            "/short.dat": lambda: self.give(CONTENT, sent=len(CONTENT) // 2),
            "/once-short.dat": lambda: self.give(
                CONTENT, sent=len(CONTENT) // 2 if calls[self.path] == 1 else None
            ),
            "/busy-once.dat": lambda: self.give() if calls[self.path] > 1 else self.send_error(503),
            "/busy.dat": lambda: self.send_error(503),
            "/forbidden.dat": lambda: self.send_error(403),
            "/moved.dat": lambda: self.redirect("/good.dat"),
            "/circle.dat": lambda: self.redirect("/circle.dat"),
            "/login.dat": lambda: self.redirect("/page.html"),
            "/page.html": lambda: self.give(PAGE),
            "/slow.dat": lambda: self.give(CONTENT, pause=0.02),
            "/stalls.dat": lambda: self.give(CONTENT, sent=1000, stall=True),
            "/archive.zip": lambda: self.give(self.server.archive),
        }.get(self.path, lambda: self.send_error(404))
        play()

    def redirect(self, to):
        self.send_response(302)
        self.send_header("Location", to)
        self.end_headers()

    def give(self, content=CONTENT, sent=None, pause=0.0, stall=False):
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        content = content[:sent]
        step = max(1, len(content) // 10)
        for start in range(0, len(content), step):
            self.wfile.write(content[start : start + step])
            time.sleep(pause)
        if stall:
            self.server.stop_stalling.wait(10)
        if sent is not None:
            self.close_connection = True


@pytest.fixture
def server():
    served = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    served.calls = {}
    served.archive = b""
    served.stop_stalling = threading.Event()
    thread = threading.Thread(target=served.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    served.url = f"http://127.0.0.1:{served.server_port}"
    yield served
    served.stop_stalling.set()
    served.shutdown()
    served.server_close()
    thread.join()


def get(server, path, folder, sha256=SHA256, **options):
    options = {"waits": (0.01, 0.01), "timeout": 5.0} | options
    return fetch(server.url + path, sha256, folder / "file.dat", **options)


def assert_nothing_left(folder):
    assert list(folder.iterdir()) == []


def test_right_file(server, tmp_path):
    assert get(server, "/good.dat", tmp_path).read_bytes() == CONTENT
    assert sorted(path.name for path in tmp_path.iterdir()) == [".file.dat.url", "file.dat"]


def test_target_folder_is_made(server, tmp_path):
    assert get(server, "/good.dat", tmp_path / "a" / "b").read_bytes() == CONTENT


def test_without_a_known_checksum(server, tmp_path):
    assert get(server, "/good.dat", tmp_path, sha256=None).read_bytes() == CONTENT


def test_wrong_checksum(server, tmp_path):
    with pytest.raises(UserError, match=f"should be {SHA256}"):
        get(server, "/bad.dat", tmp_path)
    assert_nothing_left(tmp_path)


@pytest.mark.parametrize("sha256", [SHA256, None])
def test_cut_off_transfer(server, tmp_path, sha256):
    with pytest.raises(UserError, match=r"broke off in the middle \(tried 3 times\)"):
        get(server, "/short.dat", tmp_path, sha256=sha256)
    assert server.calls["/short.dat"] == 3
    assert_nothing_left(tmp_path)


def test_cut_off_once(server, tmp_path):
    assert get(server, "/once-short.dat", tmp_path).read_bytes() == CONTENT


@pytest.mark.parametrize(("path", "status"), [("/none.dat", 404), ("/forbidden.dat", 403)])
def test_refusals_are_not_repeated(server, tmp_path, path, status):
    with pytest.raises(UserError, match=f"answered {status}"):
        get(server, path, tmp_path)
    assert server.calls[path] == 1
    assert_nothing_left(tmp_path)


def test_busy_then_success(server, tmp_path):
    assert get(server, "/busy-once.dat", tmp_path).read_bytes() == CONTENT
    assert server.calls["/busy-once.dat"] == 2


def test_always_busy(server, tmp_path):
    with pytest.raises(UserError, match=r"answered 503.*3 times"):
        get(server, "/busy.dat", tmp_path)
    assert_nothing_left(tmp_path)


def test_slow_server(server, tmp_path):
    assert get(server, "/slow.dat", tmp_path, timeout=1.0).read_bytes() == CONTENT


def test_server_that_stalls(server, tmp_path):
    with pytest.raises(UserError, match=r"stalls\.dat sent nothing for 0\.2 s"):
        get(server, "/stalls.dat", tmp_path, timeout=0.2, waits=())
    assert_nothing_left(tmp_path)


def test_nobody_there(server, tmp_path):
    address = "http://127.0.0.1:9/file.dat"
    with pytest.raises(UserError, match="cannot be reached"):
        fetch(address, SHA256, tmp_path / "file.dat", waits=())
    assert_nothing_left(tmp_path)


def test_not_an_address(tmp_path):
    with pytest.raises(UserError, match="is not an address"):
        fetch("somewhere/file.dat", SHA256, tmp_path / "file.dat", waits=())


def test_redirect(server, tmp_path):
    assert get(server, "/moved.dat", tmp_path).read_bytes() == CONTENT


def test_redirect_in_a_circle(server, tmp_path):
    with pytest.raises(UserError, match="redirects"):
        get(server, "/circle.dat", tmp_path, waits=())


@pytest.mark.parametrize("sha256", [SHA256, None])
def test_redirect_to_a_page(server, tmp_path, sha256):
    with pytest.raises(UserError, match="web page"):
        get(server, "/login.dat", tmp_path, sha256=sha256)
    assert_nothing_left(tmp_path)


def test_empty_file(server, tmp_path):
    with pytest.raises(UserError, match="empty file"):
        get(server, "/empty.dat", tmp_path, sha256=None)
    assert_nothing_left(tmp_path)


def test_mirrors_in_order(server, tmp_path):
    mirrors = [server.url + "/bad.dat", server.url + "/good.dat", server.url + "/slow.dat"]
    assert get(server, "/none.dat", tmp_path, mirrors=mirrors).read_bytes() == CONTENT
    assert list(server.calls) == ["/none.dat", "/bad.dat", "/good.dat"]


def test_message_names_every_address(server, tmp_path):
    with pytest.raises(UserError, match=r"none\.dat answered 404.*bad\.dat gave a file"):
        get(server, "/none.dat", tmp_path, mirrors=[server.url + "/bad.dat"])


def test_file_placed_by_hand(server, tmp_path):
    (tmp_path / "file.dat").write_bytes(CONTENT)
    get(server, "/good.dat", tmp_path)
    assert server.calls == {}


def test_wrong_file_placed_by_hand_is_refused_and_left(server, tmp_path):
    (tmp_path / "file.dat").write_bytes(b"mine")
    with pytest.raises(UserError, match="move it away"):
        get(server, "/good.dat", tmp_path)
    assert (tmp_path / "file.dat").read_bytes() == b"mine"
    assert server.calls == {}


def test_another_address_with_the_same_file_name_is_fetched(server, tmp_path):
    get(server, "/page.html", tmp_path, sha256=hashlib.sha256(PAGE).hexdigest())
    assert (tmp_path / "file.dat").read_bytes() == PAGE
    with pytest.raises(UserError, match="came from another address, and nothing is downloaded"):
        get(server, "/good.dat", tmp_path, sha256=None, offline=True)
    assert get(server, "/good.dat", tmp_path, sha256=None).read_bytes() == CONTENT
    get(server, "/good.dat", tmp_path)
    assert server.calls == {"/page.html": 1, "/good.dat": 1}


def test_a_file_that_was_deleted_is_fetched_again(server, tmp_path):
    entry = {
        "download": {"url": server.url + "/good.dat", "sha256": SHA256},
        "files": {"ratings": "good.dat"},
        "format": {"separator": "::", "columns": {"user": 1, "item": 3}},
        "scale": None,
    }
    with pytest.raises(UserError, match="one item only"):
        prepare("it", entry, tmp_path / "data", tmp_path / "out", offline=False)
    (tmp_path / "data" / "good.dat").unlink()
    with pytest.raises(UserError, match=r"good\.dat is not in"):
        prepare("it", entry, tmp_path / "data", tmp_path / "out")
    with pytest.raises(UserError, match="one item only"):
        prepare("it", entry, tmp_path / "data", tmp_path / "out", offline=False)
    assert server.calls == {"/good.dat": 2}


def test_offline(server, tmp_path):
    with pytest.raises(UserError, match="offline"):
        get(server, "/good.dat", tmp_path, offline=True)
    (tmp_path / "file.dat").write_bytes(CONTENT)
    get(server, "/good.dat", tmp_path, offline=True)
    assert server.calls == {}


def test_two_at_once(server, tmp_path):
    problems = []

    def run():
        try:
            get(server, "/slow.dat", tmp_path)
            assert (tmp_path / "file.dat").read_bytes() == CONTENT
        except BaseException as error:  # a thread's failure must reach the test
            problems.append(error)

    threads = [threading.Thread(target=run) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert problems == []
    assert sorted(path.name for path in tmp_path.iterdir()) == [".file.dat.url", "file.dat"]


def test_progress_is_for_terminals_only(server, tmp_path, capfd):
    get(server, "/good.dat", tmp_path)
    assert capfd.readouterr().err == ""


@contextmanager
def _largest_file(size):
    """No file may grow beyond this size: a disk without room, where none can be mounted."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_disk_without_room(server, tmp_path):
    """A real full disk: a small tmpfs where it may be mounted, else what the kernel would say."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(disk)]
    mounted = subprocess.run(mount, capture_output=True, check=False).returncode == 0
    try:
        if mounted:
            with pytest.raises(UserError, match=os.strerror(errno.ENOSPC)):
                get(server, "/good.dat", disk)
        else:
            with _largest_file(64 << 10), pytest.raises(UserError, match="no room"):
                get(server, "/good.dat", disk)
        assert_nothing_left(disk)
    finally:
        if mounted:
            subprocess.run(["umount", str(disk)], check=True)


def _zip(**members):
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return packed.getvalue()


def test_zip_that_climbs_out(server, tmp_path):
    """Members are read by their exact name and never unpacked: nothing can climb anywhere."""
    ratings = b"1::10::5::100\n1::20::4::101\n"
    server.archive = _zip(**{"../evil.dat": b"evil", "ml/ratings.dat": ratings})
    entry = {
        "download": {
            "url": server.url + "/archive.zip",
            "sha256": hashlib.sha256(server.archive).hexdigest(),
        },
        "files": {"ratings": "archive.zip/ml/ratings.dat"},
        "format": {
            "separator": "::",
            "columns": {"user": 1, "item": 2, "rating": 3, "timestamp": 4},
        },
    }
    folder = tmp_path / "data" / "it"
    obtain("it", entry, folder)
    prepare("it", entry, folder, tmp_path / "out")
    found = sorted(path.name for path in tmp_path.rglob("*") if path.is_file())
    written = ["interactions.parquet", "items.parquet", "random.parquet", "summary.json"]
    assert found == sorted([".archive.zip.url", "archive.zip", *written])
