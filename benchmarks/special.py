"""What does a pullback of `scipy.special` cost, beside the function itself? Family by family.

    python -m benchmarks.special          prints the table, with `--all` each ratio too

Closed partials are formulas; those by parameters (orders, shapes, degrees) are series and quadratures. Each
ratio is the processor time of one pullback, by one argument, over that of the function, on 1,000 numbers; of
a family the median counts.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
from benchmarks.report import duration, table
from benchmarks.timing import medians
from scipy import special

import chainrules as cr


class Entry(NamedTuple):
    """A function, its arguments, and the one that is differentiated."""

    f: Callable[..., Any]
    x: tuple[Any, ...]
    i: int

    @property
    def name(self) -> str:
        """As the table has it."""
        return f"{self.f.__name__} by {self.i}" if len(self.x) > 1 else self.f.__name__


class Family(NamedTuple):
    """Functions of one kind, and whether the derivative is one by a parameter."""

    name: str
    by_parameters: bool
    entries: list[Entry]


class Cost(NamedTuple):
    """A family's ratios, by entry, and the seconds of its functions."""

    family: Family
    ratios: dict[str, float]
    primals: dict[str, float]

    @property
    def median(self) -> float:
        """What counts."""
        return statistics.median(self.ratios.values())

    @property
    def worst(self) -> str:
        """The entry that costs most."""
        return max(self.ratios, key=lambda name: self.ratios[name])


def families(n: int = 1000) -> list[Family]:
    """Every family, on n numbers where its functions are at home."""
    rng = np.random.default_rng(0)

    def between(low: float, high: float) -> Any:
        return rng.uniform(low, high, n)

    def each(names: str, *x: Any, by: tuple[int, ...] = (0,)) -> Iterator[Entry]:
        for name in names.split():
            for i in by:
                yield Entry(getattr(special, name), x, i)

    any_, plus, unit, m = between(-3, 3), between(0.1, 8), between(0.02, 0.98), between(-2, 0.95)
    a, b, order, degree = between(0.3, 9), between(0.3, 9), between(-0.9, 6), between(0.2, 6.5)
    whole, inside = rng.integers(0, 8, n), between(-0.95, 0.95)
    last, second = (1,), (0, 1)
    return [
        Family("elementary", False, [
            *each("expm1 exp2 exp10 log1p cbrt exprel cosm1", any_ / 4), *each("entr", plus),
            *each("xlogy xlog1py rel_entr kl_div boxcox huber pseudo_huber", plus, b, by=second),
            *each("wrightomega", any_), *each("expit log_expit softmax log_softmax logsumexp", any_),
            *each("logit", unit)]),
        Family("gamma", False, [
            *each("gamma gammaln loggamma rgamma psi", plus), *each("beta betaln poch", a, b, by=second),
            *each("binom", a + 9, b, by=second)]),
        Family("error functions and integrals", False, [
            *each("erf erfc erfcx erfi dawsn wofz sici shichi fresnel", any_), *each("erfinv ndtri", unit),
            *each("ndtr log_ndtr", any_), *each("exp1 expi spence", plus),
            *each("owens_t", any_, b, by=second),
            *each("voigt_profile", any_, a, b, by=(0, 1, 2))]),
        Family("incomplete gamma and beta, by x", False, [
            *each("gammainc gammaincc gammaincinv", a, unit, by=last),
            *each("chdtr chdtrc pdtr", a, plus, by=last),
            *each("betainc betaincinv fdtr", a, b, unit, by=(2,)), *each("stdtr", a, any_, by=last)]),
        Family("Bessel and Airy, by x", False, [
            *each("jv yv iv kv jve yve ive kve", order, plus, by=last),
            *each("j0 j1 y0 y1 i0 i1 k0 k1 i0e i1e k0e k1e airy airye ber kei", plus),
            *each("struve modstruve", order, plus, by=last), *each("spherical_jn", whole, plus, by=last)]),
        Family("elliptic", False, [
            *each("ellipk ellipe", m), *each("ellipkinc ellipeinc", any_, m, by=second),
            *each("ellipj", any_, unit, by=second),
            *each("elliprf elliprd", a, b, plus, by=(0, 2)), *each("elliprc", a, b, by=second)]),
        Family("polynomials, by x", False, [
            *each("eval_chebyt eval_chebyu eval_legendre", degree, inside, by=last),
            *each("eval_hermite eval_hermitenorm eval_laguerre", whole, inside, by=last),
            *each("eval_gegenbauer eval_genlaguerre", whole, a, inside, by=(2,)),
            *each("eval_jacobi", whole, a, b, inside, by=(3,))]),
        Family("hypergeometric, by x", False, [
            *each("hyp0f1", a, any_, by=last), *each("hyp1f1", a, b, any_, by=(2,)),
            *each("hyp2f1", a, b, a + b + 1, inside / 2, by=(3,))]),
        Family("Bessel, by order", True, [*each("jv yv iv kv ive kve", order, plus)]),
        Family("incomplete gamma, by a", True, [
            *each("gammainc gammaincc chdtr", a, plus), *each("gammaincinv", a, unit)]),
        Family("incomplete beta, by a and b", True, [
            *each("betainc betaincinv", a, b, unit, by=second), *each("fdtr", a, b, plus, by=second),
            *each("stdtr", a, any_)]),
        Family("noncentral χ², by its parameters", True, [*each("chndtr", plus, a, b, by=(1, 2))]),
        Family("noncentral F, by its parameters", True, [
            *each("ncfdtr", a, b, order + 1, plus, by=(0, 1, 2))]),
        Family("zeta, by the exponent", True, [*each("zeta", a + 1.1, b)]),
        Family("polynomials, by degree or parameter", True, [
            *each("eval_chebyt eval_chebyu eval_legendre", degree, inside),
            *each("eval_genlaguerre eval_gegenbauer", whole, unit, inside, by=last),
            *each("eval_genlaguerre", degree, unit, inside)]),
        Family("hypergeometric, by parameters", True, [
            *each("hyp0f1", a, any_), *each("hyp1f1 hyperu", a, b, plus, by=second),
            *each("hyp2f1", a, b, a + b + 1, inside / 2, by=(0, 1, 2))]),
        Family("Struve and Wright, by order and parameters", True, [
            *each("struve modstruve", order, plus), *each("wright_bessel", unit, b, plus, by=second)]),
    ]  # fmt: skip


def pullback_of(entry: Entry) -> Callable[[], Any]:
    """The pullback by the one argument, of ones."""
    f, x, i = entry

    def by_one(v: Any) -> Any:
        return f(*x[:i], v, *x[i + 1 :])

    y, pullback = cr.vjp(by_one, x[i])
    return _call(pullback, tuple(map(np.ones_like, y)) if isinstance(y, tuple) else np.ones_like(y))


def cost(family: Family, rounds: int = 15) -> Cost:
    """Each pullback beside its function, in turns."""
    ratios, primals = {}, {}
    for entry in family.entries:
        times = medians(
            {"ours": pullback_of(entry), "bare": _call(entry.f, *entry.x)}, rounds, time.process_time
        )
        primals[entry.name] = times["bare"]
        ratios[entry.name] = times["ours"] / times["bare"]
    return Cost(family, ratios, primals)


def _call(f: Callable[..., Any], *x: Any) -> Callable[[], Any]:
    return lambda: f(*x)


def markdown(costs: list[Cost]) -> str:
    """The table."""
    head = ["pullback over the function, of", "derivatives", "median", "within 3×", "the dearest", "takes"]
    body = []
    for c in costs:
        body.append([*_row(c.family.name, [*c.ratios.values()]), f"`{c.worst}`", f"{c.ratios[c.worst]:.1f}×"])
    for by_parameters, name in ((False, "all closed partials"), (True, "all by parameters")):
        ratios = [r for c in costs if c.family.by_parameters == by_parameters for r in c.ratios.values()]
        body.append([*_row(name, ratios), "", ""])
    return table(head, body)


def _row(name: str, ratios: list[float]) -> list[str]:
    cheap = sum(ratio <= 3 for ratio in ratios) / len(ratios)
    return [name, str(len(ratios)), f"{statistics.median(ratios):.1f}×", f"{cheap:.0%}"]


def main(arguments: list[str]) -> int:
    """Print the table."""
    costs = []
    for family in families():
        print(f"{family.name} …", file=sys.stderr, flush=True)
        costs.append(c := cost(family))
        if "--all" in arguments:
            for name, ratio in c.ratios.items():
                print(f"{family.name:40} {name:22} {duration(c.primals[name]):>8} {ratio:8.1f}×", flush=True)
    print(markdown(costs))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
