"""PyTorch's functions inside our programs: what `from_torch` gives.

NumPy's arrays reach PyTorch without a copy, results are copies. Pullbacks are `torch.func.vjp`, pushforwards
`torch.func.jvp`, functions of tensors again. What PyTorch has no derivative for is its own error, and so is
forward mode within forward mode by dual tensors. The named tuples of PyTorch come back as tuples.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from ...core.errors import AliasedMutationError
from ..adapters.foreign import Arrays, Flat, Foreign, arrays_of
from ..adapters.structure import Fixed, Node, Spec, build
from .tensors import as_array, as_tensor, differentiable

# PyTorch's forward mode compiles a few functions by a way of its own that it has deprecated.
_OWN_WARNING = "`torch.jit.script` is deprecated"


class TorchFlat(Flat):
    """A function of tensors."""

    def on_host(self, arrays: Arrays) -> Arrays:
        """The value at NumPy's arrays."""
        x = [_as_input(a) for a in arrays]
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", _OWN_WARNING, DeprecationWarning)
            found = self.f(*x)
        refuse_written(self.name, x)
        return tuple([_as_output(self.f, y) for y in found])

    def moving(self, *x: Any) -> Arrays:
        """What of the value has gradients."""
        return tuple([y for y in self.f(*x) if differentiable(y)])

    def pull(self, count: int) -> Flat:
        """The pullback, by PyTorch."""

        def pulled(*given: Any) -> Arrays:
            vjp: Any = torch.func.vjp
            y, back = vjp(self.moving, *given[-count:])
            found: Arrays = back(tuple([t.to(part.dtype) for t, part in zip(given[:-count], y, strict=True)]))
            return found

        return TorchFlat(f"the pullback of {self.name}", pulled)

    def push(self, count: int) -> Flat:
        """The pushforward, by PyTorch."""

        def pushed(*given: Any) -> Arrays:
            x = given[count:]
            dx = tuple([t.to(a.dtype) for t, a in zip(given[:count], x, strict=True)])
            dy: Arrays = torch.func.jvp(self.moving, x, dx)[1]
            return dy

        return TorchFlat(f"the pushforward of {self.name}", pushed)


def refuse_written(name: str, x: list[torch.Tensor]) -> None:
    """Refuse a function that wrote into its tensors, which were just made: derivatives run it again."""
    if any(t._version for t in x):
        raise AliasedMutationError(
            f"{name} writes into its arguments, so that its derivative would be taken elsewhere",
            closest="a function may write into tensors that it made itself",
            next="let it work on copies: x = x.clone()",
        )


def _as_input(value: Any) -> torch.Tensor:
    return value if isinstance(value, torch.Tensor) else as_tensor(value)


def _as_output(f: Any, y: torch.Tensor) -> Any:
    array = as_array(f, y)
    return array.copy() if isinstance(array, np.ndarray) else array


class FromTorch(Foreign):
    """A function of PyTorch with NumPy's arrays."""

    library = "PyTorch"

    def flat(self, spec: Spec, kwargs: dict[str, Any]) -> Flat:
        """The call as a function of the tensors that move."""

        def in_torch(*tensors: Any) -> Arrays:
            y = self.f(*build(fixed, tensors), **constants)
            flat.spec, leaves = arrays_of(self.f, tuple(y) if _is_named_by_torch(y) else y, _is_tensor)
            return tuple(leaves)

        fixed, constants = _with_tensors(spec), {k: _constant(v) for k, v in kwargs.items()}
        flat = TorchFlat(self.__name__, in_torch)
        return flat


def _is_tensor(x: Any) -> bool:
    return isinstance(x, torch.Tensor)


def _is_named_by_torch(y: Any) -> bool:
    return isinstance(y, tuple) and type(y).__module__ == "torch.return_types"


def _with_tensors(spec: Spec) -> Spec:
    """The same structure, its constant arrays tensors."""
    if isinstance(spec, Node):
        return Node(spec.kind, spec.names, tuple(map(_with_tensors, spec.parts)))
    return Fixed(_constant(spec.value)) if isinstance(spec, Fixed) else spec


def _constant(value: Any) -> Any:
    return as_tensor(value) if isinstance(value, np.ndarray) else value


def from_torch(f: Callable[..., Any]) -> Callable[..., Any]:
    """f with NumPy's arrays; see `chainrules.from_torch`."""
    return FromTorch(f)
