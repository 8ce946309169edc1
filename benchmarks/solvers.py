"""What does a gradient cost through a solver, beside the solve? And when is it cheaper than differences?

    python -m benchmarks.solvers          prints the table, with `--tiny` of small systems

Forward differences by p parameters take p + 1 solves, whatever the program. A gradient takes the same time
for 10 parameters as for 1,000, but for the products with them.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
from benchmarks.report import duration, table
from benchmarks.timing import medians
from scipy import integrate, optimize

import chainrules as cr

METHODS = ("RK23", "RK45", "DOP853", "Radau", "BDF", "LSODA")


class Entry(NamedTuple):
    """A program that solves, and the parameters that it is differentiated by."""

    name: str
    program: Callable[[Any], Any]
    parameters: Any


def diffusion(t: float, y: Any, rates: Any, shapes: Any) -> Any:
    """A field on a ring that diffuses and reacts."""
    return 5.0 * (np.roll(y, 1) - 2 * y + np.roll(y, -1)) + (rates @ shapes) * np.sin(y) + 0.1 * t


def along_a_ring(n: int, method: str, captured: bool) -> Callable[[Any], Any]:
    """A loss of where the field ends, by ten rates of its reaction."""
    x = np.linspace(0, 1, n)
    shapes, start = np.stack([np.cos(np.pi * k * x) for k in range(10)]), np.sin(2 * np.pi * x)

    def by_args(rates: Any) -> Any:
        end = integrate.solve_ivp(
            diffusion, (0.0, 2.0), start, method, args=(rates, shapes), rtol=1e-6, atol=1e-8
        )
        return np.sum(end.y[:, -1] ** 2)

    def by_capture(rates: Any) -> Any:
        end = integrate.solve_ivp(
            lambda t, y: diffusion(t, y, rates, shapes), (0.0, 2.0), start, method, rtol=1e-6, atol=1e-8
        )
        return np.sum(end.y[:, -1] ** 2)

    return by_capture if captured else by_args


def reacting(t: float, y: Any, k: Any) -> Any:
    """Four substances that react, at ten rates."""
    a, b, c, d = y
    one, two, three = k[0] * a * b - k[1] * c, k[2] * c - k[3] * d * a, k[4] * d - k[5] * b * b
    four, five = k[6] * a - k[7] * d, k[8] * b - k[9] * c
    return [two - one - four, three - one - five, one - two + five, two - three + four]


def observed(method: str, times: int) -> Callable[[Any], Any]:
    """A loss of the reaction's course at so many times, by its rates."""
    t, start = np.linspace(0.0, 10.0, times), [1.0, 0.8, 0.1, 0.2]

    def by_odeint(rates: Any) -> Any:
        return np.sum(integrate.odeint(reacting, start, t, args=(rates,), tfirst=True) ** 2)

    def by_solve_ivp(rates: Any) -> Any:
        found = integrate.solve_ivp(reacting, (0.0, 10.0), start, method, t_eval=t, args=(rates,), rtol=1e-6)
        return np.sum(found.y**2)

    return by_odeint if method == "odeint" else by_solve_ivp


def bent(x: Any, loads: Any) -> Any:
    """The forces on a chain of springs that stiffen."""
    return 3.0 * x + x**3 - 0.5 * (np.roll(x, 1) + np.roll(x, -1)) - loads


def equilibrium(loads: Any) -> Any:
    """A loss of where a chain comes to rest, by a root."""
    return np.sum(optimize.root(bent, np.zeros(len(loads)), args=(loads,)).x ** 2)


def energy(x: Any, loads: Any) -> Any:
    """The energy of the same chain."""
    return np.sum(1.5 * x**2 + x**4 / 4 - 0.5 * x * np.roll(x, 1) - loads * x)


def lowest(loads: Any) -> Any:
    """The same loss, by a minimum."""
    return np.sum(optimize.minimize(energy, np.zeros(len(loads)), args=(loads,)).x ** 2)


def entries(n: int = 200) -> Iterator[Entry]:
    """Every question, on systems of size n."""
    rates = np.random.default_rng(0).normal(size=10) * 0.5
    for method in METHODS:
        yield Entry(f"solve_ivp, {method}, n = {n}", along_a_ring(n, method, captured=False), rates)
    for method in ("odeint", "RK45", "BDF"):
        given = np.array([0.9, 0.1, 0.8, 0.3, 0.5, 0.2, 0.4, 0.7, 0.35, 0.6])
        yield Entry(f"{method}, n = 4, at 20 times", observed(method, 20), given)
    yield Entry(f"solve_ivp, RK45, n = {n}, captured", along_a_ring(n, "RK45", captured=True), rates)
    for size in (max(2, n // 20), max(2, n // 2)):
        loads = np.random.default_rng(1).normal(size=size)
        yield Entry(f"root, n = {size}", equilibrium, loads)
        yield Entry(f"minimize, n = {size}", lowest, loads)


def ratio(entry: Entry, rounds: int = 9) -> tuple[float, float]:
    """The seconds of a solve, and how many of them a gradient takes, the solve included."""
    gradient = cr.grad(entry.program)
    for _ in range(4):  # the engine's programs are written in the first calls
        gradient(entry.parameters)
    times = medians(
        {"solve": lambda: entry.program(entry.parameters), "gradient": lambda: gradient(entry.parameters)},
        rounds,
    )
    return times["solve"], times["gradient"] / times["solve"]


def main(arguments: list[str]) -> int:
    """Print the table."""
    tiny = "--tiny" in arguments
    body = []
    for entry in entries(20 if tiny else 200):
        print(f"{entry.name} …", file=sys.stderr, flush=True)
        seconds, solves = ratio(entry, 1 if tiny else 9)
        body.append([entry.name, str(np.size(entry.parameters)), duration(seconds), f"{solves:.1f}×"])
    print(table(["solver", "parameters", "a solve", "value and gradient"], body))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
