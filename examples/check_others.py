"""The test kit without rules of ours: JAX's eigh and a PyTorch function with their own derivatives.

`from_jax` and `from_torch` hand a function with its own derivatives to `check_derivatives`, which holds them
to finite differences, to linearity, and the two modes to one another. The PyTorch function is written twice,
the second time with a slip in its backward, which is found, with the argument and both numbers.

Run `python scripts/run.py check_others`, or this file where chainrules[jax,torch] is installed.
"""

from typing import Any

import jax
import numpy as np
import torch

from chainrules.testing import check_derivatives, from_jax, from_torch


class LogCosh(torch.autograd.Function):
    """log(cosh(s x)), without overflow."""

    @staticmethod
    def forward(ctx: Any, x: Any, s: Any) -> Any:
        ctx.save_for_backward(x, s)
        return torch.logaddexp(s * x, -s * x) - np.log(2.0)

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        x, s = ctx.saved_tensors
        slope = torch.tanh(s * x)
        return g * s * slope, g * x * slope


class LogCoshWithASlip(LogCosh):
    """The same, its second cotangent short of a factor."""

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        x, s = ctx.saved_tensors
        slope = torch.tanh(s * x)
        return g * s * slope, g * slope


def main() -> None:
    """Check all three."""
    matrix = np.random.default_rng(0).normal(size=(4, 4))
    with jax.enable_x64(True):
        check_derivatives(from_jax(jax.numpy.linalg.eigh), matrix + matrix.T)
    print("jax.numpy.linalg.eigh: both modes passed")
    x, s = np.array([-3.0, 0.4, 2.0]), np.array([0.5, 1.5, -1.0])
    check_derivatives(from_torch(LogCosh.apply), x, s)
    print("LogCosh: reverse mode passed\n")
    try:
        check_derivatives(from_torch(LogCoshWithASlip.apply), x, s)
    except AssertionError as error:
        print(f"AssertionError: {error}")


if __name__ == "__main__":
    main()
