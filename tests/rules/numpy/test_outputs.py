"""Functions that write their value into an array, in programs, against differences."""

from typing import Any

import numpy as np
import pytest
from tests.rules.cases import normal, rrule_of

import chainrules as cr
from chainrules.core import UnsupportedArgument
from chainrules.core.registry import registered
from chainrules.rules.numpy.outputs import FUNCTIONS
from chainrules.testing import exempt

EXEMPT = [
    exempt(r.f, *m.signature.types, why="takes out by name, in the programs of test_outputs")
    for r in registered()
    if r.f in FUNCTIONS
    for m in r.methods["reverse"]
    if m.mutates
]
KEPT = [True, False, True, True]
ARGUMENTS: dict[str, Any] = {
    "take": lambda x: (x, [0, 2, 0]),
    "dot": lambda x: (x, normal(3, 2)),
    "matmul": lambda x: (x, normal(3, 2)),
    "outer": lambda x: (x, normal(2)),
    "compress": lambda x: (KEPT, x),
    "concatenate": lambda x: ([x, x * x],),
    "stack": lambda x: ([x, x * x],),
    "multi_dot": lambda x: ([x, normal(3, 2), normal(2, 2)],),
    "percentile": lambda x: (x, 40.0),
    "quantile": lambda x: (x, [0.1, 0.7]),
    "nanpercentile": lambda x: (x, 40.0),
    "nanquantile": lambda x: (x, 0.4),
    "vecdot": lambda x: (x, normal(2, 3)),
    "matvec": lambda x: (x, normal(3)),
    "vecmat": lambda x: (x, normal(3, 2)),
    "irfft": lambda x: (x + 1j * x * x,),
    "irfft2": lambda x: (x + 1j * x * x,),
    "irfftn": lambda x: (x + 1j * x * x,),
    "cumulative_sum": lambda x: (np.reshape(x, -1),),
    "cumulative_prod": lambda x: (np.reshape(x, -1),),
}


@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: getattr(f, "__qualname__", f.__name__))
def test_what_is_written_has_the_derivative_of_the_value(f: Any) -> None:
    arguments = ARGUMENTS.get(f.__name__, lambda x: (x,))
    like = f(*arguments(normal(2, 3)))

    def program(x: Any) -> Any:
        a = np.ones_like(like)
        given = arguments(x)
        if len(given) == 1:
            f(given[0], out=a)
        else:
            f(given[0], given[1], out=a)
        return np.sum(np.abs(a) ** 2)

    x, v = normal(2, 3), normal(2, 3, seed=1)
    slope = (program(x + 1e-6 * v) - program(x - 1e-6 * v)) / 2e-6
    assert np.sum(cr.grad(program)(x) * v) == pytest.approx(slope, rel=1e-6, abs=1e-8)
    moved = cr.materialize(cr.jvp(program, (x,), (v,))[1], like=0.0)
    assert moved == pytest.approx(slope, rel=1e-6, abs=1e-8)


def test_out_may_be_an_argument() -> None:
    def program(x: Any) -> Any:
        a = x * 1.0
        np.cumprod(a, out=a)
        return np.sum(a)

    x = np.array([2.0, 3.0, 4.0])
    np.testing.assert_allclose(cr.grad(program)(x), [16.0, 10.0, 6.0])


def test_none_is_no_array() -> None:
    np.testing.assert_array_equal(rrule_of(np.sum, np.ones(2), out=None)[1](1.0)[0], [1.0, 1.0])


def test_an_array_of_another_shape_is_refused() -> None:
    with pytest.raises(UnsupportedArgument, match="out"):
        rrule_of(np.cumsum, np.ones(2), out=np.ones(3))
