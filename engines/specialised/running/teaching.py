"""Teaching: what asks for programs is run until they are written."""

from __future__ import annotations

import warnings
from collections.abc import Callable

import numpy as np

from .entry import Settings


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
