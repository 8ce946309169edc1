"""The file of typed uses runs; what a checker is told of it, `mypy` says, which reads the tests."""

import numpy as np
from tests.typed import uses


def test_the_uses_run() -> None:
    value, gradient, *rest = uses.uses(np.ones(2), np.array([1.0, 2.0]))
    assert value == 10.0
    assert np.allclose(gradient, [4.0, 16.0])
    assert rest[0] == 2.0
    assert rest[1] == 0.0
    assert np.shape(rest[2]) == (3,)
    assert np.allclose(rest[3], [2.0, 2.0])
