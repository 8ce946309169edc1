"""Functions with rules inside PyTorch, beside an `autograd.Function` written by hand: value and backward."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from benchmarks.by_hand import ByHand, cases
from benchmarks.dispatch import Pair
from benchmarks.engines import installed

import chainrules as cr


def pairs() -> list[Pair]:
    """One row for each function; none where PyTorch is not installed."""
    return [_pair(case) for case in cases()] if installed(["torch"]) else []


def _pair(case: ByHand) -> Pair:
    import torch

    torch.set_num_threads(1)
    x = [torch.tensor(a, requires_grad=True) for a in case.x]
    ours, bare = (_gradient(f, x) for f in (cr.to_torch(case.f), in_torch(case)))
    for found, wanted in zip(ours(), bare(), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-9)
    return Pair(f"to_torch: {case.name}", "autograd.Function by hand", ours, bare)


def _gradient(f: Any, x: list[Any]) -> Callable[[], Any]:
    import torch

    def run() -> Any:
        y = f(*x)
        return torch.autograd.grad(y, x, torch.ones_like(y))

    return run


def in_torch(case: ByHand) -> Any:
    """A function of PyTorch with a hand-written rule in NumPy."""
    import torch

    class InTorch(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, *x: Any) -> Any:
            y = torch.from_numpy(case.f(*[t.detach().numpy() for t in x]))
            ctx.save_for_backward(y, *x)
            return y

        @staticmethod
        def backward(ctx: Any, *y_bar: Any) -> Any:
            given = [t.detach().numpy() for t in (*y_bar, *ctx.saved_tensors)]
            return tuple(map(torch.from_numpy, case.back(*given)))

    return InTorch.apply
