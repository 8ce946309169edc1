"""`python -m benchmarks.brought [NAME …]`: each gradient is held to differences, then timed beside the value.

The table has the ratio of value and gradient to the value alone, for this project and for HIPS autograd where
that runs the program; where there is no specialised program, why.
"""

from __future__ import annotations

import argparse
import importlib
import math
import time
import warnings
from collections.abc import Callable
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np
from benchmarks.engines import in_namespace
from benchmarks.timing import medians

import chainrules as cr
from chainrules.engines.specialised.running.entry import RUNS, specialised_after

MODULES = ("networks", "statistics", "physics", "tables", "matrices", "pictures")


def cases() -> list[tuple[Callable[..., Any], tuple[Any, ...]]]:
    """All programs with their arguments; the first argument is differentiated."""
    return [c for m in MODULES for c in importlib.import_module(f"benchmarks.brought.{m}").cases()]


def flat(v: Any) -> Any:
    """All numbers of a parameter or a gradient in one vector."""
    if isinstance(v, np.ndarray | float):
        return np.ravel(v)
    parts = [v[k] for k in v] if hasattr(v, "keys") else list(v)
    return np.concatenate([flat(p) for p in parts])


def moved(v: Any, step: Any, at: list[int]) -> Any:
    """A parameter that is moved by a vector of steps."""
    if isinstance(v, dict):
        return {k: moved(p, step, at) for k, p in v.items()}
    if isinstance(v, list | tuple):
        return type(v)(moved(p, step, at) for p in v)
    part = step[at[0] : at[0] + np.size(v)]
    at[0] += np.size(v)
    return v + float(part[0]) if isinstance(v, float) else v + part.reshape(np.shape(v))


def is_right(f: Callable[..., Any], args: tuple[Any, ...], gradient: Any) -> bool:
    """Whether a gradient agrees with a central difference along a direction."""
    direction = np.random.default_rng(9).normal(size=flat(args[0]).size) * 1e-6
    ahead, back = (f(moved(args[0], s * direction, [0]), *args[1:]) for s in (1.0, -1.0))
    return math.isclose(flat(gradient) @ direction, (ahead - back) / 2, rel_tol=1e-4, abs_tol=1e-11)


def of_autograd(f: Callable[..., Any], args: tuple[Any, ...], gradient: Any) -> Callable[[], Any] | None:
    """The same by HIPS autograd; None where it does not run the program or gives another gradient."""
    try:
        autograd = importlib.import_module("autograd")
        namespace = importlib.import_module("autograd.numpy")
        special = importlib.import_module("autograd.scipy.special")
        program: Any = in_namespace(f, SimpleNamespace(**{**vars(np), **vars(namespace)}))
        for name in ("logsumexp", "gammaln"):
            program.__globals__[name] = getattr(special, name)
        program.__globals__["norm"] = importlib.import_module("autograd.scipy.stats").norm
        program.__defaults__ = f.__defaults__
        found = autograd.value_and_grad(program)
        if np.allclose(flat(found(*args)[1]), flat(gradient), rtol=1e-6, atol=1e-9):
            return lambda: found(*args)
    except Exception:  # whatever it does not do
        return None
    return None


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--rounds", type=int, default=15)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    ratios = []
    print("| program | value | ours | autograd | |\n|---|---|---|---|---|")
    for f, args in cases():
        if options.names and f.__name__ not in options.names:
            continue
        met: list[str] = []
        with specialised_after(RUNS, met=met):
            ours = cr.value_and_grad(f)
            for _ in range(RUNS + 2):
                _, gradient = ours(*args)
            if not is_right(f, args, gradient):
                raise SystemExit(f"{f.__name__} has a wrong gradient")
            timed: dict[str, Callable[[], Any]] = {
                "value": partial(f, *args),
                "ours": partial(ours, *args),
            }
            theirs = of_autograd(f, args, gradient)
            if theirs is not None:
                timed["autograd"] = theirs
            found = medians(timed, options.rounds, time.process_time)
        ratios.append(found["ours"] / found["value"])
        other = f"{found['autograd'] / found['value']:.1f}" if theirs is not None else "–"
        why = met[0].partition(": ")[2] if met else ""
        print(
            f"| {f.__name__} | {found['value'] * 1e6:.0f} µs | {ratios[-1]:.1f} | {other} | {why} |",
            flush=True,
        )
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    print(f"\nGeometric mean of {len(ratios)}: {mean:.2f}; the worst: {max(ratios):.1f}")


if __name__ == "__main__":
    main()
