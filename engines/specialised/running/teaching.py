"""Teaching: what asks for programs is run until they are written."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from .entry import Settings, stamp

_TRIED = "__chainrules_tried__"


def taught(run: Callable[[], object]) -> bool:
    """Run what asks for programs, which are compared with the ordinary ones; whether nothing was raised."""
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            for _ in range(Settings.runs + 1):
                run()
    except Exception:  # the ordinary rule says what is wrong
        return False
    return True


def taught_once(f: Any, what: Any, run: Callable[[], object]) -> bool:
    """The same where that has not been tried for this of f; False where it has."""
    tried = f.__dict__.setdefault(_TRIED, set())
    if (stamp(), what) in tried:
        return False
    tried.add((stamp(), what))
    return taught(run)
