"""Write docs/distributions.md: which derivatives of SciPy's distributions are right, method by method.

    python -m scripts.distributions                   every distribution, some minutes
    python -m scripts.distributions gamma t           these alone, every cell that is not right shown

Each cell is a method of a distribution by one parameter, at quantiles of both tails and the middle. By x, loc
and scale the distribution functions and quantiles are held to SciPy's own density; everything else to
differences of SciPy's method, at two steps (Ridders 1982). A cell is right where every point is, poor where
at some point the differences have no four digits and at none the derivative is wrong.
"""

from __future__ import annotations

import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy import stats

from chainrules.core import ChainRulesError, apply_rrule
from chainrules.tangents import NotImplementedTangent, is_zero

from .distribution_points import SHAPES

PAGE = Path(__file__).parents[1] / "docs" / "distributions.md"
LOC, SCALE = 0.3, 1.7
CONTINUOUS = ("pdf", "logpdf", "cdf", "logcdf", "sf", "logsf", "ppf", "isf")
DISCRETE = ("pmf", "logpmf", "cdf", "logcdf", "sf", "logsf")
QUANTILES = (1e-6, 0.003, 0.2, 0.6, 0.93, 0.9995)
LEVELS, SHRINK = 12, 1.5


class Cell(NamedTuple):
    """A method by a parameter, at one point: what the rule gives, and what it is held to."""

    method: str
    parameter: str
    point: tuple[float, ...]
    got: Any
    truth: float
    error: float

    @property
    def verdict(self) -> str:
        """right, wrong, poor (the truth is), or refused"""
        if isinstance(self.got, str):
            return "refused"
        if not np.isfinite(self.truth) or self.error > 1e-4 * abs(self.truth) + 1e-11:
            return "poor"
        close = abs(self.got - self.truth) <= 1e-6 * abs(self.truth) + 20 * self.error + 1e-13
        return "right" if close else "wrong"


def ridders(g: Callable[[float], float], h: float) -> tuple[float, float]:
    """The derivative of g at 0 and its error: central differences extrapolated to a step of 0."""
    table = np.full((LEVELS, LEVELS), np.nan)
    value, error = np.nan, np.inf
    for i in range(LEVELS):
        table[i, 0] = (g(h) - g(-h)) / (2 * h)
        for j in range(1, i + 1):
            grown = SHRINK ** (2 * j)
            table[i, j] = (grown * table[i, j - 1] - table[i - 1, j - 1]) / (grown - 1)
            moved = max(abs(table[i, j] - table[i, j - 1]), abs(table[i, j] - table[i - 1, j - 1]))
            if moved <= error:
                value, error = table[i, j], moved
        h /= SHRINK
    return value, error


def differences(
    f: Any, args: tuple[float, ...], i: int, step: float, off: float = 0.0
) -> tuple[float, float]:
    """The derivative of f by its argument i and its error, by two tables that have to agree.

    `off` is by how much the values of f are known to be wrong.
    """

    def g(t: float) -> float:
        return float(f(*args[:i], args[i] + t, *args[i + 1 :]))

    first, second = ridders(g, step), ridders(g, step / 9.7)
    best = first if first[1] <= second[1] else second
    rounding = 4 * max(np.finfo(float).eps * abs(g(0.0)), off) / step
    return best[0], max(best[1], 0.3 * abs(first[0] - second[0]), rounding)


def names_of(dist: Any) -> list[str]:
    """The parameters of a distribution."""
    shapes = (dist.shapes or "").replace(",", " ").split()
    return [*shapes, "loc", *(["scale"] if isinstance(dist, stats.rv_continuous) else [])]


def points(dist: Any, method: str, shapes: tuple[float, ...], quantiles: tuple[float, ...]) -> list[float]:
    """Where to look: probabilities for quantiles, else the quantiles of these."""
    if method in ("ppf", "isf"):
        return list(quantiles)
    if not isinstance(dist, stats.rv_continuous):
        return sorted({float(k) for k in dist.ppf(quantiles, *shapes)})
    a, b = dist.support(*shapes, LOC, SCALE)
    near = [
        max(q, 1e-3) if np.isfinite(a) else q for q in quantiles
    ]  # an end is as near as differences reach
    x = dist.ppf(near, *shapes, LOC, SCALE)
    return [float(each) for each in np.unique(x) if a < each < b and np.isfinite(each)]


def step_for(dist: Any, method: str, args: tuple[float, ...], i: int) -> float:
    """A first step that stays inside the support."""
    if method in ("ppf", "isf"):
        return min(args[0], 1 - args[0]) * 0.2 if i == 0 else 0.02 * max(abs(args[i]), 0.05)
    if not isinstance(dist, stats.rv_continuous):
        return 0.02 * abs(args[i])
    a, b = dist.support(*args[1:])
    room = 0.3 * min(args[0] - a, b - args[0])
    wide = 0.02 * (abs(args[0] - LOC) + 1e-3) if i == 0 else 0.02 * max(abs(args[i]), 0.05)
    return float(min(wide, room))


def exact(dist: Any, method: str, args: tuple[float, ...], y: float, name: str) -> float | None:
    """The derivative by x, loc or scale that SciPy's own density says; None where there is none."""
    if name not in ("x", "loc", "scale") or "pdf" in method:
        return None
    x = y if method in ("ppf", "isf") else args[0]
    f, z = float(dist.pdf(x, *args[1:])), (x - LOC) / SCALE
    if method in ("ppf", "isf"):
        sign = 1.0 if method == "ppf" else -1.0
        return {"x": sign / f if f else np.nan, "loc": 1.0, "scale": z}[name]
    slope = {"cdf": f, "sf": -f, "logcdf": f, "logsf": -f}[method]
    if method.startswith("log"):
        slope = slope / np.exp(y) if y > -700 else np.nan
    return {"x": slope, "loc": -slope, "scale": -z * slope}[name]


def off(dist: Any, method: str, args: tuple[float, ...], y: float) -> float:
    """By how much a quantile of SciPy's is wrong: how far its distribution function is from q there."""
    if method not in ("ppf", "isf"):
        return 0.0
    back = dist.cdf(y, *args[1:]) if method == "ppf" else dist.sf(y, *args[1:])
    return float(abs(back - args[0]) / max(dist.pdf(y, *args[1:]), 1e-300))


def cells(
    dist: Any,
    quantiles: tuple[float, ...] = QUANTILES,
    most: int | None = None,
    methods: tuple[str, ...] | None = None,
) -> Iterator[Cell]:
    """Every method by every parameter, at these quantiles of the first few sets of shapes."""
    continuous = isinstance(dist, stats.rv_continuous)
    for shapes in SHAPES[dist.name][:most]:
        for method in methods or (CONTINUOUS if continuous else DISCRETE):
            f = getattr(dist, method)
            for x in points(dist, method, shapes, quantiles):
                yield from _at(dist, method, f, (x, *shapes, *((LOC, SCALE) if continuous else (0.0,))))


def _at(dist: Any, method: str, f: Any, args: tuple[float, ...]) -> Iterator[Cell]:
    """A method by each parameter at one point."""
    names = ["x", *names_of(dist)]
    try:
        y, pullback = apply_rrule(f, *args)  # type: ignore[misc]  # there is a rule, or it raises
        answers = pullback(1.0)
    except ChainRulesError as refusal:
        yield from [Cell(method, name, args, str(refusal).splitlines()[0], np.nan, np.inf) for name in names]
        return
    for i, (name, answer) in enumerate(zip(names, answers, strict=True)):
        if isinstance(answer, NotImplementedTangent):
            yield Cell(method, name, args, str(answer), np.nan, np.inf)
            continue
        if name in ("x", "loc") and not isinstance(dist, stats.rv_continuous):
            continue  # steps
        truth, doubt = exact(dist, method, args, float(y), name), 0.0
        if truth is None:
            truth, doubt = differences(
                f, args, i, step_for(dist, method, args, i), off(dist, method, args, y)
            )
        yield Cell(method, name, args, 0.0 if is_zero(answer) else float(answer), truth, doubt)


def table(names: list[str], show: bool = False) -> tuple[list[str], Counter[str]]:
    """The rows of the page, and how many cells are what."""
    rows, total = [], Counter[str]()
    for name in names:
        dist = getattr(stats, name)
        verdicts: dict[tuple[str, str], set[str]] = {}
        for cell in cells(dist):
            verdicts.setdefault((cell.method, cell.parameter), set()).add(cell.verdict)
            if show and cell.verdict != "right":
                print(name, *cell, cell.verdict)
        worst = {
            key: next(v for v in ("wrong", "refused", "poor", "right") if v in found)
            for key, found in verdicts.items()
        }
        counts = Counter(worst.values())
        total.update(counts)
        refused = sorted({f"{m} by {p}" for (m, p), v in worst.items() if v == "refused"})
        rows.append(
            f"| `{name}` | {', '.join(names_of(dist))} | {counts['right']} | {counts['poor']} "
            f"| {counts['wrong']} | {_joined(refused)} |"
        )
        print(rows[-1])
    return rows, total


def _joined(refused: list[str]) -> str:
    """What is refused, by parameter."""
    by: dict[str, list[str]] = {}
    for each in refused:
        method, _, parameter = each.partition(" by ")
        by.setdefault(parameter, []).append(method)
    return "; ".join(f"{', '.join(methods)} by {parameter}" for parameter, methods in by.items())


HEAD = """# Distributions

These methods of the distributions of `scipy.stats`, frozen or not, have derivatives by x and by every
parameter, given by position or by keyword: `pdf`, `logpdf`, `pmf`, `logpmf`, `cdf`, `logcdf`, `sf`, `logsf`,
`ppf` and `isf`. The value is always SciPy's own.

```python
import numpy as np
from scipy import stats

import chainrules as cr

returns = np.array([0.4, -1.1, 0.2, 2.9, -0.3])


def log_likelihood(df, loc, scale):
    return np.sum(stats.t.logpdf(returns, df, loc=loc, scale=scale))


by_df, by_loc, by_scale = cr.grad(log_likelihood, (0, 1, 2))(3.0, 0.1, 0.8)


def value_at_risk(df, scale):
    return stats.t(df, scale=scale).ppf(0.01)


assert cr.grad(value_at_risk)(3.0, 0.8) > 0  # more degrees of freedom, lighter tails
```

- **Outside the support**, and where the value is infinite, the derivative is 0. Where SciPy answers NaN it is
  NaN. At an end of the support that SciPy counts as inside it is the derivative from inside.
- **Quantiles** are differentiated implicitly. At q = 0 and 1 a quantile moves as the end of the support does.
- **Samples** (`rvs`) of continuous distributions move as quantiles do, with their probability held, so that
  means of them have the derivatives of expectations; of angles, those of functions with the period of a
  turn. `random_state=` fixes what is drawn. Those of discrete distributions are refused.
- **Moments**: `mean`, `var`, `std`, `stats`, `moment` of every order and `entropy` have derivatives by every
  parameter, of discrete distributions too; `median`, `interval` and `support` as well. Where an integral does
  not give SciPy's value, or that is infinite, they are refused.
- **`expect`** moves with what its function captured and with every parameter.
- **`fit`** of continuous distributions moves with the data and with what is fixed, by the implicit function
  theorem; `nnlf` too. So do the parameters of `scipy.stats.fit`, by both its methods; where one stopped at an
  end of its bounds, it moves with that end.
- **Random variables** of the new infrastructure, `Normal`, `Logistic`, `Uniform`, `Binomial`, those of
  `make_distribution`, and what `Mixture`, `truncate`, `order_statistic`, `exp`, `log`, `abs` and arithmetic
  make of them, have the same derivatives as the distributions they are.
- **Discrete distributions** are steps in k, q and `loc`: 0. By a parameter that is a whole number there is no
  derivative; it is refused.
- **Multivariate distributions**: densities, entropies and moments by their arguments and parameters, also the
  distribution functions of `multivariate_normal` and, by x and `loc`, `multivariate_t`. Samples move so that
  means of them do as expectations. Of a covariance one triangle is read; a singular one is refused. It may
  be an object of `scipy.stats.Covariance`, and moves with what that was made of.
- **A distribution that is not in the table**, one of your own too, is refused by name.

## What has been checked

`python -m scripts.distributions` holds each method by each parameter to differences of SciPy's own method, or
by x, loc and scale to its density, in both tails and in the middle. *Right* counts those that agree
everywhere; *poor* those where at some point the differences have no four digits, and nowhere a derivative is
wrong. A test holds such points to mpmath at 50 digits.

`python -m scripts.sample_means` holds the means over samples of every continuous distribution, by each
parameter, to differences of the integral. Those of circular distributions are refused.

"""


def page(rows: list[str], total: Counter[str]) -> str:
    """The page of these rows."""
    cells = ", ".join(f"{total[v]} {v}" for v in ("right", "poor", "wrong", "refused"))
    lines = [
        "| distribution | parameters | right | poor | wrong | refused |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    return HEAD + f"In all {sum(total.values())} cells: {cells}.\n\n" + "\n".join([*lines, *rows]) + "\n"


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    chosen = sys.argv[1:]
    made = table(chosen or sorted(SHAPES), show=bool(chosen))
    print(made[1])
    if not chosen:
        PAGE.write_text(page(*made), encoding="utf-8")
