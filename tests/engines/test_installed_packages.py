"""Functions of installed packages without rules: refused by the name that is called, before any work."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import pytest
import scipy.interpolate
import scipy.sparse as sp
from scipy import fft, special
from scipy.interpolate import AAA, SmoothSphereBivariateSpline
from scipy.optimize import toms748

import chainrules as cr
from chainrules.engines.following.here import twins

MATRIX = sp.csr_array(np.eye(3))
THETA, PHI = np.repeat(np.linspace(0.3, 2.8, 6), 8), np.tile(np.linspace(0.2, 6.0, 8), 6)
SPHERE = SmoothSphereBivariateSpline(THETA, PHI, np.cos(THETA), s=3.5)
X = np.ones(3)
PROGRAMS: dict[str, tuple[Callable[[Any], Any], Any]] = {
    "scipy.interpolate.AAA": (lambda y: np.sum(AAA(np.linspace(0.0, 1.0, 6), y)(0.3)), np.arange(6.0) ** 2),
    "scipy.interpolate.SmoothSphereBivariateSpline": (
        lambda r: np.sum(SmoothSphereBivariateSpline(THETA, PHI, r, s=3.5)(0.5, 0.5)),
        np.cos(THETA),
    ),
}


@contextmanager
def followed() -> Iterator[set[str]]:
    """The files of the functions in whose place others run, which follow them."""
    found: set[str] = set()

    def noted(frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and id(frame.f_code) in twins:
            found.add(frame.f_code.co_filename)

    before = sys.getprofile()
    sys.setprofile(noted)
    try:
        yield found
    finally:
        sys.setprofile(before)


def ways(f: Callable[[Any], Any]) -> dict[str, Callable[[Any], Any]]:
    """Both modes, by the source and by a tape, and nested."""

    def forward(x: Any, **engine: Any) -> Any:
        return cr.jvp(f, (x,), (np.ones_like(x) if isinstance(x, np.ndarray) else 1.0,), **engine)

    return {
        "reverse": cr.grad(f),
        "forward": forward,
        "nested": cr.grad(lambda x: np.sum(cr.grad(f)(x))),
        "forward over forward": lambda x: cr.jvp(lambda z: cr.jvp(f, (z,), (x,))[1], (x,), (x,)),
        "tape": cr.grad(f, engine="tape"),
        "tape, forward": lambda x: forward(x, engine="tape"),
    }


@pytest.mark.parametrize("name", PROGRAMS)
def test_refused_by_the_name_that_is_called(name: str) -> None:
    f, x = PROGRAMS[name]
    f(x)
    package = str(Path(scipy.interpolate.__file__).parent)
    for way, call in ways(f).items():
        with pytest.raises(cr.NoRuleError) as refused, followed() as files:
            call(x)
        assert not [file for file in files if file.startswith(package)], way
        assert way.startswith("tape") or __file__ in files
        what, shown = str(refused.value).split("\n")[0], str(refused.value)
        assert what.removesuffix(".__init__").startswith(f"{name} has no rule") or "tape" in way
        assert name in what
        assert f"`chainrules coverage {'.'.join(name.split('.')[:2])}`" in shown
        assert f"rule({name}" in shown
        assert __file__ in shown


def test_operators_of_frames() -> None:
    pd = pytest.importorskip("pandas")
    df = pd.DataFrame({"x": [1.0, 2.0, 3.0]})
    programs: dict[str, Callable[[Any], Any]] = {
        "pandas.Series.__rmul__": lambda beta: (beta[0] * df["x"]).sum(),
        "pandas.Series.__mul__": lambda beta: np.sum((df["x"] * beta[0]).to_numpy()),
        "pandas.DataFrame.__rmul__": lambda beta: (beta[0] * df).to_numpy().sum(),
    }
    for name, f in programs.items():
        for call in ways(f).values():
            with pytest.raises(cr.NoRuleError, match=rf"^{name} has no rule"):
                call(np.array([2.0, 3.0]))
    f = lambda beta: np.sum(beta[0] * df["x"].to_numpy())  # noqa: E731
    assert np.array_equal(cr.grad(f)(np.array([2.0, 3.0])), [6.0, 0.0])


def test_a_matrix_to_the_right() -> None:
    for way, call in ways(lambda x: np.sum((x @ MATRIX) ** 2)).items():
        if "tape" in way:  # it is Python that asks the right operand, inside of the package
            with pytest.raises(cr.NoRuleError, match="csr_array"):
                call(X)
            continue
        got = call(X)
        assert np.allclose(got[1] if isinstance(got, tuple) else got, 6.0 if "forward" in way else 2.0)


UNARY = [f for f in vars(special).values() if isinstance(f, np.ufunc) and (f.nin, f.nout) == (1, 1)]
WITHOUT = [f for f in UNARY if not cr.rules_for(f).reverse and not cr.rules_for(f).non_differentiable]


@pytest.mark.skipif(not WITHOUT, reason="every function of one number in scipy.special has a rule")
def test_ufuncs_without_rules() -> None:
    f = WITHOUT[0]
    name = rf"scipy\.special\.{f.__name__}"
    for call in ways(lambda x: f(x)).values():
        with pytest.raises(cr.NoRuleError, match=name) as refused:
            call(0.5)
    with pytest.raises(cr.NoRuleError, match=r"chainrules coverage scipy\.special") as refused:
        cr.grad(lambda x: f(x))(0.5)
    assert f"`chainrules.scalar_rule(scipy.special.{f.__name__}, …)`" in str(refused.value)


def test_calls_that_carry_no_derivative_run_as_they_are() -> None:
    def f(x: Any) -> Any:
        root = toms748(lambda z: z**3 - 8.0, 0.0, 5.0)
        n = fft.next_fast_len(x.shape[0]) + special.comb(x.shape[0], 2, exact=True)
        return np.sum(x**2) * root * n + SPHERE(1.5, 0.5)[0, 0] + (MATRIX @ np.ones(3))[0]

    n = fft.next_fast_len(3) + 3
    for call in (cr.grad(f), cr.grad(f, engine="tape")):
        assert np.allclose(call(X), 2 * X * 2.0 * n)
    assert np.isclose(cr.jvp(f, (X,), (X,))[1], 12 * n)
    assert np.allclose(cr.hessian(f)(X), np.eye(3) * 4 * n)


def test_verify_tells_before_anything_runs() -> None:
    with pytest.raises(cr.NoRuleError, match=r"scipy\.interpolate\.SmoothSphere\w+ has no rule"):
        cr.verify(*PROGRAMS["scipy.interpolate.SmoothSphereBivariateSpline"])


def test_a_dictionary_of_keys_is_a_matrix_and_not_a_container() -> None:
    dok = sp.dok_array((2, 2))
    dok[0, 0] = 1.5
    y, moved = cr.jvp(lambda a: a @ X[:2], (dok,), (dok,))
    np.testing.assert_array_equal(y, [1.5, 0.0])
    np.testing.assert_array_equal(moved, [1.5, 0.0])
    with pytest.raises(cr.NoRuleError, match="iter"):
        cr.jvp(lambda a: sum(v for _, v in a.items()), (dok,), (dok,))


def test_an_iterator_of_arrays_says_what_to_loop_over() -> None:
    def f(x: Any) -> Any:
        t = 0.0
        entries: Any = np.nditer(x)
        for v in entries:
            t += v**2
        return t

    with pytest.raises(cr.NoRuleError, match=r"numpy\.nditer has no rule") as caught:
        cr.grad(f)(np.ones(3))
    assert caught.value.next.startswith("loop over `x.flat`")
    assert caught.value.closest == "`chainrules coverage numpy` lists what has rules"
    assert cr.grad(lambda x: sum([v**2 for v in x.flat]))(np.ones(3)).tolist() == [2.0, 2.0, 2.0]
