"""Functions with rules inside PyTensor, beside two Ops written by hand: value and cotangents, compiled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from benchmarks.by_hand import ByHand, cases
from benchmarks.dispatch import Pair
from benchmarks.engines import installed

import chainrules as cr


def pairs() -> list[Pair]:
    """One row for each function; none where PyTensor is not installed."""
    return [_pair(case) for case in cases()] if installed(["pytensor"]) else []


def _pair(case: ByHand) -> Pair:
    ours, bare = (_compiled(f, case.x) for f in (cr.to_pytensor(case.f), in_pytensor(case)))
    for found, wanted in zip(ours(), bare(), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-9)
    return Pair(f"to_pytensor: {case.name}", "two Ops by hand", ours, bare)


def _compiled(f: Any, x: tuple[Any, ...]) -> Callable[[], Any]:
    import pytensor
    import pytensor.tensor as pt

    given = [pt.tensor(dtype="float64", shape=a.shape) for a in x]
    y = f(*given)
    graph = [y, *pytensor.grad((y * pt.constant(np.full(y.type.shape, 1.5))).sum(), given)]
    compiled = pytensor.function(given, graph, mode="FAST_COMPILE")
    compiled.trust_input = True
    return lambda: compiled(*x)


def in_pytensor(case: ByHand) -> Any:
    """An Op with a hand-written rule in NumPy, whose pullback is an Op that is given the value too."""
    import pytensor.tensor as pt
    from pytensor.graph.basic import Apply
    from pytensor.graph.op import Op

    y = case.f(*case.x)

    class Pullback(Op):
        def make_node(self, *given: Any) -> Any:
            return Apply(self, list(given), [a.type() for a in given[2:]])

        def perform(self, node: Any, inputs: Any, outputs: Any) -> None:
            for cell, x_bar in zip(outputs, case.back(*inputs), strict=True):
                cell[0] = x_bar

    class Value(Op):
        def make_node(self, *x: Any) -> Any:
            return Apply(self, list(x), [pt.tensor(dtype=y.dtype, shape=y.shape)])

        def perform(self, node: Any, inputs: Any, outputs: Any) -> None:
            outputs[0][0] = case.f(*inputs)

        def pullback(self, inputs: Any, outputs: Any, cotangents: Any) -> Any:
            return Pullback()(*cotangents, *outputs, *inputs, return_list=True)

    return Value()
