"""How a manager that was entered is left while an error of our own goes out of it."""

from __future__ import annotations

import sys
from typing import Any


def left(manager: Any) -> None:
    """Leave a manager that was entered, as it is written, while an error of our own goes out of it.

    What a refused `__exit__` had done by then may be done twice; what fails then is told beside the error.
    """
    kind, error, traceback = sys.exc_info()
    try:
        type(manager).__exit__(manager, kind, error, traceback)
    except Exception as failed:
        if error is not None:
            error.add_note(f"  leaving {type(manager).__name__} then raised {failed!r}")
