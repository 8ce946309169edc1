"""A part of a seed that is missing is refused by name: it is no zero."""

from typing import Any

import numpy as np
import pytest

import chainrules as cr
from chainrules.tangents import MissingDerivativeError, NotImplementedTangent


def lost(x: Any) -> float:
    return float(np.sum(x))


@cr.rrule(lost)
def lost_rrule(x: object):
    def lost_pullback(y_bar):
        return NotImplementedTangent("it is lost")

    return lost(x), lost_pullback


A = np.array([[2.0, 1.0], [1.0, 3.0]])
PARTS: dict[str, tuple[Any, Any, int]] = {
    "eigh": (np.linalg.eigh, A, 1),
    "eig": (np.linalg.eig, A, 1),
    "qr": (np.linalg.qr, A, 0),
    "svd": (np.linalg.svd, A, 2),
    "lstsq": (lambda a: np.linalg.lstsq(a, np.ones(2)), A, 0),
    "split": (lambda a: np.split(a, 2), A, 0),
    "gradient": (np.gradient, A, 0),
    "linspace": (lambda a: np.linspace(a, 5.0, 4, retstep=True), 1.0, 0),
    "its step": (lambda a: np.linspace(a, 5.0, 4, retstep=True), 1.0, 1),
    "divmod": (lambda a: np.divmod(a, 2.0), 1.0, 1),
    "array": (lambda a: (np.array([a, a]), a), 1.0, 0),
}


@pytest.mark.parametrize("name", PARTS)
def test_a_missing_part_is_no_zero(name: str) -> None:
    f, x, place = PARTS[name]

    def program(x):
        parts = [*f(x)]
        total = lost(parts[place])
        for i in range(len(parts)):
            if i != place:
                total = total + np.sum(np.real(parts[i]))
        return total

    with pytest.raises((MissingDerivativeError, cr.NoRuleError), match="it is lost"):
        cr.grad(program)(x)
