"""How long the random programs run, and what is compared of one of them.

The suite runs the same ones each time. `CHAINRULES_FUZZ=100` runs a hundred times as many, and new ones.
"""

import itertools
import linecache
import os
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from hypothesis import settings

import chainrules as cr

SCALE = int(os.environ.get("CHAINRULES_FUZZ", "1"))
X = np.array([0.317, 0.713, 1.129])
PAIRS: dict[str, Callable[[Any, Any], Any]] = {
    "forward of reverse": lambda f, _: [
        dense(cr.jvp(cr.grad(f), (X.copy(),), (e,))[1], X) for e in np.eye(3)
    ],
    "reverse of reverse": lambda _, g: [
        dense(cr.grad(lambda x, k=k: cr.grad(g)(x)[k])(X), X) for k in range(3)
    ],
    "forward of forward": lambda _, g: [
        [dense(cr.jvp(lambda x, d=d: cr.jvp(g, (x,), (d,))[1], (X,), (e,))[1], 0.0) for d in np.eye(3)]
        for e in np.eye(3)
    ],
    "reverse of forward": lambda _, g: [
        dense(cr.grad(lambda x, d=d: cr.jvp(g, (x,), (d,))[1])(X), X) for d in np.eye(3)
    ],
}
"""Second derivatives of a program, given it and one that does the same and leaves its argument as it is."""
DOCUMENTED = ("a view of the entries that it writes into, with another stride",)
"""What a first derivative refuses: a store that NumPy itself gets wrong."""
NAMED = (cr.ChainRulesError,)
"""What a second derivative may refuse by name."""
ITS_OWN = (NameError, ArithmeticError, LookupError, TypeError, ValueError, AttributeError, StopIteration)
"""What a drawn program may raise by itself."""
_numbers = itertools.count()


def examples(count: int) -> settings:
    """So many random programs, times the scale."""
    return settings(max_examples=count * SCALE, derandomize=SCALE == 1)


def dense(t: Any, like: Any) -> Any:
    return np.asarray(cr.materialize(t, like=like), float)


def function_of(text: str, names: dict[str, Any]) -> Callable[..., Any]:
    """The function `program` that a text defines, its source to be found as if it stood in a file."""
    filename = f"<random program {next(_numbers)}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    namespace = dict(names, __name__="random_programs")
    exec(compile(text, filename, "exec"), namespace)
    f: Callable[..., Any] = namespace["program"]
    return f


def slopes(f: Callable[..., Any], h: float) -> Any:
    """Central differences of a function that may change what it is given."""
    return np.array([(f(X + h * e) - f(X - h * e)) / (2.0 * h) for e in np.eye(3)], float)


def apart(f: Callable[..., Any]) -> Callable[..., Any]:
    """A function that does what f does to a copy of its argument."""
    return lambda x: f(x.copy())


class Untold(Exception):
    """Of a program nothing is told: its differences cannot be trusted, or its derivative is refused."""


class Compared:
    """A program of an array of three whose value and differences can be trusted.

    Raises:  Untold of others, and of those whose first derivative is refused as the documents say.
    """

    def __init__(self, text: str, names: dict[str, Any]) -> None:
        self.text, self.f = text, function_of(text, names)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                self.left = X.copy()  # what the program leaves of its argument
                self.y: Any = self.f(self.left)
                self.slopes = slopes(self.f, 1e-6)
                wide = slopes(self.f, 1e-5)
            except ITS_OWN as error:
                raise Untold(str(error)) from None
        self.scale = float(max(1.0, abs(self.y), np.abs(self.slopes).max()))
        if self.scale >= 1e5 or not np.allclose(wide, self.slopes, rtol=1e-3, atol=1e-4 * self.scale):
            raise Untold("differences that cannot be trusted")

    def first_order(self) -> None:
        """Both modes, with differences and each other; x is left as the program leaves it, pulled twice."""
        points = [X.copy() for _ in range(4)]
        try:
            y, pullback = cr.vjp(self.f, points[0])
            pulled, again = (dense(pullback(1.0)[0], X) for _ in range(2))
            forward = [cr.jvp(self.f, (x,), (e,)) for x, e in zip(points[1:], np.eye(3), strict=True)]
        except (cr.AliasedMutationError, cr.UnsupportedSyntaxError) as error:
            if not any(known in str(error) for known in DOCUMENTED):
                raise
            raise Untold(f"refused: {error.what}") from None
        for value in (y, *(v for v, _ in forward)):  # what is summed may have been copied without its gaps
            np.testing.assert_allclose(value, self.y, 1e-12, 1e-12 * self.scale, err_msg=self.text)
        for x in points:
            np.testing.assert_array_equal(x, self.left, self.text)
        np.testing.assert_array_equal(pulled, again, self.text)
        self._agree(pulled, self.slopes, 1e-3, self.scale)
        self._agree([dense(t, 0.0) for _, t in forward], pulled, 1e-8, self.scale)

    def second_order(self) -> list[str]:
        """The four pairs of modes, with differences of the gradient and each other; which were computed."""
        gradient = cr.grad(self.f)
        try:
            near, wide = (slopes(lambda x: dense(gradient(x), X), h) for h in (1e-5, 1e-4))
        except NAMED:  # at one of the points only
            return []
        scale = float(max(self.scale, np.abs(near).max()))
        trusted = scale < 1e6 and np.allclose(near, wide, rtol=1e-2, atol=1e-3 * scale)
        g = self.f if (self.left == X).all() else apart(self.f)
        found: dict[str, Any] = {}
        for name, pair in PAIRS.items():
            try:
                made = found[name] = pair(self.f, g)
            except NAMED:
                continue
            if trusted:
                self._agree(made, near, 1e-2, scale)
                self._agree(made, next(iter(found.values())), 1e-6, scale)
        return list(found)

    def _agree(self, found: Any, expected: Any, tolerance: float, scale: float) -> None:
        np.testing.assert_allclose(found, expected, tolerance, tolerance * 0.1 * scale, err_msg=self.text)
