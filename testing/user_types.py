"""`check_type(T, x)`: what a type promises of its tangents, held at one point.

The tangent of a tangent is itself; a zero moves nothing; tangents are a vector space; moving changes nothing
but its result, has the tangent for its derivative, and is undone by `difference`; the pullback of a function
of x pairs with tangents as differences do, ⟨x̄, ẋ⟩ = d/ds f(move(x, s ẋ)); the metric is linear, symmetric and
positive; projecting a tangent changes nothing; `ravel`, a copy, and the variables of a declared type lead
back. Each is a check with a name.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..core import default_engine
from ..tangents import (
    ZERO,
    Composite,
    add,
    difference,
    fields_of,
    from_fields,
    inner,
    move,
    norm,
    project_to,
    ravel,
    scale,
    to_tangent,
    zero_tangent,
)
from ..tangents.declared import canonical_of
from ..tangents.naturals import is_natural
from ..tangents.registered import naturals
from ..tangents.structure import named_parts, parts
from ..types import all_variables, all_variables_type, tangent_type
from .case import CheckError
from .settings import current

Read = Callable[[Any], Any]


@dataclass(frozen=True)
class _Type:
    """The type under test at a point: two random tangents, how its numbers are read, and tolerances."""

    T: Any
    x: Any
    t: Any
    u: Any
    read: Read
    coarse: float  # how much of a step rounding may swallow, as in quantised numbers
    rng: np.random.Generator

    def demand(self, check: str, holds: bool, what: str) -> None:
        """Raise with the name of the check unless it holds."""
        if not holds:
            error = CheckError(f"check_type of {self.T.__qualname__}, {check}: {what}")
            error.check, error.call = check, f"check_type({self.T.__qualname__}, x)"
            raise error

    def near(self, check: str, a: float, b: float, what: str, rtol: float = 1e-6) -> None:
        """Raise unless two numbers agree."""
        holds = abs(a - b) <= rtol * max(abs(a), abs(b), 1e-3) + self.coarse
        self.demand(check, holds, f"{what}: {a} against {b}")

    def same(self, check: str, s: Any, t: Any, what: str, rtol: float = 1e-6) -> None:
        """Raise unless two tangents agree."""
        gap = norm(add(s, scale(-1.0, t)))
        size = max(norm(s), norm(t), 1e-3)
        self.demand(
            check, gap <= rtol * size + self.coarse, f"{what}: they differ by {gap:.3g} of {size:.3g}"
        )


def check_type(T: Any, x: Any, *, read: Read | None = None, coarse: float = 0.0) -> None:
    """Check what a type promises of its tangents at the point x; silent where everything holds.

    Shapes:  `read(x)` gives an array of numbers that a program reads from x, by default all that x holds
             (or `x.point`, `x.matrix`, `x.weights`, `x.dequantize()`). `coarse` is the step that rounding may
             swallow, where x is kept in few bits.
    Raises:  AssertionError that names the check and the numbers; TypeError where x is no T, or nothing says
             how to read it.
    Example: >>> check_type(cr.types.Sphere, cr.types.Sphere([0.6, 0.8]))
    """
    if type(x) is not T:
        raise TypeError(f"x is a {type(x).__qualname__}, not a {T.__qualname__}")
    rng = np.random.default_rng(current().seed)
    zero = _unmarked(x, zero_tangent(x))
    vector, unravel = ravel(zero)
    t, u = (project_to(x)(unravel(rng.uniform(0.2, 1.0, vector.shape))) for _ in range(2))
    point = _Type(T, x, t, u, read or _reader(x), coarse, rng)
    before = copy.deepcopy(x)
    for check in (_vectors, _tangents, _zeros, _moves, _pairs, _metric, _leads_back):
        check(point)
        point.demand("purity", _equal(x, before), f"{check.__name__[1:]} changed x")


def _tangents(p: _Type) -> None:
    T = tangent_type(p.T)
    p.demand("tangents", tangent_type(T) is T, f"the tangent type of {T} is {tangent_type(T)}")
    V = all_variables_type(p.T)
    p.demand("variables", tangent_type(V) is T, f"{V} has other tangents than {p.T}")
    natural = naturals.of(p.T)
    if natural is not None:
        zero = zero_tangent(p.x)
        p.demand("zero", isinstance(zero, natural.T), f"a zero is a {type(zero)}, not a {natural.T}")
    p.same("projection", project_to(p.x)(p.t), p.t, "a tangent projected is another")


def _zeros(p: _Type) -> None:
    p.demand("zero", move(p.x, ZERO) is p.x, "move(x, Zero()) is not x")
    zero = zero_tangent(p.x)
    p.demand("zero", norm(zero) == 0.0, f"the norm of the zero is {norm(zero)}")
    p.same("zero", add(p.t, zero), p.t, "t + 0 and t")
    gap = np.abs(p.read(move(p.x, zero)) - p.read(p.x)).max(initial=0.0)
    p.demand("zero", gap <= 1e-12 + p.coarse, f"move(x, zero) is {gap:.3g} from x")


def _vectors(p: _Type) -> None:
    p.near("inner product", inner(p.t, p.u), inner(p.u, p.t), "⟨t, u⟩ and ⟨u, t⟩")
    p.demand("inner product", inner(p.t, p.t) > 0, f"⟨t, t⟩ is {inner(p.t, p.t)}")
    p.near("multiples", norm(scale(2.0, p.t)), 2 * norm(p.t), "the norms of 2 t and t")
    p.near("inner product", inner(scale(2.0, p.t), p.u), 2 * inner(p.t, p.u), "⟨2 t, u⟩ and 2 ⟨t, u⟩")
    p.same("addition", add(p.t, p.u), add(p.u, p.t), "t + u and u + t")
    p.same("multiples", scale(2.0, p.t), add(p.t, p.t), "2 t and t + t")


def _moves(p: _Type) -> None:
    moved = move(p.x, scale(0.1, p.t))
    p.demand("moving", type(moved) is p.T, f"a moved {p.T} is a {type(moved)}")
    back = move(p.x, _unmarked(p.x, difference(moved, p.x)))
    gap = np.abs(p.read(back) - p.read(moved)).max(initial=0.0)
    p.demand("difference", gap <= 1e-8 + p.coarse, f"move(x, difference(y, x)) is {gap:.3g} from y")
    h = 1e-5
    if not p.coarse:
        step = scale(1 / h, _unmarked(p.x, difference(move(p.x, scale(h, p.t)), p.x)))
        p.same("moving", step, p.t, "the derivative of move(x, s t) in s and t", rtol=1e-3)


def _pairs(p: _Type) -> None:
    weights = p.rng.uniform(0.2, 1.0, np.shape(p.read(p.x)))
    read = p.read

    def f(x: Any) -> Any:
        return np.sum(weights * read(x) ** 2)

    _, pullback = default_engine().value_and_pullback(f, p.x)
    x_bar = project_to(p.x)(pullback(1.0)[0])
    _, push = default_engine().value_and_pushforward(f, p.x)
    h = 0.05 if p.coarse else 1e-5
    ahead, behind = move(p.x, scale(h, p.t)), move(p.x, scale(-h, p.t))
    slope = float(f(ahead) - f(behind)) / (2 * h)
    along = project_to(1.0)(push(p.t))
    slack = p.coarse / h * float(np.sum(np.abs(2 * weights * read(p.x))))
    p.demand(
        "pairing",
        abs(inner(x_bar, p.t) - slope) <= 1e-4 * max(abs(slope), 1e-2) + slack,
        f"⟨x̄, t⟩ is {inner(x_bar, p.t)}, and differences along t give {slope}",
    )
    p.near("pairing", inner(x_bar, p.t), along, "⟨x̄, t⟩ and the tangent of f along t")


def _metric(p: _Type) -> None:
    a, b = p.t, p.u
    ga, gb = to_tangent(p.x, a), to_tangent(p.x, b)
    p.near("metric", inner(a, gb), inner(b, ga), "the metric is not symmetric, ⟨a, G b⟩ and ⟨b, G a⟩")
    p.same(
        "metric",
        to_tangent(p.x, add(a, scale(2.0, b))),
        add(ga, scale(2.0, gb)),
        "G (a + 2 b) and G a + 2 G b",
    )
    p.demand("metric", inner(a, ga) > 0, f"the metric is not positive, ⟨a, G a⟩ is {inner(a, ga)}")


def _leads_back(p: _Type) -> None:
    vector, unravel = ravel(p.t)
    p.same("ravel", unravel(vector), p.t, "unravel(ravel(t)) and t")
    p.same("copies", copy.deepcopy(p.t), p.t, "a copy of t and t")
    declared = canonical_of(p.T)
    if declared is None:
        return
    shown = declared.present({name: getattr(p.t, name) for name in declared.names})
    p.same("canonical form", project_to(p.x)(shown), p.t, "a tangent in its canonical form and t")
    variables = all_variables(p.x)
    kept = all(_equal(getattr(variables, n), getattr(p.x, n)) for n in declared.names)
    p.demand("variables", kept or not _plain(p.x, declared.names), "all_variables(x) are not those of x")
    moved = move(p.x, p.t)
    for name in (parts(p.x) or {}) if isinstance(parts(p.x), dict) else ():
        same = name in declared.names or _equal(getattr(moved, name), getattr(p.x, name))
        p.demand("marked fields", same, f"moving changed {name}, which is marked to have no derivative")


def _unmarked(x: Any, t: Any) -> Any:
    """A tangent of x without those of fields that are marked to have none."""
    if not isinstance(t, Composite) or isinstance(x, Composite):
        return t
    declared, given, inside = canonical_of(type(x)), fields_of(t), named_parts(x)
    if not isinstance(given, dict):
        return from_fields(type(x), [_unmarked(v, w) for v, w in zip(inside, given, strict=True)])
    names = given if declared is None else declared.names
    return from_fields(type(x), {n: _unmarked(inside[n], given[n]) for n in names if n in given})


def _plain(x: Any, names: tuple[str, ...]) -> bool:
    """Whether no field of x is of a declared type itself, whose variables are of another class."""
    return all(canonical_of(type(getattr(x, name))) is None for name in names)


def _reader(x: Any) -> Read:
    """How the numbers of x are read by a program."""
    for name in ("point", "matrix", "weights"):
        if hasattr(x, name) and is_natural(x):
            return lambda x, name=name: getattr(x, name)  # type: ignore[misc]  # a default that is not given
    if hasattr(x, "dequantize"):
        return lambda x: x.dequantize()
    if isinstance(x, np.ndarray | np.generic | int | float | complex):
        return np.asarray
    if is_natural(x):
        raise TypeError(f"nothing says how the numbers of a {type(x).__qualname__} are read: give read=")
    steps = _leaves(x)
    return lambda x: np.concatenate([np.ravel(read(x)) for read in steps])


def _leaves(x: Any) -> list[Read]:
    """A reader for each part of x that has numbers."""
    declared = canonical_of(type(x))
    inside = parts(x) or {}
    if declared is not None:
        inside = {name: getattr(x, name) for name in declared.names}
    named = isinstance(inside, dict) and not isinstance(x, dict)
    found: list[Read] = []
    for key, part in inside.items() if isinstance(inside, dict) else enumerate(inside):
        take = _taking(key, named)
        if isinstance(part, Composite) or (not is_natural(part) and parts(part)):
            found += [_after(take, read) for read in _leaves(part)]
        elif is_natural(part) and not isinstance(part, bool | np.bool_):
            found.append(_after(take, _reader(part)))
    return found


def _taking(key: Any, named: bool) -> Read:
    return (lambda x: getattr(x, key)) if named else (lambda x: x[key])


def _after(take: Read, read: Read) -> Read:
    return lambda x: read(take(x))


def _equal(a: Any, b: Any) -> bool:
    """Whether two values hold the same, without asking their class."""
    if type(a) is not type(b):
        return False
    if isinstance(a, np.ndarray):
        return a.shape == b.shape and bool(np.array_equal(a, b))
    inside, other = parts(a), parts(b)
    if not inside or type(inside) is not type(other) or len(inside) != len(other):
        return bool(a == b)
    if isinstance(inside, dict):
        return inside.keys() == other.keys() and all(_equal(v, other[k]) for k, v in inside.items())
    return all(map(_equal, inside, other))
