"""Functions that are compositions of others with rules, written out and differentiated by the caller.

`@composed(f)` above the composition registers both modes of f: the engine that asks for them follows
the composition. It is for functions whose own formula would only repeat the chain rule.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, TypeVar

from ..core import Engine
from ..core.calls import forward_of
from ..core.registry import register

Written = TypeVar("Written", bound=Callable[..., Any])


def composed(*functions: Callable[..., Any], signature: str | None = None) -> Callable[[Written], Written]:
    """Register the rules of functions by a composition that has their value.

    Data are its positional parameters, metadata its keyword-only ones, as in a rule.

    Example: >>> def double_sine(x):
             ...     return 2 * np.sin(x)
             >>> @composed(double_sine)
             ... def written(x: cr.Array):
             ...     s = np.sin(x)
             ...     return s + s
             >>> y, dy = cr.apply_frule(double_sine, (0.0,), (1.0,))
             >>> float(y), float(dy)
             (0.0, 2.0)
    """

    def register_both(written: Written) -> Written:
        for f in functions:
            register(f, _forward(written), "forward", declared=signature)
            register(f, _reverse(written), "reverse", declared=signature)
        return written

    return register_both


def _forward(written: Callable[..., Any]) -> Callable[..., Any]:
    def composed_frule(tangents: Any, *data: Any, engine: Engine, **metadata: Any) -> Any:
        return forward_of(written, data, tangents[: len(data)], metadata, engine)

    return _as_rule(composed_frule, written, ("tangents",))


def _reverse(written: Callable[..., Any]) -> Callable[..., Any]:
    def composed_rrule(*data: Any, engine: Engine, **metadata: Any) -> Any:
        return engine.value_and_pullback(written, *data, **metadata)

    return _as_rule(composed_rrule, written, ())


def _as_rule(rule: Any, written: Any, before: tuple[str, ...]) -> Callable[..., Any]:
    """The rule with the parameters, name and place of what is written out."""
    own = inspect.signature(written)
    extra = [inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD) for name in before]
    engine = inspect.Parameter("engine", inspect.Parameter.KEYWORD_ONLY)
    rule.__signature__ = own.replace(parameters=[*extra, *own.parameters.values(), engine])
    rule.__annotations__ = inspect.get_annotations(written, eval_str=True)
    rule.__name__ = rule.__qualname__ = f"{written.__qualname__} ({rule.__name__})"
    rule.__module__, rule.__doc__ = written.__module__, written.__doc__
    rule.written_at = f"{written.__code__.co_filename}:{written.__code__.co_firstlineno}"
    return rule  # type: ignore[no-any-return]  # a function, whose attributes were set above
