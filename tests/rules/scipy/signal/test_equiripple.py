"""Filters of equal ripples, by edges, gains and weights, against SciPy's own exchanges."""

from typing import Any

import numpy as np
import pytest
from scipy import signal
from tests.rules.cases import case

import chainrules as cr
from chainrules.testing import check_grads, check_rule

LOW = np.array([0.02, 0.13, 0.22, 0.48])
CASES = [
    case(signal.remez, 11, LOW, np.array([1.0, 0.0])),
    case(signal.remez, 12, 20.0 * LOW, np.array([1.0, 0.1]), fs=20.0),
    case(signal.remez, 13, np.array([0.06, 0.44]), np.array([1.0]), type="hilbert"),
]
KINDS = {
    "band-pass": ("bandpass", [0.02, 0.1, 0.17, 0.27, 0.33, 0.47], [0.0, 1.0, 0.2], [1.0, 2.0, 1.0]),
    "low-pass": ("bandpass", LOW, [1.0, 0.0], [1.0, 1.7]),
    "Hilbert": ("hilbert", [0.05, 0.42], [1.0], [1.0]),
    "differentiator": ("differentiator", [0.01, 0.2, 0.3, 0.45], [1.0, 0.0], [1.3, 1.0]),
}


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("numtaps", [11, 12, 24, 25])
def test_by_all_that_varies(kind: str, numtaps: int) -> None:
    name, *data = KINDS[kind]
    check_grads(
        lambda e, d, w: signal.remez(numtaps, e, d, weight=w, type=name), *map(np.array, data), order=1
    )


def test_edges_where_the_spectrum_ends_stay() -> None:
    def taps(edge: Any) -> Any:
        return signal.remez(
            11, np.array([0.0, 0.1, 0.2, 0.5]) + edge * np.array([0.0, 1.0, 0.0, 0.0]), [1.0, 0.0]
        )

    check_grads(taps, 0.0, order=1)
    below_the_first_place = cr.grad(
        lambda low: np.sum(np.abs(signal.remez(12, [low, 0.4], [1.0], type="hilbert")))
    )
    assert below_the_first_place(1e-4) == 0.0


def test_two_sets_of_ripples_are_refused() -> None:
    with pytest.raises(cr.NotDifferentiableError, match="ripples"):
        cr.jacobian(lambda edges: signal.remez(11, edges, [1.0, 0.0]))(
            np.array([0.0, 36 / 192, 60 / 192, 0.5])
        )
