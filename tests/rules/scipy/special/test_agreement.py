"""Where JAX or PyTorch have a function of `scipy.special` and are right, derivatives agree to 1e-9.

A row is a function, its arguments and which of them are differentiated. What an engine does not
differentiate stands in `MISSING`, where it is wrong in `WRONG`; both are held to what happens today. No
function that SciPy and an engine share is left out silently.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any, NamedTuple

import mpmath
import numpy as np
import pytest
from scipy import special
from tests.rules.cases import uniform

import chainrules as cr

TOLERANCE = 1e-9
N, U, S = np.array([0, 1, 3]), np.array([0.2, 0.55, 0.85]), np.array([-2.3, 0.1, 1.4])
X, A, B = np.array([0.4, 1.7, 6.3]), np.array([0.6, 2.3, 7.5]), np.array([1.2, 0.7, 3.1])
WEIGHTS = uniform(3, low=-2.0, high=2.0)


class Row(NamedTuple):
    """A function by its name, and where it is differentiated by which arguments."""

    name: str
    x: tuple[Any, ...]
    moved: tuple[int, ...]


ONE_ARGUMENT = {
    "dawsn erf erfc erfcx exp2 expi expit expm1 fresnel gamma gammaln i0 i0e i1 i1e log_ndtr": S,
    "log_softmax logsumexp ndtr sici sinc softmax wofz digamma psi": S,
    "entr exp1 factorial log1p loggamma spence": X,
    "erfinv erfcinv logit ndtri": U,
}
ROWS = [
    *(Row(name, (x,), (0,)) for names, x in ONE_ARGUMENT.items() for name in names.split()),
    Row("log_ndtr", (8 * S,), (0,)),
    Row("gammaln", (100 * X,), (0,)),
    Row("beta", (A, B), (0, 1)),
    Row("betainc", (A, B, U), (0, 1, 2)),
    Row("betaln", (A, B), (0, 1)),
    Row("boxcox", (X, S), (0, 1)),
    Row("boxcox1p", (X, S), (0, 1)),
    Row("comb", (A + 3, B), (0, 1)),
    Row("expn", (N + 1, X), (1,)),
    Row("gammainc", (A, X), (0, 1)),
    Row("gammaincc", (A, X), (0, 1)),
    Row("hyp1f1", (A, B, S), (2,)),
    Row("hyp2f1", (A, B, B + 1.3, S / 3), (3,)),
    Row("kl_div", (X, A), (0, 1)),
    Row("multigammaln", (A + 3, 3), (0,)),
    Row("owens_t", (S, A), (0, 1)),
    Row("poch", (A, B), (0, 1)),
    Row("polygamma", (N, X), (1,)),
    Row("rel_entr", (X, A), (0, 1)),
    Row("sph_harm_y", (N, np.array([0, 1, -2]), X / 3, A / 3), (2, 3)),
    Row("xlog1py", (S, X), (0, 1)),
    Row("xlogy", (S, X), (0, 1)),
    Row("zeta", (A + 1, B), (0, 1)),
]
MISSING = {
    ("jax", "betainc", 0): "not supported",
    ("jax", "betainc", 1): "not supported",
    ("torch", "gammainc", 0): "is not implemented",
    ("torch", "gammaincc", 0): "is not implemented",
    ("torch", "zeta", 0): "is not implemented",
}
"""Arguments by which an engine refuses to differentiate, and how it says so."""

WRONG = {("jax", "spence"): "nan between 1.5 and 2"}
NOT_COMPARED = {"bernoulli": "has whole numbers alone", "gammasgn": "is a step", "round": "is a step"}
LIBRARIES = {"jax": "jax.scipy.special", "torch": "torch.special"}
PAIRS = [
    pytest.param(engine, row, id=f"{engine} {row.name} {k}")
    for engine, library in LIBRARIES.items()
    for k, row in enumerate(ROWS)
    if find_spec(engine) and hasattr(import_module(library), row.name)
]


def total(xp: Any, y: Any) -> Any:
    """A real number in which every entry has its weight, imaginary parts and further outputs too."""
    if isinstance(y, tuple | list):
        return sum((k + 1) * total(xp, part) for k, part in enumerate(y))
    if "complex" in str(y.dtype):
        return total(xp, xp.real(y)) + 2 * total(xp, xp.imag(y))
    return xp.sum(y * xp.asarray(WEIGHTS))


def by_jax(row: Row, moved: tuple[int, ...]) -> Any:
    jax: Any = import_module("jax")
    f = getattr(jax.scipy.special, row.name)

    def of_moved(v: tuple[Any, ...]) -> Any:
        x = list(row.x)
        for i, a in zip(moved, v, strict=True):
            x[i] = a
        return total(jax.numpy, f(*x))

    with jax.enable_x64(True):
        return jax.jit(jax.grad(of_moved))(tuple(row.x[i] for i in moved))


def by_torch(row: Row, moved: tuple[int, ...]) -> Any:
    torch: Any = import_module("torch")
    x = [torch.tensor(v) if isinstance(v, np.ndarray) else v for v in row.x]
    for i in moved:
        x[i].requires_grad_()
    f = getattr(torch.special, row.name)
    if row.name in ("softmax", "log_softmax", "logsumexp"):
        y = f(x[0], 0)
    elif row.name == "polygamma":
        y = torch.stack([f(int(n), v) for n, v in zip(row.x[0], x[1], strict=True)])
    else:
        y = f(*x)
    return torch.autograd.grad(total(torch, y), [x[i] for i in moved])


BY = {"jax": by_jax, "torch": by_torch}


@pytest.mark.parametrize(("engine", "row"), PAIRS)
def test_derivatives_agree(engine: str, row: Row) -> None:
    f = getattr(special, row.name)
    moved = tuple(i for i in row.moved if (engine, row.name, i) not in MISSING)
    found = cr.grad(lambda *x: total(np, f(*x)), moved)(*row.x)
    for i, a, b in zip(moved, found, BY[engine](row, moved), strict=True):
        agree = np.allclose(a, b, rtol=TOLERANCE, atol=0)
        assert agree == ((engine, row.name) not in WRONG), f"argument {i}: ours {a}, theirs {b}"


@pytest.mark.parametrize(("engine", "name", "i"), MISSING)
def test_what_an_engine_refuses(engine: str, name: str, i: int) -> None:
    pytest.importorskip(engine, reason=f"{engine} is not installed: chainrules[{engine}]")
    row = next(row for row in ROWS if row.name == name)
    with pytest.raises((ValueError, NotImplementedError), match=MISSING[engine, name, i]):
        BY[engine](row, (i,))


@pytest.mark.parametrize("engine", LIBRARIES)
def test_nothing_that_is_shared_is_left_out(engine: str) -> None:
    pytest.importorskip(engine, reason=f"{engine} is not installed: chainrules[{engine}]")
    offered = {name for name in dir(import_module(LIBRARIES[engine])) if name[0] != "_"}
    shared = {name for name in offered if callable(getattr(special, name, None))}
    assert shared - NOT_COMPARED.keys() == {row.name for row in ROWS} & offered


@pytest.mark.parametrize("x", [1.6, 1.75, 1.9])
def test_spence_where_jax_gives_nan(x: float) -> None:
    """Li₂(1 − x)' = log x / (1 − x)"""
    assert cr.grad(special.spence)(x) == pytest.approx(np.log(x) / (1 - x), rel=1e-13)


@pytest.mark.parametrize("x", [-20.0, -23.0, -40.0])
def test_the_logarithm_of_a_far_tail_where_jax_loses_half_the_digits(x: float) -> None:
    """(log Φ)' = φ/Φ, by mpmath at 50 digits; JAX's is off by 4e-9 at −20"""
    with mpmath.workdps(50):
        expected = float(mpmath.npdf(x) / mpmath.ncdf(x))
    assert cr.grad(special.log_ndtr)(x) == pytest.approx(expected, rel=1e-14)
