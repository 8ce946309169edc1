"""Moments, entropies and what is made of them, by every parameter, of distributions, frozen or not.

Of z in the standard form they are expectations; loc and scale move them by closed forms.
"""

from __future__ import annotations

from math import comb
from typing import Any

import numpy as np
from scipy.stats._distn_infrastructure import rv_frozen, rv_generic

from ....core import non_differentiable
from ....core.types import Array
from ...written import as_found, own, written_out
from .calls import signature_with, standard
from .discrete import by_whole, moving
from .expectations import expected
from .family import Discrete, family_of
from .integrated import stretch


@written_out(rv_generic.mean, signature=signature_with())
def mean_written_out(dist: rv_generic, *parameters: Array):
    """loc + scale E z"""
    shapes, loc, scale = marked(dist, parameters)
    return as_found(own(dist.mean, *parameters), loc + scale * average(dist, shapes))


@written_out(rv_generic.var, signature=signature_with())
def var_written_out(dist: rv_generic, *parameters: Array):
    """scale² E (z − E z)²"""
    shapes, loc, scale = marked(dist, parameters)
    return as_found(own(dist.var, *parameters), np.square(scale) * central(dist, shapes, 2)[0] + 0.0 * loc)


@written_out(rv_generic.std, signature=signature_with())
def std_written_out(dist: rv_generic, *parameters: Array):
    """√var"""
    return as_found(own(dist.std, *parameters), np.sqrt(dist.var(*parameters)))


@written_out(rv_generic.entropy, signature=signature_with())
def entropy_written_out(dist: rv_generic, *parameters: Array):
    """log scale − E log f"""
    shapes, loc, scale = marked(dist, parameters)
    found = [own(dist.entropy, *shapes)]
    y = expected(dist, shapes, [lambda z, logs: -logs], found, "entropy")[0] + np.log(scale) + 0.0 * loc
    return as_found(own(dist.entropy, *parameters), y)


@written_out(rv_generic.moment, signature=signature_with("order"))
def moment_written_out(dist: rv_generic, order: object, *parameters: Array):
    """E (loc + scale z)ⁿ = Σ (n over k) locⁿ⁻ᵏ scaleᵏ E zᵏ"""
    y = own(dist.moment, order, *parameters)
    shapes, loc, scale = marked(dist, parameters)
    n = own(int, order)
    raw = [1.0, *raws(dist, shapes, n)]
    terms = [own(comb, n, k) * loc ** (n - k) * scale**k * raw[k] for k in range(n + 1)]
    return as_found(y, sum(terms))


@written_out(rv_generic.stats, signature=signature_with(after=("moments",)))
def stats_written_out(dist: rv_generic, *parameters: Array, moments=None):
    """Those asked for of loc + scale μ, scale² μ₂, μ₃/μ₂^{3/2}, μ₄/μ₂² − 3"""
    asked = "mv" if moments is None else moments
    y = own(dist.stats, *parameters, moments=asked)
    shapes, loc, scale = marked(dist, parameters)
    still = 0.0 * (loc + scale)
    values = {}
    if "m" in asked:
        values["m"] = loc + scale * average(dist, shapes)
    if "v" in asked or "s" in asked or "k" in asked:
        over = central(dist, shapes, 4 if "k" in asked else 3 if "s" in asked else 2)
        values["v"] = np.square(scale) * over[0] + 0.0 * loc
        if "s" in asked:
            values["s"] = over[1] / over[0] ** 1.5 + still
        if "k" in asked:
            values["k"] = over[2] / np.square(over[0]) - 3.0 + still
    kept = [values[letter] for letter in "mvsk" if letter in asked]
    if len(kept) == 1:
        return as_found(y, kept[0])
    return tuple([as_found(each, part) for each, part in zip(y, kept, strict=True)])


def marked(dist: Any, parameters: Any) -> Any:
    """The shapes, those of whole numbers marked as such, loc and scale."""
    shapes, loc, scale = standard(dist.numargs, parameters)
    if not isinstance(family_of(dist), Discrete):
        return shapes, loc, scale
    shapes = moving(dist, shapes)
    return shapes, loc + by_whole(dist, shapes), scale


def average(dist: Any, shapes: Any) -> Any:
    """E z"""
    return expected(dist, shapes, [lambda z, logs: z], [own(dist.mean, *shapes)], "mean")[0]


def raws(dist: Any, shapes: Any, most: int) -> Any:
    """E zᵏ for k from 1 on"""
    found = [own(dist.moment, k, *shapes) for k in range(1, most + 1)]
    return expected(dist, shapes, [_power(k, 0.0) for k in range(1, most + 1)], found, "moment")


def central(dist: Any, shapes: Any, most: int) -> Any:
    """E (z − E z)ᵏ for k from 2 on"""
    found = _central_found(dist, shapes, most)
    middle = stretch(average(dist, shapes))
    return expected(dist, shapes, [_power(k, middle) for k in range(2, most + 1)], found, "variance")


def _power(k: int, middle: Any) -> Any:
    return lambda z, logs: (z - middle) ** k


def _central_found(dist: Any, shapes: Any, most: int) -> list[Any]:
    """What SciPy says of the variance, the skewness and the kurtosis, as central moments."""
    with np.errstate(all="ignore"):
        found = [np.asarray(dist.var(*shapes))]
        if most > 2:
            found.append(np.asarray(dist.stats(*shapes, moments="s")) * found[0] ** 1.5)
        if most > 3:
            found.append((np.asarray(dist.stats(*shapes, moments="k")) + 3.0) * np.square(found[0]))
    return [each[()] for each in found]


non_differentiable(_central_found, why="says what SciPy finds")


@written_out(rv_frozen.mean)
def frozen_mean_written_out(frozen: rv_frozen):
    """The mean"""
    return frozen.dist.mean(*frozen.args, **frozen.kwds)


@written_out(rv_frozen.var)
def frozen_var_written_out(frozen: rv_frozen):
    """The variance"""
    return frozen.dist.var(*frozen.args, **frozen.kwds)


@written_out(rv_frozen.std)
def frozen_std_written_out(frozen: rv_frozen):
    """The standard deviation"""
    return frozen.dist.std(*frozen.args, **frozen.kwds)


@written_out(rv_frozen.entropy)
def frozen_entropy_written_out(frozen: rv_frozen):
    """The entropy"""
    return frozen.dist.entropy(*frozen.args, **frozen.kwds)


@written_out(rv_frozen.moment)
def frozen_moment_written_out(frozen: rv_frozen, order: object = None):
    """A moment"""
    return frozen.dist.moment(order, *frozen.args, **frozen.kwds)


@written_out(rv_frozen.stats)
def frozen_stats_written_out(frozen: rv_frozen, *, moments="mv"):
    """Mean, variance, skewness, kurtosis"""
    return frozen.dist.stats(*frozen.args, **frozen.kwds, moments=moments)
