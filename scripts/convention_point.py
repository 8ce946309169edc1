"""What a row of the table of conventions is made of."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

NAN = float("nan")
INF = float("inf")


class Point(NamedTuple):
    """A function at a point: what is differentiated, and how the table names it."""

    call: str
    at: str
    f: Callable[..., Any]
    x: tuple[Any, ...]
    torch: Callable[..., Any] | None = None  # where the names of PyTorch differ
    forward: str = ""  # what forward mode gives where it cannot give the same
    part: str = ""  # of SciPy, whose functions stand in the namespace instead of NumPy's
