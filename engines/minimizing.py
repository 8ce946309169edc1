"""`minimize`: a thin front of `scipy.optimize.minimize` for parameters of any structure.

The parameters become a vector for SciPy and their own structure for f; gradients come from here, and products
with the Hessian, or the Hessian, for the methods that ask for them. Which method is good, what its options
are, and what the result says is SciPy's own documentation.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import numpy as np

from ..core.callables import describe
from ..core.engine import Engine
from ..core.errors import NotDifferentiableError, UnsupportedArgument
from ..tangents import materialize, ravel
from .hessians import hessian, hvp
from .operators import value_and_grad

WITHOUT_GRADIENT = ("nelder-mead", "powell", "cobyla", "cobyqa")
WITH_PRODUCTS = ("newton-cg", "trust-ncg", "trust-krylov", "trust-constr")
WITH_HESSIAN = ("dogleg", "trust-exact")


def minimize(
    f: Callable[..., Any],
    params: Any,
    *args: Any,
    method: str = "L-BFGS-B",
    bounds: Any = None,
    tol: float | None = None,
    callback: Callable[[Any, float], Any] | None = None,
    progress: bool = False,
    options: dict[str, Any] | None = None,
    engine: Engine | str | None = None,
) -> Any:
    """The parameters at which `f(params, *args)` is least, near the given ones, by `scipy.optimize.minimize`.

    `params` is a number, an array, or any structure of them: a dict, a list, a dataclass. `bounds` is a pair,
    lower and upper, each a number or like `params`; anything else goes to SciPy as it is. After each step
    `callback(params, value)` is called, and a true answer ends the search. `progress` shows the steps, with
    tqdm where that is installed.

    Shapes:  the result is SciPy's, with `params` in the structure that was given, and `history`, f's value at
             the start and after each step.
    Raises:  UnsupportedArgument where `params` hold no real number or `bounds` are not like them; else as
             `grad`.
    Example: >>> found = minimize(lambda p: (p["a"] - 1.0) ** 2 + p["b"] ** 2, {"a": 3.0, "b": 2.0})
             >>> round(found.params["a"], 3), found.success
             (1.0, True)
    """
    from scipy import optimize

    start, unravel = ravel(params)
    if not start.size or np.iscomplexobj(start):
        raise UnsupportedArgument(
            "minimize",
            "params",
            params,
            why="they hold no real numbers to move",
            next="give a number, an array, or a structure of them, complex numbers as two real ones",
        )
    problem = _Problem(f, unravel, args, engine)
    derivatives = problem.derivatives(method.lower())
    steps = _Steps(problem, callback, progress)
    try:
        result = optimize.minimize(
            problem.value if not derivatives else problem.value_and_gradient,
            start,
            method=method,
            bounds=_flat(bounds, start),
            tol=tol,
            callback=steps,
            options=options,
            **derivatives,
        )
    finally:
        steps.close()
    result.params, result.history = unravel(result.x), steps.history
    return result


class _Problem:
    """f of a vector."""

    def __init__(self, f: Any, unravel: Any, args: tuple[Any, ...], engine: Any) -> None:
        self.f, self.unravel, self.args, self.engine = f, unravel, args, engine
        self.gradient = value_and_grad(f, engine=engine)
        self.last: tuple[Any, float] | None = None
        self.first: float | None = None

    def value(self, v: Any) -> float:
        return self._noted(v, float(self.f(self.unravel(v), *self.args)))

    def value_and_gradient(self, v: Any) -> tuple[float, Any]:
        params = self.unravel(v)
        value, gradient = self.gradient(params, *self.args)
        return self._noted(v, float(value)), ravel(materialize(gradient, like=params))[0]

    def _noted(self, v: Any, value: float) -> float:
        self.last = v.copy(), value
        if self.first is None:
            self.first = value
        return value

    def at(self, v: Any) -> float:
        """f's value, known where it was the last that was asked for."""
        if self.last is not None and np.array_equal(self.last[0], v):
            return self.last[1]
        return float(self.f(self.unravel(v), *self.args))

    def of_vector(self, v: Any) -> Any:
        return self.f(self.unravel(v), *self.args)

    def product(self, v: Any, direction: Any) -> Any:
        return hvp(self.of_vector, np.asarray(v), np.asarray(direction), engine=self.engine)

    def matrix(self, v: Any) -> Any:
        return hessian(self.of_vector, engine=self.engine)(np.asarray(v))

    def derivatives(self, method: str) -> dict[str, Any]:
        """What SciPy is given besides the value."""
        if method in WITHOUT_GRADIENT:
            return {}
        if method in WITH_PRODUCTS:
            return {"jac": True, "hessp": self.product}
        return {"jac": True, "hess": self.matrix} if method in WITH_HESSIAN else {"jac": True}


class _Steps:
    """What happens after each step."""

    def __init__(self, problem: _Problem, callback: Any, progress: bool) -> None:
        self.problem, self.callback, self.progress = problem, callback, progress
        self._after: list[float] = []
        self.bar: Any = None
        if progress and find_spec("tqdm") is not None:
            from tqdm import tqdm

            self.bar = tqdm(desc="minimize", unit="step")

    @property
    def history(self) -> list[float]:
        """f's value at the start and after each step."""
        first = self.problem.first
        return [*([] if first is None else [first]), *self._after]

    def __call__(self, xk: Any, *state: Any) -> bool:
        value = self.problem.at(xk)
        self._after.append(value)
        if self.bar is not None:
            self.bar.set_postfix(value=f"{value:.6g}", refresh=False)
            self.bar.update()
        elif self.progress:
            sys.stderr.write(f"step {len(self._after)}: {value:.6g}\n")
        if self.callback is not None and self.callback(self.problem.unravel(xk.copy()), value):
            raise StopIteration
        return False

    def close(self) -> None:
        """Leave the bar as it is."""
        if self.bar is not None:
            self.bar.close()


def _flat(bounds: Any, start: Any) -> Any:
    """The bounds of the vector, from those of the parameters."""
    if not isinstance(bounds, tuple) or len(bounds) != 2:
        return bounds
    sides = []
    for side in bounds:
        flat = np.full(start.size, side) if np.ndim(side) == 0 and _is_number(side) else ravel(side)[0]
        if flat.shape != start.shape:
            raise UnsupportedArgument(
                "minimize",
                "bounds",
                bounds,
                why=f"{describe(side)} holds {flat.size} numbers and params {start.size}",
                next="give lower and upper bounds, each a number or with the structure of params",
            )
        sides.append(flat)
    return list(zip(*sides, strict=True))


def _is_number(x: Any) -> bool:
    return isinstance(x, int | float | np.number)


def not_differentiated(*given: Any) -> Any:
    """The error where a derivative of what was found is asked for."""
    return NotDifferentiableError(
        "what minimize found is not differentiated: the way to it is no derivative of it",
        closest="scipy.optimize.minimize has a rule, by args and by what the function captured",
        next="call scipy.optimize.minimize, or say by chainrules.implicit which equation the result solves",
    )
