"""What every script does around its one call into the library."""

import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, redirect_stderr, redirect_stdout
from pathlib import Path

from mnar.errors import UserError


@contextmanager
def logged(log: str, keep_stderr: bool = False) -> Iterator[None]:
    """Send what is printed to the rule's log; end bad input with one sentence and exit code 1.

    A job that shows progress keeps its standard error on the terminal.
    """
    path = Path(log)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", buffering=1) as stream:
        try:
            other = nullcontext() if keep_stderr else redirect_stderr(stream)
            with redirect_stdout(stream), other:
                yield
        except UserError as error:
            print(f"Error: {error}", file=stream)
            sys.exit(1)
        except Exception:
            traceback.print_exc(file=stream)
            sys.exit(1)
