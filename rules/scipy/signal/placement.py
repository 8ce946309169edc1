"""Feedback that moves the poles of a system, `place_poles`, by matrices and poles, for one input.

With one input the gain is unique where the poles are distinct: det(s − A + B K) = Π (s − p). What SciPy
finds is a root of that, differentiated implicitly. With several inputs many gains move the poles to the
same places, and where SciPy's iteration stops among them is no function of the data: refused by name.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import signal

from ....core import UnsupportedArgument, implicit, non_differentiable
from ...written import own, written_out
from ..results import with_attributes
from .conversions import polynomial
from .systems import characteristic


def one_input(B: Any) -> None:
    """Refuse several inputs."""
    if np.shape(B)[1] != 1:
        raise UnsupportedArgument(
            "scipy.signal.place_poles",
            "B",
            f"with {np.shape(B)[1]} inputs",
            why="many gains move the poles to the same places",
            next="combine the inputs to one, B @ weights, and place the poles by that",
        )


non_differentiable(one_input, why="checks an argument")


def apart(K: Any, A: Any, B: Any, poles: Any) -> Any:
    """What the characteristic polynomial differs by from that of the poles, without its first coefficient"""
    return (characteristic(A - B @ np.reshape(K, (1, -1))) - polynomial(poles))[1:]


@written_out(signal.place_poles)
def place_poles(
    A: np.ndarray, B: np.ndarray, poles: np.ndarray | list | tuple, *, method="YT", rtol=1e-3, maxiter=30
):
    """det(s − A + B K) = Π (s − p)"""
    one_input(B)
    found = own(signal.place_poles, A, B, poles, method, rtol, maxiter)
    wanted = np.asarray(poles)
    K = implicit.root(apart, np.reshape(found.gain_matrix, -1), A, B, wanted)
    return with_attributes(found, ("gain_matrix",), np.reshape(K, (1, -1)))
