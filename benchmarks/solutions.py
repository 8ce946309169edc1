"""What does a gradient cost through a root or a minimum, by its size and by where the parameters are?

    python -m benchmarks.solutions          prints the table, with `--tiny` of small systems

A solve of few numbers takes microseconds, and no gradient of a Python program takes less than some tens of
them. So the table says beside the ratio how long the solve takes: the ratio is that of the arithmetic only
where a solve is long. Value and gradient together are counted, beside the value alone.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
from benchmarks.report import duration, table
from benchmarks.solvers import bent, energy
from benchmarks.timing import medians
from scipy import optimize

import chainrules as cr

SIZES = (1, 5, 20, 100, 1000)
LARGE = 200


class Problem(NamedTuple):
    """A program that solves for n numbers, and the parameters that it is differentiated by."""

    name: str
    n: int
    program: Callable[[Any], Any]
    parameters: Any


def slope(x: Any, loads: Any) -> Any:
    """The derivative of the energy, by hand."""
    return 3.0 * x + x**3 - 0.5 * (np.roll(x, 1) + np.roll(x, -1)) - loads


def stiffness(x: Any, loads: Any) -> Any:
    """The second derivative, by hand, a dense matrix."""
    n = len(x)
    made = np.diag(3.0 + 3.0 * x**2)
    for k in range(n):
        made[k, k - 1] -= 0.5
        made[k, (k + 1) % n] -= 0.5
    return made


def kepler(e: float, m: float, eccentricity: float) -> Any:
    """Kepler's equation."""
    return e - eccentricity * np.sin(e) - m


def by_bracket(p: Any) -> Any:
    """The root of a number, with the parameters given."""
    return optimize.brentq(kepler, 0.0, 4.0, args=(p[0], p[1]))


def by_bracket_captured(p: Any) -> Any:
    """The same, with the parameters captured."""
    return optimize.brentq(lambda e: e - p[1] * np.sin(e) - p[0], 0.0, 4.0)


def by_newton(p: Any) -> Any:
    """The same, by the secant method."""
    return optimize.newton(kepler, 1.0, args=(p[0], p[1]))


def along_a_line(p: Any) -> Any:
    """The minimum of a number."""
    return optimize.minimize_scalar(lambda x: (x - p[0]) ** 2 + p[1] * x**4).x


def method_of(n: int) -> str:
    """A method for roots of this size."""
    return "krylov" if n > LARGE else "hybr"


def root_given(loads: Any) -> Any:
    """A root, with the parameters given."""
    start = np.zeros(len(loads))
    return np.sum(optimize.root(bent, start, args=(loads,), method=method_of(len(loads))).x ** 2)


def root_captured(loads: Any) -> Any:
    """A root, with the parameters captured."""
    start = np.zeros(len(loads))
    return np.sum(optimize.root(lambda x: bent(x, loads), start, method=method_of(len(loads))).x ** 2)


def root_with_jacobian(loads: Any) -> Any:
    """A root, with the Jacobian by hand."""
    return np.sum(optimize.root(bent, np.zeros(len(loads)), args=(loads,), jac=stiffness).x ** 2)


def minimum_given(loads: Any) -> Any:
    """A minimum, with the parameters given."""
    return np.sum(optimize.minimize(energy, np.zeros(len(loads)), args=(loads,)).x ** 2)


def minimum_captured(loads: Any) -> Any:
    """A minimum, with the parameters captured."""
    return np.sum(optimize.minimize(lambda x: energy(x, loads), np.zeros(len(loads))).x ** 2)


def minimum_with_slope(loads: Any) -> Any:
    """A minimum, with the gradient by hand."""
    method = "L-BFGS-B" if len(loads) > LARGE else "BFGS"
    found = optimize.minimize(energy, np.zeros(len(loads)), args=(loads,), jac=slope, method=method)
    return np.sum(found.x**2)


def minimum_with_hessian(loads: Any) -> Any:
    """A minimum, with gradient and Hessian by hand."""
    found = optimize.minimize(
        energy, np.zeros(len(loads)), args=(loads,), jac=slope, hess=stiffness, method="trust-exact"
    )
    return np.sum(found.x**2)


def minimum_within(loads: Any) -> Any:
    """A minimum within bounds, of which some act."""
    bounds = [(-0.2, 0.2)] * len(loads)
    found = optimize.minimize(energy, np.zeros(len(loads)), args=(loads,), jac=slope, bounds=bounds)
    return np.sum(found.x**2)


def squares(loads: Any) -> Any:
    """The same equilibrium by least squares."""
    return np.sum(optimize.least_squares(bent, np.zeros(len(loads)), args=(loads,)).x ** 2)


def decay(t: Any, a: Any, b: Any, c: Any) -> Any:
    """A curve of three parameters."""
    return a * np.exp(-b * t) + c


def curve(ydata: Any) -> Any:
    """A fit of it."""
    t = np.linspace(0.0, 4.0, len(ydata))
    return np.sum(optimize.curve_fit(decay, t, ydata, p0=(1.0, 1.0, 0.0))[0])


ONE: dict[str, Callable[[Any], Any]] = {
    "brentq, args": by_bracket,
    "brentq, captured": by_bracket_captured,
    "newton, args": by_newton,
    "minimize_scalar, captured": along_a_line,
}
MANY: dict[str, tuple[Callable[[Any], Any], int]] = {
    "root, args": (root_given, 1000),
    "root, captured": (root_captured, 1000),
    "root, jac": (root_with_jacobian, 100),
    "minimize, args": (minimum_given, 100),
    "minimize, captured": (minimum_captured, 100),
    "minimize, jac": (minimum_with_slope, 1000),
    "minimize, jac and hess": (minimum_with_hessian, 100),
    "minimize, bounds": (minimum_within, 1000),
    "least_squares, args": (squares, 100),
}
"""Programs, and up to which size their solver is used."""


def problems(sizes: tuple[int, ...] = SIZES) -> Iterator[Problem]:
    """Each program at each size."""
    for name, program in ONE.items():
        yield Problem(name, 1, program, np.array([1.0, 0.3]))
    for name, (program, most) in MANY.items():
        for n in sizes:
            if n <= most:
                yield Problem(name, n, program, np.random.default_rng(1).normal(size=n))
    noise = np.random.default_rng(2).normal(size=100)
    ydata = decay(np.linspace(0.0, 4.0, 100), 2.5, 1.3, 0.5) + 0.05 * noise
    yield Problem("curve_fit, 100 points", 3, curve, ydata)


def ratio(problem: Problem, rounds: int) -> tuple[float, float]:
    """The seconds of a solve, and those of value and gradient."""
    both = cr.value_and_grad(problem.program)
    for _ in range(8):  # the programs of the derivatives are written in the first calls
        both(problem.parameters)
    times = medians(
        {"solve": lambda: problem.program(problem.parameters), "both": lambda: both(problem.parameters)},
        rounds,
        time.process_time,
    )
    return times["solve"], times["both"]


def main(arguments: list[str]) -> int:
    """Print the table."""
    tiny = "--tiny" in arguments
    body = []
    for problem in problems((1, 3) if tiny else SIZES):
        seconds, both = ratio(problem, 1 if tiny else 9)
        added = duration(max(both - seconds, 1e-9))
        body.append([problem.name, str(problem.n), duration(seconds), added, f"{both / seconds:.1f}×"])
        print("  ".join(body[-1]), file=sys.stderr, flush=True)
    head = ["solver", "n", "a solve", "a gradient more", "value and gradient"]
    print(table(head, body))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
