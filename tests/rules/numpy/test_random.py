"""Random numbers as functions of location and scale: the numbers drawn, and their derivatives."""

from typing import Any

import numpy as np
import pytest
from tests.rules.cases import normal

import chainrules as cr
from chainrules.rules.numpy.random import GENERATORS
from chainrules.testing import exempt

EXEMPT = [
    exempt(getattr(P, name), why="draws anew at each call; the programs of test_random fix the seed")
    for P in GENERATORS
    for name in (
        "normal",
        "laplace",
        "logistic",
        "gumbel",
        "uniform",
        "lognormal",
        "exponential",
        "rayleigh",
        "gamma",
    )
]
LOC, SCALE = np.array([1.0, -2.0]), np.array([0.5, 2.0])
NAMES = {
    "normal": (LOC, SCALE), "laplace": (LOC, SCALE), "logistic": (LOC, SCALE), "gumbel": (LOC, SCALE),
    "uniform": (LOC, LOC + SCALE), "lognormal": (LOC, SCALE), "exponential": (SCALE,), "rayleigh": (SCALE,),
}  # fmt: skip


def generator(make: Any) -> Any:
    return make(3)


cr.non_differentiable(generator, why="makes a generator")


@pytest.mark.parametrize("make", [np.random.default_rng, np.random.RandomState])
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("size", [None, (3, 2)])
def test_what_is_drawn_moves_with_the_parameters(make: Any, name: str, size: Any) -> None:
    def program(x: Any) -> Any:
        rng = generator(make)
        if name == "exponential":
            return rng.exponential(x[0], size) ** 2
        if name == "rayleigh":
            return rng.rayleigh(x[0], size) ** 2
        return getattr(rng, name)(x[0], x[1], size=size) ** 2

    x = np.stack(NAMES[name])
    w, v = normal(*np.shape(program(x)), seed=5), normal(*x.shape, seed=6)
    drawn, pullback = cr.vjp(program, x)
    np.testing.assert_allclose(drawn, program(x), rtol=1e-14)
    slope = (program(x + 1e-6 * v) - program(x - 1e-6 * v)) / 2e-6
    assert np.sum(cr.materialize(pullback(w)[0], like=x) * v) == pytest.approx(np.sum(w * slope), rel=1e-6)
    np.testing.assert_allclose(cr.jvp(program, (x,), (v,))[1], slope, rtol=1e-6)


def test_gamma_moves_with_its_scale_and_refuses_its_shape() -> None:
    def program(shape: float, scale: float) -> Any:
        return generator(np.random.default_rng).gamma(shape, scale)

    assert cr.grad(program, 1)(2.0, 3.0) == pytest.approx(program(2.0, 1.0))
    with pytest.raises(cr.ChainRulesError, match="shape"):
        cr.grad(program, 0)(2.0, 3.0)


def test_counts_are_refused() -> None:
    with pytest.raises(cr.NoRuleError, match="poisson"):
        cr.grad(lambda x: 1.0 * generator(np.random.default_rng).poisson(x))(2.0)


@pytest.mark.parametrize(
    ("name", "args", "size"),
    [("normal", (0.0, -1.0), None), ("uniform", (1.0, 0.0), 2),
     ("lognormal", (0.0, -1.0), 3), ("gamma", (1.0, -1.0), None), ("normal", (np.zeros(3), 1.0), (1,))],
)  # fmt: skip
def test_numpy_refuses_what_it_refuses(name: str, args: Any, size: Any) -> None:
    def program(*x: Any) -> Any:
        return getattr(generator(np.random.default_rng), name)(*x, size=size)

    for run in (program, lambda *x: cr.vjp(program, *x), lambda *x: cr.jvp(program, x, (cr.Zero(), *x[1:]))):
        with pytest.raises(ValueError, match=r"< 0|compatible"):
            run(*args)
