"""A case: one callable at one point, with random directions, and how its checks fail.

The case copies its inputs, so that a callable or rule that writes into them is found out and the
caller's values stay as they are. Differences are made once for each argument and serve both modes; what
several checks ask of the derivative is computed once, too.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from typing import Any, NoReturn, TypeVar

import numpy as np

from ..core.callables import describe, name_of
from ..tangents import NO_TANGENT, ZERO, Zero, ravel, zero_tangent
from .finite import directional
from .measure import note
from .primals import Vector, frozen, mismatch, precision, short, vector
from .random import WithTangent, random_tangent
from .richardson import DifferencesError, Estimate
from .settings import current
from .sources import Source

T = TypeVar("T")


class CheckError(AssertionError):
    """A derivative does not hold what the contract or the differences demand."""

    check = ""
    """The name of the check that failed."""
    call = ""
    """The call at which it failed."""


class Case:
    """A callable with primals, tangents and seeds, and the source of the derivative under test."""

    def __init__(
        self,
        title: str,
        f: Callable[..., Any],
        given: tuple[Any, ...],
        kwargs: Mapping[str, Any],
        source: Source,
    ) -> None:
        self.settings = current()
        self.rng = np.random.default_rng(self.settings.seed)
        self.title = f"{title} of {name_of(f)}"
        self.f, self.kwargs, self.source = f, kwargs, source
        pairs = [x if isinstance(x, WithTangent) else WithTangent(x, None) for x in given]
        self.args = copy.deepcopy(tuple(pair.primal for pair in pairs))
        self.before = copy.deepcopy(self.args)
        self.declared = tuple(pair.tangent for pair in pairs)
        self.tangents = tuple(
            frozen(self.random_direction(x, pair) if pair.tangent is None else pair.tangent)
            for x, pair in zip(self.args, pairs, strict=True)
        )
        self._slopes: dict[int, Estimate] = {}
        self._known: dict[Any, Any] = {}
        self.refuse_to_check_nothing()
        self.y = source.value(*self.args)
        self.unchanged_inputs("the function itself", "function without effects")
        self.seeds = (self.random_seed(), self.random_seed())
        self.eps = precision(*self.args, self.y)
        self.size = float(np.max(np.abs(ravel(self.y)[0]), initial=0.0))
        self.rtol, self.atol = self.settings.tolerances(self.eps)

    def random_direction(self, x: Any, pair: WithTangent) -> Any:
        """A random tangent of an argument, in its constraint if it has one."""
        dx = random_tangent(x, self.rng)
        return dx if pair.within is None else pair.within(dx)

    def random_seed(self) -> Any:
        """A random tangent of the value, which refuses to be written into."""
        return frozen(random_tangent(self.y, self.rng))

    def refuse_to_check_nothing(self) -> None:
        """Fail where there are numbers that nobody moves; a call without any, as of `sum([])`, is a case."""
        left = (zero_tangent(x) for x, dx in zip(self.args, self.declared, strict=True) if dx is None)
        if not self.moved and any(len(ravel(zero)[0]) for zero in left):
            self.fail(
                "nothing to check", "no argument is perturbed",
                next="give floats, or say a tangent: with_tangent(3, 1.0)",
            )  # fmt: skip

    @property
    def moved(self) -> list[int]:
        """The arguments that are perturbed."""
        return [i for i, dx in enumerate(self.tangents) if dx is not NO_TANGENT and type(dx) is not Zero]

    def immovable(self, i: int) -> bool:
        """Whether argument i must be answered with `NoTangent()`: a flag or a name, or declared so."""
        if self.declared[i] is not None:
            return self.declared[i] is NO_TANGENT
        return zero_tangent(self.args[i]) is NO_TANGENT and not callable(self.args[i])

    @property
    def needs(self) -> tuple[bool, ...]:
        """The cotangents asked for: of what is perturbed, and of what must answer `NoTangent()`."""
        return tuple(i in self.moved or self.immovable(i) for i in range(len(self.args)))

    def needs_only(self, i: int) -> tuple[bool, ...]:
        """The cotangent of argument i alone asked for."""
        return tuple(i == j for j in range(len(self.args)))

    def only(self, i: int) -> tuple[Any, ...]:
        """The tangents with every argument but i at rest."""
        return tuple(dx if j == i else ZERO for j, dx in enumerate(self.tangents))

    def slope(self, i: int) -> Estimate:
        """The derivative along argument i's tangent by differences, as a vector like the value."""
        if i not in self._slopes:
            try:
                estimate = directional(self.source.value, self.args, self.only(i), self.y)
            except DifferencesError as error:
                self.fail("differences", error.what, argument=i, next=error.next, cause=error)
            size, error_size = (float(np.max(np.abs(v), initial=0.0)) for v in estimate)
            flat = self.eps**0.5 * self.size
            if not 10 * error_size <= max(5e-4, self.rtol) * size + self.atol + flat:
                self.fail(
                    "differences",
                    f"they do not settle: {size:.6g} with an error of {error_size:.1e}",
                    argument=i,
                    next="move the point away from a corner or an edge, or give max_range or side",
                )
            self._slopes[i] = estimate
        return self._slopes[i]

    def once(self, what: Any, compute: Callable[[], T]) -> T:
        """What compute() gives, computed for the first check that asks for it."""
        if what not in self._known:
            self._known[what] = compute()
        return self._known[what]  # type: ignore[no-any-return]

    def attempt(self, check: str, fn: Callable[..., Any], *args: Any, argument: int | None = None) -> Any:
        """fn(*args), where anything that it raises is a failure of this check."""
        try:
            return fn(*args)
        except CheckError:
            raise
        except Exception as error:
            what = f"{type(error).__name__}: {error}"
            if isinstance(error, ValueError) and "read-only" in str(error):
                check, what = "seeds are borrowed", f"it writes into its seed or tangent ({error})"
            self.fail(check, what, argument=argument, cause=error)

    def unchanged_inputs(self, who: str, check: str = "inputs are unchanged") -> None:
        """Fail where an input is no longer what it was."""
        for i, (now, before) in enumerate(zip(self.args, self.before, strict=True)):
            if found := mismatch(now, before):
                self.fail(check, f"{who} wrote into it: {found}", argument=i)

    def vector(self, check: str, t: Any, like: Any, argument: int | None = None) -> Vector:
        """A tangent as a vector; failing where it is no tangent of `like`."""
        return self.attempt(check, vector, t, like, argument=argument)  # type: ignore[no-any-return]

    def number(self, value: Any) -> Vector:
        """A number as a vector of one entry, a vector as it is."""
        return np.atleast_1d(np.asarray(value, dtype=float))

    def same(
        self,
        check: str,
        got: Vector,
        want: Vector,
        *,
        named: tuple[str, str],
        argument: int | None = None,
        scale: Vector | float | None = None,
        error: Vector | float = 0.0,
        rtol: float | None = None,
    ) -> None:
        """Fail where two vectors differ by more than the tolerance and the error of the second.

        `scale` is the size that the relative tolerance refers to, by default that of the entries.
        """
        if got.shape != want.shape:
            self.fail(check, f"{len(got)} numbers and {len(want)}", argument=argument)
        rtol = self.rtol if rtol is None else rtol
        size = np.max(np.abs(want), initial=0.0)
        each = np.abs(want) if scale is None else scale
        rounding = max(1e-9, 1e3 * self.eps) * size + 100 * self.eps * self.size
        tolerance = self.atol + rtol * each + rounding + 10 * np.asarray(error)
        off = np.abs(got - want)
        if check.endswith("against differences"):
            note(float(np.max(off, initial=0.0) / np.max(each, initial=max(size, 1e-4))))
        wrong = ~(off <= tolerance)
        if not np.any(wrong):
            return
        worst = int(np.argmax(np.where(np.isnan(off), np.inf, off) / tolerance))
        relative = off[worst] / max(abs(want[worst]), abs(got[worst]), np.finfo(float).tiny)
        place = f" (entry {worst} of {len(want)})" if len(want) > 1 else ""
        a, b = (f"{name} {v[worst]:.10g}" for name, v in zip(named, (got, want), strict=True))
        self.fail(check, f"{a}, {b}{place}; relative error {relative:.1e}", argument=argument)

    def fail(
        self, check: str, what: str, *, argument: int | None = None, next: str = "", cause: Any = None
    ) -> NoReturn:
        """Raise: which check, which argument, what was found, and how to see it again."""
        about = "" if argument is None else f", argument {argument} ({describe(self.before[argument])})"
        keywords = [f"{k}={short(v)}" for k, v in self.kwargs.items()]
        call = f"{name_of(self.f)}({', '.join([*map(short, self.before), *keywords])})"
        mode = check.partition(" ")[0]
        lines = [f"{self.title}: {check}{about}: {what}", f"  where: {call}"]
        if mode in ("forward", "reverse"):
            lines.append(f"  rule: {self.source.describe(mode)}")
        lines += [f"  next: {next}"] * bool(next)
        lines.append(f"  again: with {self.settings}")
        error = CheckError("\n".join(lines))
        error.check, error.call = check, call
        raise error from cause
