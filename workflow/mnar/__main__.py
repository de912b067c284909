"""The front door: python -m mnar COMMAND (or `mnar COMMAND`, where it is installed).

compile      compile all kernels, so that jobs find them
fold-in      recommend to new users, or new items to users, with a stored model
job-state    ask a scheduler what became of a job
"""

import sys
from collections.abc import Sequence
from importlib import import_module

# A scheduler's jobs are asked for every few seconds: only the module of a command is loaded.
COMMANDS = ("compile", "fold-in", "job-state")


def main(arguments: Sequence[str] | None = None) -> int:
    given = list(sys.argv[1:] if arguments is None else arguments)
    if given and given[0] in COMMANDS:
        command = import_module(f"mnar.commands.{given[0].replace('-', '_')}")
        return command.main(given[1:])
    asked = bool(given) and given[0] in ("-h", "--help")
    print(__doc__.strip(), file=sys.stdout if asked else sys.stderr)
    return 0 if asked else 2


if __name__ == "__main__":
    sys.exit(main())
