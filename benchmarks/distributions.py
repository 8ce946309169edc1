"""What does the gradient of a log-likelihood cost, for the distributions that are used most?

    python -m benchmarks.distributions    prints the table, with `--tiny` of few numbers

The program is the sum of `scipy.stats.X.logpdf` (of `logpmf`) of n numbers, and the gradient is by the
numbers and by every parameter: shapes, loc and scale. Beside it stands what a careful person writes: value
and partials by hand in NumPy, with each logarithm taken once and without SciPy's checks of arguments. HIPS
autograd and PyTorch have some of the distributions, without loc or scale for most; their program is that
of (x − loc)/scale. Every value and gradient is held to the hand-written one before it is timed. The time is
that of `value_and_grad`, and of what SciPy takes for the value alone.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any, NamedTuple

import numpy as np
from benchmarks.case import Case, checked
from benchmarks.report import duration, table
from benchmarks.timing import medians
from scipy import stats
from scipy.special import betaln, gammaln, psi

import chainrules as cr

By = Callable[..., tuple[Any, ...]]


class Entry(NamedTuple):
    """A distribution; by hand its log density and the partials by z and the shapes; the numbers given."""

    name: str
    by_hand: By
    x: Any
    parameters: tuple[Any, ...]

    @property
    def case(self) -> Case:
        """The program and its gradient by hand."""
        dist, discrete = getattr(stats, self.name), self.name in ("poisson", "binom")
        method = dist.logpmf if discrete else dist.logpdf

        def of_counts(p: Any) -> Any:
            return np.sum(method(self.x, TRIALS, p) if self.name == "binom" else method(self.x, p))

        def of_numbers(*given: Any) -> Any:
            return np.sum(method(*given))

        def by_hand(*given: Any) -> tuple[Any, tuple[Any, ...]]:
            if discrete:
                value, by_p = self.by_hand(self.x, *given)
                return np.sum(value), (np.sum(by_p),)
            x, *shapes, loc, scale = given
            z = (x - loc) / scale
            value, by_z, *by_shapes = self.by_hand(z, *shapes)
            moved = by_z / scale
            return np.sum(value) - np.size(z) * np.log(scale), (
                moved, *map(np.sum, by_shapes), -np.sum(moved), -np.sum(moved * z) - np.size(z) / scale
            )  # fmt: skip

        if discrete:
            return Case(self.name, of_counts, by_hand, self.parameters)
        return Case(self.name, of_numbers, by_hand, (self.x, *self.parameters))


TRIALS = 20
HALF_LOG_TAU = 0.5 * np.log(2.0 * np.pi)


def student(z: Any, df: float) -> tuple[Any, ...]:
    """Of Student's distribution."""
    square = z * z
    logs = np.log1p(square / df)
    value = gammaln(0.5 * (df + 1.0)) - gammaln(0.5 * df) - 0.5 * np.log(df * np.pi) - 0.5 * (df + 1.0) * logs
    by_square = (df + 1.0) / (df + square)
    by_df = 0.5 * (psi(0.5 * (df + 1.0)) - psi(0.5 * df) - 1.0 / df - logs + by_square * square / df)
    return value, -by_square * z, by_df


def lognormal(z: Any, s: float) -> tuple[Any, ...]:
    """Of the lognormal distribution."""
    logs = np.log(z)
    parts = logs / s
    value = -0.5 * parts * parts - logs - np.log(s) - HALF_LOG_TAU
    return value, -(parts / s + 1.0) / z, (parts * parts - 1.0) / s


def weibull(z: Any, c: float) -> tuple[Any, ...]:
    """Of Weibull's distribution."""
    logs, power = np.log(z), z**c
    return np.log(c) + (c - 1.0) * logs - power, (c - 1.0 - c * power) / z, 1.0 / c + logs * (1.0 - power)


def beta(z: Any, a: float, b: float) -> tuple[Any, ...]:
    """Of the beta distribution."""
    both, rest = psi(a + b), 1.0 - z
    logs, others = np.log(z), np.log1p(-z)
    value = (a - 1.0) * logs + (b - 1.0) * others - betaln(a, b)
    return value, (a - 1.0) / z - (b - 1.0) / rest, logs - psi(a) + both, others - psi(b) + both


def gamma(z: Any, a: float) -> tuple[Any, ...]:
    """Of the gamma distribution."""
    logs = np.log(z)
    return (a - 1.0) * logs - z - gammaln(a), (a - 1.0) / z - 1.0, logs - psi(a)


def logistic(z: Any) -> tuple[Any, ...]:
    """Of the logistic distribution."""
    falling = np.exp(-np.abs(z))
    by_z = np.copysign((1.0 - falling) / (1.0 + falling), z)
    return -np.abs(z) - 2.0 * np.log1p(falling), -by_z


def binomial(k: Any, p: float) -> tuple[Any, ...]:
    """Of the binomial distribution."""
    ways = gammaln(TRIALS + 1.0) - gammaln(k + 1.0) - gammaln(TRIALS - k + 1.0)
    return ways + k * np.log(p) + (TRIALS - k) * np.log1p(-p), k / p - (TRIALS - k) / (1.0 - p)


def entries(n: int = 100_000) -> list[Entry]:
    """Twelve distributions, n numbers each."""
    rng = np.random.default_rng(0)
    end, about = (-1e-3, 1.02), (0.1, 1.3)
    return [
        Entry("norm", lambda z: (-0.5 * z * z - HALF_LOG_TAU, -z), rng.normal(size=n), about),
        Entry("t", student, rng.standard_t(4.0, size=n), (4.2, *about)),
        Entry("gamma", gamma, rng.gamma(2.0, size=n), (2.1, *end)),
        Entry("beta", beta, rng.beta(2.0, 3.0, size=n), (2.1, 2.9, *end)),
        Entry("expon", lambda z: (-z, np.full_like(z, -1.0)), rng.exponential(size=n), end),
        Entry("lognorm", lognormal, np.exp(rng.normal(size=n)), (0.9, *end)),
        Entry("uniform", lambda z: (np.zeros_like(z), np.zeros_like(z)), rng.uniform(size=n), end),
        Entry("weibull_min", weibull, rng.weibull(1.4, size=n), (1.5, *end)),
        Entry("laplace", lambda z: (-np.abs(z) - np.log(2.0), -np.sign(z)), rng.laplace(size=n), about),
        Entry("logistic", logistic, rng.logistic(size=n), about),
        Entry("poisson", lambda k, mu: (
            k * np.log(mu) - mu - gammaln(k + 1.0), k / mu - 1.0
        ), rng.poisson(3.0, size=n), (3.1,)),
        Entry("binom", binomial, rng.binomial(TRIALS, 0.3, size=n), (0.31,)),
    ]  # fmt: skip


def in_autograd(entry: Entry) -> Callable[[], Any] | None:
    """Value and gradient by HIPS autograd, if it has the distribution."""
    import autograd
    import autograd.numpy as anp
    import autograd.scipy.stats as theirs

    case, found = entry.case, getattr(theirs, entry.name, None)
    if found is None:
        return None

    def program(*given: Any) -> Any:
        if entry.name == "poisson":
            return anp.sum(found.logpmf(entry.x, *given))
        if entry.name in ("norm", "t"):
            return anp.sum(found.logpdf(*given))
        x, *shapes, loc, scale = given
        return anp.sum(found.logpdf((x - loc) / scale, *shapes) - anp.log(scale))

    differentiated = autograd.value_and_grad(program, case.argnums)
    return lambda: differentiated(*case.parameters)


def in_torch(entry: Entry) -> Callable[[], Any]:
    """Value and gradient by PyTorch, eager, on one thread."""
    import torch

    torch.set_num_threads(1)
    d: Any = torch.distributions
    one = torch.ones((), dtype=torch.float64)
    makes: dict[str, Any] = {
        "expon": lambda: d.Exponential(one),
        "uniform": lambda: d.Uniform(one * 0, one),
        "gamma": lambda a: d.Gamma(a, one),
        "beta": d.Beta,
        "laplace": lambda: d.Laplace(one * 0, one),
        "lognorm": lambda s: d.LogNormal(one * 0, s),
        "weibull_min": lambda c: d.Weibull(one, c),
    }
    wholes = torch.tensor(np.asarray(entry.x, float))

    def program(*given: Any) -> Any:
        if entry.name == "poisson":
            return d.Poisson(*given).log_prob(wholes).sum()
        if entry.name == "binom":
            return d.Binomial(TRIALS, *given).log_prob(wholes).sum()
        x, *shapes, loc, scale = given
        if entry.name == "norm":
            return d.Normal(loc, scale).log_prob(x).sum()
        if entry.name == "logistic":
            moved = (given[0] - given[1]) / given[2]
            return (-moved - 2.0 * torch.nn.functional.softplus(-moved) - torch.log(given[2])).sum()
        if entry.name == "t":
            return d.StudentT(*shapes, loc, scale).log_prob(x).sum()
        return (makes[entry.name](*shapes).log_prob((x - loc) / scale) - torch.log(scale)).sum()

    parameters = [torch.tensor(p, dtype=torch.float64, requires_grad=True) for p in entry.case.parameters]

    def run() -> Any:
        y = program(*parameters)
        return y.detach(), torch.autograd.grad(y, parameters, materialize_grads=True)

    return run


def contestants(entry: Entry) -> dict[str, Callable[[], Any]]:
    """By hand, ours and the other engines', each held to the first."""
    case = entry.case
    ours = cr.value_and_grad(case.program, case.argnums)
    found: dict[str, Callable[[], Any]] = {
        "by hand": case.hand_written,
        "SciPy's value": lambda: case.program(*case.parameters),
        "chainrules": lambda: ours(*case.parameters),
    }
    if find_spec("autograd") and (theirs := in_autograd(entry)) is not None:
        found["HIPS autograd"] = theirs
    if find_spec("torch"):
        found["PyTorch eager"] = in_torch(entry)
    for name, run in found.items():
        if name not in ("by hand", "SciPy's value"):
            value, gradients = run()
            checked(case, name, (np.asarray(value), tuple(map(np.asarray, gradients))))
    return found


HEADS = ("SciPy's value", "chainrules", "HIPS autograd", "PyTorch eager")


def markdown(found: list[tuple[str, dict[str, float]]]) -> str:
    """The table: ratios to the gradient by hand."""
    body = []
    for name, times in found:
        cells = [f"{times[h] / times['by hand']:.2f}×" if h in times else "–" for h in HEADS]
        body.append([f"`{name}`", duration(times["by hand"]), *cells])
    return table(["log-likelihood of", "by hand", *HEADS], body)


def main(arguments: list[str]) -> int:
    """Print the table."""
    tiny = "--tiny" in arguments
    found = []
    for entry in entries(50 if tiny else 100_000):
        print(f"{entry.name} …", file=sys.stderr, flush=True)
        found.append((entry.name, medians(contestants(entry), 1 if tiny else 15)))
    print(markdown(found))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
