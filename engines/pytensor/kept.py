"""Values whose pullbacks wait for the cotangents, so that a function runs once for value and gradient.

Where a graph has a call and the pullback of that call, both are exchanged when it is rewritten: the call for
one that keeps its pullback and gives the number of it as a further output, the pullback for one that takes
the number. A number is given once, so none is ever taken for another run's; an operation keeps its newest
pullback alone, and where a number is older the function runs again. Arguments and values of the call stay
among the inputs of the pullback, so that nothing writes into them before it has run.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import Any

import numpy as np
import pytensor.tensor as pt
from pytensor.compile.mode import optdb
from pytensor.graph.basic import Apply
from pytensor.graph.op import Op
from pytensor.graph.rewriting.basic import in2out, node_rewriter

from ..array_functions import unshared
from .calls import Call, Pull, as_given, fill

_numbers = count()


class Keeping(Call):
    """A call that keeps the pullback for the inputs that `needs` names."""

    def __init__(self, of: Call, needs: Sequence[bool]) -> None:
        super().__init__(of.function, of.out, of.types)
        self.needs = tuple(needs)
        self.newest: tuple[int, Any] = -1, None

    def make_node(self, *x: Any) -> Apply:
        """The node with these inputs."""
        return Apply(self, list(x), [*(t() for t in self.types), pt.lscalar()])

    def perform(self, node: Apply, inputs: Sequence[Any], outputs: Sequence[list[Any]]) -> None:
        """The values of the outputs."""
        x = as_given(inputs)
        _, ys, back = self.function.reverse(x, self.needs)
        self.give(outputs[:-1], unshared(ys, x))
        number = next(_numbers)
        self.newest = number, back
        outputs[-1][0] = np.asarray(number)

    def infer_shape(self, fgraph: Any, node: Apply, shapes: Sequence[Any]) -> list[Any]:
        """The shapes of the outputs; the number has none."""
        return [*super().infer_shape(fgraph, node, shapes)[:-1], ()]


class KeptPull(Op):
    """The pullback of a call that keeps it: of its number, cotangents, and the call's inputs and outputs."""

    def __init__(self, keeping: Keeping, seeded: Sequence[bool], types: Sequence[Any]) -> None:
        self.keeping, self.seeded, self.types = keeping, tuple(seeded), types
        self.x = slice(1 + sum(seeded), 1 + sum(seeded) + len(keeping.needs))

    def __str__(self) -> str:
        return f"{self.keeping}_pullback"

    def make_node(self, *given: Any) -> Apply:
        """The node with these inputs."""
        return Apply(self, list(given), [t() for t in self.types])

    def perform(self, node: Apply, inputs: Sequence[Any], outputs: Sequence[list[Any]]) -> None:
        """The values of the outputs."""
        keeping = self.keeping
        number, back = keeping.newest
        if number != int(inputs[0]):
            back = keeping.function.reverse(as_given(inputs[self.x]), keeping.needs)[2]
        seeds = as_given(inputs[1 : self.x.start])
        left = iter(seeds)
        found = back(seeds if all(self.seeded) else [next(left) if s else None for s in self.seeded])
        fill(self, outputs, unshared([t for t in found if t is not None], seeds), self.types)

    def infer_shape(self, fgraph: Any, node: Apply, shapes: Sequence[Any]) -> list[Any]:
        """Those of the inputs that the cotangents are of."""
        return [s for s, n in zip(shapes[self.x], self.keeping.needs, strict=True) if n]


@node_rewriter([Pull])
def keep_pullback(fgraph: Any, node: Apply) -> Any:
    """Exchange a call and its pullback for ones that run the function once."""
    pull: Pull = node.op
    start = sum(pull.seeded)
    seeds, x = node.inputs[:start], node.inputs[start:]
    for call, _ in fgraph.clients[x[0]]:
        if isinstance(call, Apply) and isinstance(call.op, Call) and _is_run(call, pull, x):
            keeping = Keeping(call.op, pull.needs)
            *ys, number = keeping.make_node(*x).outputs
            found = KeptPull(keeping, pull.seeded, pull.types).make_node(number, *seeds, *x, *ys).outputs
            return dict(zip([*call.outputs, *node.outputs], [*ys, *found], strict=True))
    return False


def _is_run(call: Apply, pull: Pull, x: Sequence[Any]) -> bool:
    same = type(call.op) in (Call, Pull) and call.op.function is pull.of
    return same and len(call.inputs) == len(x) and all(a is b for a, b in zip(call.inputs, x, strict=True))


optdb.register("chainrules_keep_pullback", in2out(keep_pullback), "fast_run", "fast_compile", position=1.7)
