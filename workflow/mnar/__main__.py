"""The front door: python -m mnar COMMAND (or `mnar COMMAND`, where it is installed).

compile      compile all kernels, so that jobs find them
fold-in      recommend to new users, or new items to users, with a stored model
job-state    ask a scheduler what became of a job
"""

import sys
from collections.abc import Sequence

from mnar.commands import compile, fold_in, job_state

COMMANDS = {
    "compile": lambda arguments: compile.main(),
    "fold-in": fold_in.main,
    "job-state": job_state.main,
}


def main(arguments: Sequence[str] | None = None) -> int:
    given = list(sys.argv[1:] if arguments is None else arguments)
    if given and given[0] in COMMANDS:
        return COMMANDS[given[0]](given[1:])
    asked = bool(given) and given[0] in ("-h", "--help")
    print(__doc__.strip(), file=sys.stdout if asked else sys.stderr)
    return 0 if asked else 2


if __name__ == "__main__":
    sys.exit(main())
