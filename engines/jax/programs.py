"""Programs on the host: functions from arrays to arrays, with their pushforwards and pullbacks.

A program is an `ArrayFunction` with the shapes and dtypes of what it takes and gives. Its push and pull
are programs too: they take tangents or cotangents, in which they are linear, and behind them its own arrays
(`lead` counts the former). So a second derivative is the push or pull of one of these, and so on.

Cotangents are those of JAX, the conjugates of ours. A pushforward or pullback of x ↦ c(f(d(x))), c and d
being conjugations or not, is of that form again; so each input and output has a mark that says whether it is
turned. What nobody asks for (`ins`) is not computed, and what is zero (`outs`) is given as a zero.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ...core.callables import name_of
from ...core.errors import ShapeMismatch
from ..adapters.array_functions import ArrayFunction
from ..leaves import Layout

Mask = tuple[bool, ...]

KINDS = "biufc"


class Space(NamedTuple):
    """Shape and dtype of an array; whether it stands for a plain Python number; whether it is turned."""

    shape: tuple[int, ...]
    dtype: Any
    number: bool = False
    turned: bool = False

    @property
    def moves(self) -> bool:
        """Whether it has tangents."""
        return self.dtype.kind in "fc"

    def given(self, a: Any) -> Any:
        """An array of JAX's as the program sees it; a number where there are no axes."""
        a = a.conj() if self.turned and self.dtype.kind == "c" else a
        return a if a.ndim else a.item() if self.number else a[()]

    def turn(self) -> Space:
        """The space of its cotangents."""
        return self._replace(turned=not self.turned)


class Linear(NamedTuple):
    """That a program is the push or pull of another between some of its inputs and outputs."""

    base: Program
    kind: str
    ins: Mask
    outs: Mask


class Program:
    """An array function whose value has the layout `out`."""

    def __init__(
        self,
        function: ArrayFunction,
        out: Layout,
        inputs: tuple[Space, ...],
        outputs: tuple[Space, ...],
        batching: str = "loop",
        linear: Linear | None = None,
    ) -> None:
        self.function, self.out = function, out
        self.inputs, self.outputs = inputs, outputs
        self.batching, self.linear = batching, linear
        self.lead = 0 if linear is None else sum(linear.ins if linear.kind == "push" else linear.outs)
        self.known: dict[Any, Any] = {}
        self.kept: Callable[..., Any] | None = None  # finds what its pull gives; see kept.py

    def run(self, *arrays: Any) -> tuple[Any, ...]:
        """The value, in the declared shapes and dtypes."""
        given = tuple(map(np.asarray, arrays))
        if self.linear is not None and self.linear.kind == "pull" and self.linear.base.kept is not None:
            found: tuple[Any, ...] | None = self.linear.base.kept(self, given)
            if found is not None:
                return found
        return self.declared(self.value(*given))

    def value(self, *arrays: Any) -> list[Any]:
        """What the function makes of arrays."""
        pairs = zip(arrays, self.inputs, strict=True)
        return self.function.arrays([space.given(a) for a, space in pairs], self.out)

    def declared(self, ys: list[Any]) -> tuple[Any, ...]:
        """The arrays that the function made, as they were declared."""
        if len(ys) != len(self.outputs):
            raise ShapeMismatch(
                f"{name_of(self.function.f)} gave {len(ys)} arrays where {len(self.outputs)} were declared",
                next="return the same structure for all values of the arguments",
            )
        return tuple([self.fitted(y, space) for y, space in zip(ys, self.outputs, strict=True)])

    def fitted(self, y: Any, space: Space) -> Any:
        """One array of the value as it was declared; another shape, or a richer kind, is refused."""
        a = np.asarray(np.conj(y) if space.turned else y)
        if a.shape == space.shape and KINDS.index(a.dtype.kind) <= KINDS.index(space.dtype.kind):
            return a.astype(space.dtype, copy=False)
        raise ShapeMismatch(
            f"{name_of(self.function.f)} gave an array of shape {a.shape} and dtype {a.dtype} "
            f"where {space.shape} and {space.dtype} were declared",
            next="JAX has no place for a shape or dtype that depends on values: convert the result in f, "
            "or declare what it is with to_jax(f, value=...)",
        )

    def derived(self, kind: str, ins: Mask, outs: Mask) -> Any:
        """Its `push` or `pull` between these inputs and outputs."""
        key = kind, ins, outs
        if key not in self.known:
            self.known[key] = self._derived(kind, ins, outs)
        return self.known[key]

    def _derived(self, kind: str, ins: Mask, outs: Mask) -> Program:
        taken, made = selected(self.inputs, ins), selected(self.outputs, outs)
        if kind == "push":
            function = self.function.pushed(self.out, outs, ins)
        else:
            function = self.function.pulled(self.out, outs, ins)
            taken, made = [space.turn() for space in made], [space.turn() for space in taken]
        assert function.out is not None
        inputs, linear = (*taken, *self.inputs), Linear(self, kind, ins, outs)
        return Program(function, function.out, inputs, tuple(made), self.batching, linear)

    def narrowed(self, lead: Mask) -> Any:
        """The same with a part of its lead, the rest being zero."""
        assert self.linear is not None
        base, kind, ins, outs = self.linear
        if kind == "push":
            return base.derived("push", among(ins, lead), outs)
        return base.derived("pull", ins, among(outs, lead))

    def transposed(self, lead: Mask, given: Mask) -> Any:
        """What pulls the cotangents of the outputs given back to a part of the lead."""
        assert self.linear is not None
        base, kind, ins, outs = self.linear
        if kind == "push":
            return base.derived("pull", among(ins, lead), among(outs, given))
        return base.derived("push", among(ins, given), among(outs, lead))


def among(mask: Mask, chosen: Mask) -> Mask:
    """The mask of those that `chosen` picks among the ones set."""
    picks = iter(chosen)
    return tuple([m and next(picks) for m in mask])


def selected(things: Any, mask: Mask) -> list[Any]:
    """Those that the mask names."""
    return [thing for thing, m in zip(things, mask, strict=True) if m]
