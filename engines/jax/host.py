"""Whether this thread runs for a compiled program of JAX, which waits for it: JAX must not be called then."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from ...core.errors import ChainRulesError


class _State(threading.local):
    within = False


_state = _State()


def within_compiled(run: Callable[..., Any]) -> Callable[..., Any]:
    """The same function, marked as run for a compiled program."""

    def marked(*arrays: Any) -> Any:
        before, _state.within = _state.within, True
        try:
            return run(*arrays)
        finally:
            _state.within = before

    return marked


def refuse_within_compiled(name: str) -> None:
    """Refuse to call JAX where the program that it has compiled would wait for it for ever."""
    if _state.within:
        raise ChainRulesError(
            f"{name} is a function of JAX, called on the host inside a program that JAX has compiled",
            next="leave it out of what is given to to_jax: call it in the JAX program itself",
        )
