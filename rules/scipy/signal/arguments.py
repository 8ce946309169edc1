"""The shapes of arguments that SciPy documents; others, and empty ones, are refused by name.

SciPy's functions take more than they say: they answer to empty signals with empty results, and broadcast
what they call lists by accident. No rule follows them there.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....core import UnsupportedArgument, non_differentiable


def refuse_empty(name: str, **given: Any) -> None:
    """Refuse arguments without entries."""
    for argument, x in given.items():
        if np.size(x) == 0:
            raise UnsupportedArgument(f"scipy.signal.{name}", argument, np.shape(x), why="it is empty")


def refuse_number(name: str, x: Any) -> None:
    """Refuse a signal without axes."""
    if np.ndim(x) == 0:
        raise UnsupportedArgument(f"scipy.signal.{name}", "x", np.shape(x), why="it has no axis")


def refuse_axes(name: str, **given: Any) -> None:
    """Refuse arguments with several axes, which have to be lists."""
    for argument, x in given.items():
        if np.ndim(x) > 1:
            raise UnsupportedArgument(f"scipy.signal.{name}", argument, np.shape(x), why="it is no list")


def refuse_complex(name: str, **given: Any) -> None:
    """Refuse complex arguments, of which SciPy drops the imaginary parts."""
    for argument, x in given.items():
        if np.iscomplexobj(x):
            raise UnsupportedArgument(f"scipy.signal.{name}", argument, "complex", why="it has to be real")


def refuse_other_sections(name: str, sos: Any) -> None:
    """Refuse what are no sections, with six coefficients each."""
    if np.ndim(sos) != 2 or np.shape(sos)[1] != 6 or len(sos) == 0:
        raise UnsupportedArgument(
            f"scipy.signal.{name}", "sos", np.shape(sos), why="sections have six coefficients each"
        )


non_differentiable(
    refuse_empty,
    refuse_number,
    refuse_axes,
    refuse_complex,
    refuse_other_sections,
    why="checks arguments",
)
