"""Values whose pullbacks wait for the cotangents, so that a function runs once for value and gradient.

Where a graph has a call and the pullback of that call, both are exchanged when it is rewritten: the call for
one that keeps its pullback, the pullback for one that takes it from there. An operation keeps its newest
pullback alone, with the value that it belongs to. The value is among the inputs of the pullback, and one of
another run is another array: there the function runs again. Arguments and values being inputs of the
pullback, nothing writes into them before it has run.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from pytensor.compile.mode import optdb
from pytensor.graph.basic import Apply
from pytensor.graph.op import Op
from pytensor.graph.rewriting.basic import in2out, node_rewriter

from ...core.caches import generation
from ..adapters.array_functions import alone, cotangents, own
from .calls import Call, Pull, as_given, fill, is_of, moves


class Keeping(Call):
    """A call that keeps the pullback for the inputs that `needs` names."""

    def __init__(self, of: Call, needs: Sequence[bool]) -> None:
        super().__init__(of.function, of.out, of.types)
        self.needs = tuple(needs)
        self.newest: tuple[Any, Any, Any] = None, None, None  # see `perform`
        self.since, self.rule = -1, None  # what `find` found, and when

    def make_node(self, *x: Any) -> Apply:
        """The node with these inputs."""
        return Apply(self, list(x), [t() for t in self.types])

    def perform(self, node: Apply, inputs: Sequence[Any], outputs: Sequence[list[Any]]) -> None:
        """The values of the outputs.

        What is kept is the first array of the value, which says whose the rest is, and the pullback; with the
        arguments, where the pullback is that of f's own rule as it is.
        """
        rule = self.rule if self.since == generation() else self.find(inputs)
        if rule is None:
            out, ys, back = self.function.reverse(as_given(inputs), self.needs)
        else:
            y, back = rule(*inputs)
            if type(y) is np.ndarray and is_of(y, self.types[0]):
                outputs[0][0] = y = own(y, inputs)
                self.newest = y, back, inputs
                return
            out, ys, back = self.function.opened(y, back, inputs, self.needs)
        self.function.hold(out, self.out)
        fill(self.function.f, outputs, alone(ys), self.types)
        self.newest = outputs[0][0], back, None

    def find(self, inputs: Sequence[Any]) -> Any:
        """f's own rule, where every input and the value are single arrays with axes and the value moves."""
        self.since, self.rule = generation(), None
        one = len(self.types) == 1 and self.types[0].ndim and moves(self.types[0])
        if one and all(type(a) is np.ndarray and a.ndim for a in inputs):
            self.rule = self.function.own_rule(inputs, self.needs)
        return self.rule


class KeptPull(Op):
    """The pullback of a call that keeps it: of cotangents, and the call's inputs and outputs."""

    def __init__(self, keeping: Keeping, seeded: Sequence[bool], types: Sequence[Any]) -> None:
        self.keeping, self.seeded, self.types = keeping, tuple(seeded), types
        self.x = slice(sum(seeded), sum(seeded) + len(keeping.needs))
        self.y = self.x.stop

    def __str__(self) -> str:
        return f"{self.keeping}_pullback"

    def make_node(self, *given: Any) -> Apply:
        """The node with these inputs."""
        return Apply(self, list(given), [t() for t in self.types])

    def perform(self, node: Apply, inputs: Sequence[Any], outputs: Sequence[list[Any]]) -> None:
        """The values of the outputs."""
        keeping, given = self.keeping, inputs[self.y]
        value, back, x = keeping.newest
        if value is not given and not _is_same(value, given):
            back, x = keeping.function.reverse(as_given(inputs[self.x]), keeping.needs)[2], None
        if x is not None:
            found = cotangents(back(inputs[0]), x, keeping.needs)
        else:
            left = iter(as_given(inputs[: self.x.start]))
            found = back([next(left) if s else None for s in self.seeded])
        i = 0
        for t in found:
            if t is not None:
                outputs[i][0] = t if type(t) is np.ndarray else np.asarray(t)
                i += 1

    def infer_shape(self, *given: Any) -> list[Any]:
        """Those of the inputs that the cotangents are of."""
        *_, shapes = given  # after the node, and in an older PyTensor the graph
        return [s for s, n in zip(shapes[self.x], self.keeping.needs, strict=True) if n]


def _is_same(kept: Any, value: Any) -> bool:
    """Whether two are the same array, in spite of being two objects; one that is kept keeps its memory."""
    same = kept is not None and kept.size and kept.dtype == value.dtype and kept.shape == value.shape
    return bool(same) and kept.__array_interface__ == value.__array_interface__


@node_rewriter([Pull])
def keep_pullback(fgraph: Any, node: Apply) -> Any:
    """Exchange a call and its pullback for ones that run the function once."""
    pull: Pull = node.op
    start = sum(pull.seeded)
    seeds, x = node.inputs[:start], node.inputs[start:]
    for call, _ in fgraph.clients[x[0]]:
        if isinstance(call, Apply) and isinstance(call.op, Call) and _is_run(call, pull, x):
            keeping = Keeping(call.op, pull.needs)
            ys = keeping.make_node(*x).outputs
            found = KeptPull(keeping, pull.seeded, pull.types).make_node(*seeds, *x, *ys).outputs
            return dict(zip([*call.outputs, *node.outputs], [*ys, *found], strict=True))
    return False


def _is_run(call: Apply, pull: Pull, x: Sequence[Any]) -> bool:
    same = type(call.op) in (Call, Pull) and call.op.function is pull.of
    return same and len(call.inputs) == len(x) and all(a is b for a, b in zip(call.inputs, x, strict=True))


optdb.register("chainrules_keep_pullback", in2out(keep_pullback), "fast_run", "fast_compile", position=1.7)
