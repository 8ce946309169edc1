"""The command: `chainrules check`, `coverage`, `rules`, `lint`, `profile`.

It is built on click and rich, which the extra `cli` installs and which are imported when it runs.
Exit status 0 where all is well, 1 where something was found, 2 where the question cannot be answered.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from ...core import ChainRulesError


def run(arguments: Sequence[str]) -> int:
    """Run the command with these arguments; the exit status.

    Example: >>> run(["rules", "numpy.argmax"])
             numpy.argmax
               not differentiable: returns indices or counts
             0
    """
    try:
        from .app import command
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in ("click", "rich"):
            raise
        print_error(
            f"the command needs {error.name}, which is not installed\n"
            '  next: pip install "chainrules[cli]", or call chainrules.testing.check_rule from Python'
        )
        return 2
    try:
        status = command.main(list(arguments), prog_name="chainrules", standalone_mode=False)
    except ChainRulesError as error:
        print_error(str(error))
        return 2
    except Exception as error:
        if not hasattr(error, "exit_code"):
            raise
        error.show() if hasattr(error, "show") else None  # click's own: usage, an option, an interrupt
        return int(error.exit_code)
    return int(status or 0)


def print_error(text: str) -> None:
    """An error on the stream for errors."""
    sys.stderr.write(f"chainrules: {text}\n")
