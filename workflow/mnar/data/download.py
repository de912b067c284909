"""Downloads: the right file or none, whatever the server, the network or the disk do."""

import errno
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

import pooch
import requests

from mnar.core.errors import UserError
from mnar.core.files import atomic
from mnar.data import locations
from mnar.data.sources import sha256 as sha256_of

# Seconds before each further attempt at the same address.
WAITS = (1.0, 2.0, 4.0, 8.0)
TIMEOUT = 30.0
_WORTH_ANOTHER_TRY = {408, 425, 429}
_NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


class _Refused(Exception):
    """This address will not give the file, however often it is asked."""


def obtain(name: str, entry: Mapping[str, Any], folder: Path, offline: bool = False) -> Path:
    """The download of a dataset, in its folder: the file that lies there already, or fetched now."""
    target = locations.downloaded(entry, folder)
    if target is None:
        raise UserError(f"Dataset {name!r} has no `download` in the config.")
    download = entry["download"]
    return fetch(
        download["url"], download.get("sha256"), target, download.get("mirrors", ()), offline
    )


def fetch(
    url: str,
    sha256: str | None,
    target: Path,
    mirrors: Sequence[str] = (),
    offline: bool = False,
    waits: Sequence[float] = WAITS,
    timeout: float = TIMEOUT,
) -> Path:
    """Downloads to `target` unless the right file is there; a wrong one that was put there is left alone.

    The file appears under its name only when it is complete and its checksum is right, so any
    number of runs may fetch it at the same time. A file that came from another address is replaced.
    """
    note = target.with_name(f".{target.name}.url")
    if target.exists() and _came_from(note) in (None, url):
        _check_present(target, sha256)
        return target
    if offline:
        found = "came from another address" if target.exists() else "is not there"
        raise UserError(
            f"{target} {found}, and nothing is downloaded in offline mode; "
            f"get it from {url} and put it there."
        )
    failures = []
    for address in (url, *mirrors):
        try:
            with atomic(target, shared=True) as temporary:
                _download(address, temporary, waits, timeout)
                _check_downloaded(temporary, sha256, target.suffix)
            with atomic(note, shared=True) as temporary:
                temporary.write_text(f"{url}\n", encoding="utf-8")
            return target
        except _Refused as refused:
            failures.append(f"{address} {refused}")
        except OSError as error:
            if error.errno in _NO_ROOM:
                raise UserError(
                    f"There is no room for {target.name} in {target.parent} ({error.strerror}); "
                    "make room and run again, nothing was left there."
                ) from error
            raise
    raise UserError(
        f"{target.name} could not be downloaded: {'; '.join(failures)}. "
        f"If you can get it elsewhere, put it into {target.parent}."
    )


def _came_from(note: Path) -> str | None:
    """The address that a file was downloaded from; None where somebody put it there."""
    return note.read_text(encoding="utf-8").strip() if note.exists() else None


def _check_present(target: Path, sha256: str | None) -> None:
    if sha256 is None:
        return
    found = sha256_of(target)
    if found != sha256:
        raise UserError(
            f"{target} is there but is not the right file: its sha256 is {found}, it should be "
            f"{sha256}; move it away to have it downloaded, it has not been touched."
        )


def _download(address: str, temporary: Path, waits: Sequence[float], timeout: float) -> None:
    """One address, as often as it is worth it."""
    transfer = pooch.HTTPDownloader(
        progressbar=sys.stderr.isatty(),
        chunk_size=1 << 16,
        timeout=timeout,
        # Checksums are of the file itself, not of a form that a server compressed on the way.
        headers={"Accept-Encoding": "identity"},
    )
    for wait in (*waits, None):
        try:
            transfer(address, str(temporary), None)
            return
        except requests.exceptions.HTTPError as error:
            answer = cast(requests.Response, error.response)
            reason = f"answered {answer.status_code} {answer.reason}".rstrip()
            if answer.status_code < 500 and answer.status_code not in _WORTH_ANOTHER_TRY:
                raise _Refused(reason) from error
        except (requests.exceptions.InvalidURL, ValueError) as error:
            raise _Refused(f"is not an address ({error})") from error
        except requests.exceptions.ChunkedEncodingError:
            reason = "broke off in the middle"
        except (requests.exceptions.Timeout, requests.exceptions.ConnectionError) as error:
            cause = _innermost(error)
            silent = isinstance(cause, TimeoutError)
            reason = f"sent nothing for {timeout:g} s" if silent else f"cannot be reached ({cause})"
        except requests.exceptions.RequestException as error:
            reason = f"failed ({error})"
        if wait is None:
            raise _Refused(f"{reason} (tried {len(waits) + 1} times)")
        print(f"{address} {reason}: trying again in {wait:g} s", file=sys.stderr)
        time.sleep(wait)


def _innermost(error: BaseException) -> BaseException:
    """The first cause in a chain of wrapped errors."""
    while error.__context__ is not None:
        error = error.__context__
    return error


def _check_downloaded(temporary: Path, sha256: str | None, suffix: str) -> None:
    with temporary.open("rb") as stream:
        head = stream.read(1024).lstrip().lower()
    is_page = head.startswith((b"<!doctype html", b"<html")) and not suffix.startswith(".htm")
    found = sha256_of(temporary)
    if sha256 is None and head and not is_page:
        return
    if found != sha256:
        if is_page:
            raise _Refused("gave a web page (HTML) instead of the file")
        if not head:
            raise _Refused("gave an empty file")
        raise _Refused(f"gave a file with sha256 {found}, it should be {sha256}")
