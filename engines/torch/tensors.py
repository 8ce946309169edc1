"""Tensors as arrays and arrays as tensors: on the CPU, the same memory.

A tensor of no dimensions is a NumPy scalar, so that it is a `float` where a rule wants one. What NumPy
has no array for (another device, bfloat16, sparse and quantised tensors) is refused.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from ...core.errors import UnsupportedArgument

_NAMES = "float64 float32 float16 complex128 complex64 int64 int32 int16 int8 uint64 uint32 uint16 uint8 bool"
ARRAY_DTYPES = {getattr(torch, name): np.dtype(name) for name in _NAMES.split()}
"""The dtypes that both have, as NumPy's by PyTorch's."""
TENSOR_DTYPES = {array: tensor for tensor, array in ARRAY_DTYPES.items()}


def is_tensor(value: Any) -> bool:
    """Whether a value is a tensor."""
    return isinstance(value, torch.Tensor)


def differentiable(tensor: torch.Tensor) -> bool:
    """Whether PyTorch has gradients for tensors of this dtype."""
    return bool(tensor.is_floating_point() or tensor.is_complex())


def as_array(f: Callable[..., Any], tensor: torch.Tensor) -> Any:
    """The array that has the tensor's memory."""
    try:
        array = (tensor.detach() if tensor.requires_grad else tensor).numpy()
    except (TypeError, RuntimeError):
        array = _resolved(f, tensor)
    return array.view() if array.ndim else array[()]  # engines make arrays read-only for a time: views can be


def _resolved(f: Callable[..., Any], tensor: torch.Tensor) -> Any:
    """The array of a tensor that is conjugated or negated only by a mark; refused where there is none."""
    if tensor.device.type != "cpu":
        raise UnsupportedArgument(
            f,
            "device",
            str(tensor.device),
            supported=["cpu"],
            why="rules compute with NumPy, in the memory of the processor",
            next="move the tensor there with .cpu(), and the result back with .to(device)",
        )
    if tensor.layout is not torch.strided:
        raise UnsupportedArgument(
            f, "layout", tensor.layout, supported=[torch.strided], next="make it dense with .to_dense()"
        )
    if tensor.dtype not in ARRAY_DTYPES:
        raise UnsupportedArgument(
            f,
            "dtype",
            tensor.dtype,
            supported=[torch.float32, torch.float64],
            why="NumPy has no such dtype",
            next="convert it with .to(torch.float32)",
        )
    try:
        return tensor.detach().resolve_conj().resolve_neg().numpy()
    except RuntimeError as error:
        raise UnsupportedArgument(
            f,
            "x",
            "a tensor without memory of its own",
            why=f"PyTorch says: {str(error).partition(chr(10))[0]}",
            next="use torch.func (vmap, jacrev, jacfwd) in place of is_grads_batched and vectorize",
        ) from error


def as_tensor(value: Any) -> torch.Tensor:
    """The tensor that has the memory of an array, or of a copy where PyTorch cannot have it."""
    array = np.asarray(value)
    flags = array.flags
    if not flags.carray and not (flags.writeable and flags.aligned and min(array.strides, default=0) >= 0):
        array = np.array(array, order="C")
    if not array.dtype.isnative:
        array = array.astype(array.dtype.newbyteorder("="))
    try:
        return torch.from_numpy(array)
    except (TypeError, ValueError) as error:
        raise UnsupportedArgument(
            "to_torch",
            "dtype",
            str(array.dtype),
            why="a result has this dtype, which PyTorch does not have",
            next="convert the result, for instance to float64, inside the function",
        ) from error
