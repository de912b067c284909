"""The front door: python -m mnar COMMAND (or `mnar COMMAND`, where it is installed).

evaluate       measure scores in a file, or two with their difference
compile        compile all kernels, so that jobs find them
fold-in        recommend to new users, or new items to users, with a stored model
job-state      ask a scheduler for the state of a job
list-targets   list targets, datasets, tables and figures
record         keep the results of a run on all placed datasets, or compare a run with them
pictures       take the pictures in docs/ from the results of the default run
recorded-pages write the numbers of README.md and docs/ from recorded results
"""

import os
import sys
from collections.abc import Sequence
from importlib import import_module

# A scheduler's jobs are asked for every few seconds: only the module of a command is loaded.
COMMANDS = (
    *("compile", "evaluate", "fold-in", "job-state", "list-targets", "pictures", "record"),
    "recorded-pages",
)


def main(arguments: Sequence[str] | None = None) -> int:
    given = list(sys.argv[1:] if arguments is None else arguments)
    if given and given[0] in COMMANDS:
        command = import_module(f"mnar.commands.{given[0].replace('-', '_')}")
        try:
            code = command.main(given[1:])
            sys.stdout.flush()
        except BrokenPipeError:
            # Who reads has seen enough; Python must not try to write the rest at its end.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 0
        return code
    asked = bool(given) and given[0] in ("-h", "--help")
    print(__doc__.strip(), file=sys.stdout if asked else sys.stderr)
    return 0 if asked else 2


if __name__ == "__main__":
    sys.exit(main())
