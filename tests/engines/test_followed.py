"""What is followed of installed packages: each function of the list is checked, and no other is followed."""

import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np
import pytest
from numpy.polynomial import Chebyshev, chebyshev, hermite, hermite_e, laguerre, legendre, polynomial
from scipy.signal import StateSpace, dlti, lti
from scipy.stats import Covariance

import chainrules as cr
from chainrules.core import installed
from chainrules.core.callables import name_of
from chainrules.engines.following import twins
from chainrules.testing import check_grads

C, X = np.array([1.0, -0.5, 0.3]), np.array([0.2, 0.7, 0.9])
TIMES = np.linspace(0.0, 1.0, 3)
BASES: dict[str, Any] = {
    "poly": polynomial,
    "cheb": chebyshev,
    "leg": legendre,
    "herm": hermite,
    "herme": hermite_e,
    "lag": laguerre,
}
SERIES: dict[str, Callable[..., Any]] = {
    "val": lambda f, c, x: f(x, c),
    "der": lambda f, c, x: f(c**2, 2) * x[:1],
    "int": lambda f, c, x: f(c, 2, [1.0, 2.0])[1:4] * x,
    "vander": lambda f, c, x: f(x, 2) * c,
    "fit": lambda f, c, x: f(x, c, 1),
}
PROGRAMS: dict[str, Callable[..., Any]] = {
    f"{basis}{name}": partial(program, getattr(module, basis + name))
    for basis, module in BASES.items()
    for name, program in SERIES.items()
} | {
    "joined": lambda c, x: np.r_[c, 0.5, x[:1]] @ np.c_[x, c**2].reshape(-1)[:5],
    "poly1d": lambda c, x: np.poly1d(c)(x),
    "poly1d.deriv": lambda c, x: np.poly1d(c).deriv()(x),
    "poly1d.integ": lambda c, x: np.poly1d(c).integ()(x),
    "poly1d.roots": lambda c, x: np.abs(np.poly1d(c).roots) * x[:2],
    "Chebyshev": lambda c, x: Chebyshev(c, [0.0, 2.0])(x),
    "Chebyshev.deriv": lambda c, x: Chebyshev(c, [0.0, 2.0]).deriv()(x),
    "Chebyshev.integ": lambda c, x: Chebyshev(c).integ()(x),
    "Chebyshev.fit": lambda c, x: Chebyshev.fit(x, c, 1)(0.4),
    "lti.impulse": lambda c, x: lti(c, 1.0 + x).impulse(T=TIMES)[1],
    "lti.step": lambda c, x: lti(c, 1.0 + x).step(T=TIMES)[1],
    "lti.output": lambda c, x: lti(c, 1.0 + x).output(x, TIMES)[1],
    "lti.bode": lambda c, x: lti(c, 1.0 + x).bode(x)[1:],
    "lti.freqresp": lambda c, x: abs(lti(c, 1.0 + x).freqresp(x)[1]),
    "dlti.impulse": lambda c, x: dlti(c, 1.0 + x, dt=0.5).impulse(n=3)[1],
    "dlti.step": lambda c, x: dlti(c, 1.0 + x, dt=0.5).step(n=3)[1],
    "dlti.output": lambda c, x: dlti(c, 1.0 + x, dt=0.5).output(x, None)[1],
    "dlti.bode": lambda c, x: dlti(c, 1.0 + x, dt=0.5).bode(x)[1:],
    "dlti.freqresp": lambda c, x: abs(dlti(c, 1.0 + x, dt=0.5).freqresp(x)[1]),
    "zeros": lambda c, x: abs(lti(c, 1.0 + x).zeros),
    "poles": lambda c, x: abs(lti(c, 1.0 + x).poles),
    "sums": lambda c, x: matrices(system(c, x) + system(x, c) + 2.0 * c[0] - system(c, c)),
    "products": lambda c, x: matrices(system(c, x) * system(x, c) * c[0] / c[1]),
    "diagonal": lambda c, x: says(Covariance.from_diagonal(x), c),
    "precision": lambda c, x: says(Covariance.from_precision(np.diag(x) + 0.1 * np.outer(x, x)), c),
    "cholesky": lambda c, x: says(Covariance.from_cholesky(np.diag(x) + np.tril(np.outer(x, x))), c),
    "eigenpairs": lambda c, x: says(Covariance.from_eigendecomposition((x, np.outer(c, x) + np.eye(3))), c),
    "operators of a mixin": lambda c, x: operated(c, x),
    "from the left": lambda c, x: matrices(c[0] - (c[1] + c[0] * -system(c, x))),
}


class Own(np.lib.mixins.NDArrayOperatorsMixin):
    """An array of a class of its own."""

    def __init__(self, v: Any) -> None:
        self.v = v

    def __array_ufunc__(self, ufunc: Any, method: str, *x: Any, out: Any = None) -> Any:
        return Own(getattr(ufunc, method)(*(a.v if isinstance(a, Own) else a for a in x)))


def operated(c: Any, x: Any) -> Any:
    """Operators of all four kinds."""
    a: Any = Own(c)
    b = 2.0 * -a + a * x
    b -= x
    return b.v


def system(c: Any, x: Any) -> StateSpace:
    """Two states, one input, one output."""
    return StateSpace(np.diag(c[:2]), np.reshape(x[:2], (2, 1)), np.reshape(c[1:], (1, 2)), x[2])


def says(made: Covariance, x: Any) -> tuple[Any, ...]:
    """What an object says of its matrix, and does to points."""
    return made.covariance, made.log_pdet, made.whiten(x), made.colorize(np.stack((x, 2.0 * x)))


def matrices(made: StateSpace) -> tuple[Any, ...]:
    """What it holds."""
    return made.A, made.B, made.C, made.D


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_is_followed_agrees_with_differences(name: str) -> None:
    check_grads(PROGRAMS[name], C, X, order=1)


def followed(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Those functions of installed packages that run with sites in the programs."""
    found = set[str]()
    make = twins._made

    def noted(f: FunctionType) -> Any:
        if installed.is_installed(f):
            found.add(f"{f.__globals__['__name__']}.{f.__code__.co_qualname}")
        return make(f)

    monkeypatch.setattr(twins, "_made", noted)
    twins._twins.clear()
    for f in PROGRAMS.values():
        cr.jvp(f, (C, X), (C, X))
    return found


DASK = """
import dask.array as da, numpy as np
import chainrules as cr
from chainrules.core import installed
from chainrules.engines.following import twins

make = twins._made

def noted(f):
    if installed.is_installed(f) and "<locals>" not in f.__code__.co_qualname:
        print(f"{f.__globals__['__name__']}.{f.__code__.co_qualname}")
    return make(f)

twins._made = noted

def squares(x):
    return sum(row.sum() * row[0] for row in x)

x = np.arange(6.0).reshape(3, 2)
expected = np.stack([2 * x[:, 0] + x[:, 1], x[:, 0]], axis=1)
assert np.allclose(cr.grad(squares)(da.from_array(x, chunks=2)), expected)
"""


def test_every_function_of_the_list_is_in_a_program(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Dask's in a process of its own: other tests go by the classes that were met."""
    pytest.importorskip("dask.array")
    program = tmp_path / "rows.py"
    program.write_text(DASK)
    done = subprocess.run([sys.executable, str(program)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found = {name.partition(".<locals>")[0] for name in followed(monkeypatch)} | set(done.stdout.split())
    assert found == installed.allowed().keys()


def test_zero_coefficients_are_dropped_so_products_are_refused() -> None:
    """`lagfromroots` multiplies 0 + 1·L₁ at the root 1, and NumPy drops what is zero at the moment."""
    with pytest.raises(cr.NoRuleError, match=r"numpy\.polynomial\.laguerre\.lagfromroots has no rule"):
        cr.jacobian(laguerre.lagfromroots)(np.array([1.0, -0.5, 0.3]))
    assert name_of(laguerre.lagfromroots) == "numpy.polynomial.laguerre.lagfromroots"
