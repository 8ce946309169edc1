"""`to_torch`: a function with its rules as an operator of PyTorch.

One autograd Function carries every array function ([calls](calls.py)). Under `torch.compile` see compiled.py.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import torch
from torch.utils import _pytree

from ...core.engine import Engine
from ..adapters.pytrees import Kept, register_declared
from .calls import Adapted, adapted_functions
from .functions import from_torch as from_torch


def to_torch(f: Callable[..., Any], *, engine: Engine | None = None) -> Callable[..., Any]:
    """What `adapters.to_torch` says."""
    adapted = Adapted(f, engine)
    number = id(adapted)
    adapted_functions[number] = adapted
    register_declared(_known, _register)

    @functools.wraps(f, updated=())
    def operator(*args: Any, **kwargs: Any) -> Any:
        if torch.compiler.is_compiling():
            from .compiled import call_in_graph

            return call_in_graph(number, args, kwargs)
        return Adapted.call(adapted, args, kwargs)

    return operator


_known: set[type] = set()


def _register(
    P: type, flatten: Callable[[Any], tuple[list[Any], Kept]], unflatten: Callable[..., Any]
) -> None:
    _pytree.register_pytree_node(P, flatten, lambda leaves, kept: unflatten(kept, leaves))
