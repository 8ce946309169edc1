"""Functions whose source cannot be had: the tape engine takes over, and says so once for each.

So it is for what was typed at a plain prompt, passed to `python -c`, or run from text. The whole function
that is differentiated then runs on the tape, also where only something that it calls has no source: what
ran before that was found out runs again. A file that changed since it was loaded is no such case, nor is
source that is not supported; both are refused.
"""

from __future__ import annotations

import warnings
from types import CodeType
from typing import Any

from ...tape import engine as tape
from ...warned import user_level
from .locate import NoText

_said: set[CodeType] = set()


class NoSourceWarning(UserWarning):
    """A function is differentiated by the tape engine, because its source cannot be had."""


def taking_over(missing: NoText) -> Any:
    """The engine that differentiates in place of the source engine."""
    code = missing.code
    if code not in _said:
        _said.add(code)
        warnings.warn(
            f"{missing.what}, so the tape engine differentiates it\n"
            f"  {code.co_filename}:{code.co_firstlineno}\n"
            '  next: put it into a file or a notebook, or ask for this with engine="tape"',
            NoSourceWarning,
            stacklevel=user_level(),
        )
    return tape
