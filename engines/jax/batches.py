"""Programs over a batch: one call on the host for all of it.

Where the program broadcasts (an elementwise function; a function of stacks of matrices) it runs once, on
arrays with one axis more; else it runs for one member after another. Push, pull and transpose of a batch are
batches of those; the cotangent of what all members share is the sum of theirs.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .programs import Mask, Space, selected

STACKS = frozenset(
    {
        np.linalg.cholesky,
        np.linalg.det,
        np.linalg.eigh,
        np.linalg.eigvalsh,
        np.linalg.inv,
        np.linalg.pinv,
        np.linalg.qr,
        np.linalg.slogdet,
        np.linalg.solve,
        np.linalg.svd,
        np.linalg.svdvals,
        np.matmul,
    }
)
"""Functions of stacks of matrices, whose keywords do not name axes."""


def batching_of(f: Any, plain: bool, inputs: tuple[Space, ...], keywords: Any) -> str:
    """How a call of f takes one more axis; `plain` says that its arrays are all that it is given."""
    if not plain:
        return "loop"
    if isinstance(f, np.ufunc) and f.signature is None and not keywords:
        return "elementwise"
    ranks = {len(space.shape) for space in inputs}
    return "stacked" if f in STACKS and len(ranks) == 1 and min(ranks) >= 2 else "loop"


class Batch:
    """A program over `size` members: which inputs have an axis for them, which outputs keep it."""

    def __init__(self, base: Any, size: int, mapped: Mask, stacked: Mask) -> None:
        self.base, self.size, self.mapped, self.stacked = base, size, mapped, stacked
        self.inputs = _with_axis(base.inputs, mapped, size)
        self.outputs = _with_axis(base.outputs, stacked, size)
        self.lead, self.batching = base.lead, "loop"
        self.known: dict[Any, Any] = {}

    def run(self, *arrays: Any) -> tuple[Any, ...]:
        """The value, in the declared shapes and dtypes."""
        given = tuple(map(np.asarray, arrays))
        y = self.one_by_one(given) if self.base.batching == "loop" else self.at_once(given)
        return tuple(
            [part if stacked else part.sum(0) for part, stacked in zip(y, self.stacked, strict=True)]
        )

    def one_by_one(self, arrays: tuple[Any, ...]) -> list[Any]:
        """The outputs of every member, in a loop."""
        pairs = tuple(zip(arrays, self.mapped, strict=True))
        members = [self.base.run(*(a[b] if m else a for a, m in pairs)) for b in range(self.size)]
        if not members:
            return [np.zeros((0, *space.shape), space.dtype) for space in self.base.outputs]
        return [np.stack(parts) for parts in zip(*members, strict=True)]

    def at_once(self, arrays: tuple[Any, ...]) -> list[Any]:
        """The outputs of every member, in one call."""
        base, size = self.base, self.size
        rank = max((len(space.shape) for space in base.inputs), default=0)
        wide = []
        for a, m, space in zip(arrays, self.mapped, base.inputs, strict=True):
            ones = rank - len(space.shape) if base.batching == "elementwise" else 0
            whole = a if m else np.broadcast_to(a, (size, *space.shape))
            wide.append(whole.reshape(size, *(1,) * ones, *space.shape))
        found = zip(base.value(*wide), base.outputs, strict=True)
        shapes = [(np.asarray(y), space._replace(shape=(size, *space.shape))) for y, space in found]
        return [base.fitted(y.reshape(space.shape), space) for y, space in shapes]

    def derived(self, kind: str, ins: Mask, outs: Mask) -> Any:
        """See `Program.derived`."""
        key = kind, ins, outs
        if key not in self.known:
            ways = tuple(selected(self.mapped, ins)), tuple(selected(self.stacked, outs))
            taken, made = ways if kind == "push" else ways[::-1]
            inner = self.base.derived(kind, ins, outs)
            self.known[key] = Batch(inner, self.size, (*taken, *self.mapped), made)
        return self.known[key]

    def narrowed(self, lead: Mask) -> Any:
        """See `Program.narrowed`."""
        key = "narrowed", lead
        if key not in self.known:
            mapped = (*selected(self.mapped[: self.lead], lead), *self.mapped[self.lead :])
            self.known[key] = Batch(self.base.narrowed(lead), self.size, mapped, self.stacked)
        return self.known[key]

    def transposed(self, lead: Mask, given: Mask) -> Any:
        """See `Program.transposed`."""
        key = "transposed", lead, given
        if key not in self.known:
            mapped = (*selected(self.stacked, given), *self.mapped[self.lead :])
            inner, made = self.base.transposed(lead, given), selected(self.mapped[: self.lead], lead)
            self.known[key] = Batch(inner, self.size, mapped, tuple(made))
        return self.known[key]


def batch(program: Any, size: int, mapped: Mask) -> Batch:
    """The program over a batch, the same for the same question."""
    key = "batch", size, mapped
    if key not in program.known:
        program.known[key] = Batch(program, size, mapped, (True,) * len(program.outputs))
    made: Batch = program.known[key]
    return made


def _with_axis(spaces: tuple[Space, ...], mask: Mask, size: int) -> tuple[Space, ...]:
    return tuple(Space((size, *s.shape), s.dtype) if m else s for s, m in zip(spaces, mask, strict=True))
