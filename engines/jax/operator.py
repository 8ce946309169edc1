"""A function as JAX's own: each call is a program, bound on JAX's arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax

from ...core.callables import name_of
from ...core.engine import Engine
from ..adapters.pytrees import Kept, register_declared
from .calls import Calls
from .functions import from_jax as from_jax
from .primitive import bind


def to_jax(f: Callable[..., Any], *, how: str, value: Any, engine: Engine | None) -> Callable[..., Any]:
    """f for JAX; see `chainrules.to_jax`."""
    calls = Calls(f, how, value, engine)
    register_declared(_known, _register)

    def in_jax(*args: Any, **kwargs: Any) -> Any:
        (program, traced, *_), arrays = calls.form(args, kwargs)
        return program.out.filled(bind(arrays, program) if traced is None else traced(*arrays))

    def explain(*args: Any, **kwargs: Any) -> str:
        """Which way a call goes, and why."""
        form, _ = calls.form(args, kwargs)
        return "traced" if form.in_jax is not None else f"callback: {form.why}"

    in_jax.__name__ = in_jax.__qualname__ = name_of(f).rpartition(".")[2]
    in_jax.explain = explain  # type: ignore[attr-defined]  # a question about calls stands beside them
    in_jax.__doc__ = f"{name_of(f)} for JAX, with the derivatives of chainrules."
    return in_jax


_known: set[type] = set()


def _register(
    P: type, flatten: Callable[[Any], tuple[list[Any], Kept]], unflatten: Callable[..., Any]
) -> None:
    jax.tree_util.register_pytree_node(P, flatten, unflatten)
