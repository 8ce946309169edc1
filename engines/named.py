"""Arguments by name: `argnames=` of the operators, beside `argnums=`.

A name stands for the parameter of f that is called so, wherever a call gives it: by position or by keyword.
Where every one is given by position this is `argnums=`. Where one is given by keyword, what is
differentiated is f as a function of the named arguments alone.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

from ..core.callables import name_of
from ..core.decorators import non_differentiable
from ..core.errors import UnsupportedArgument
from ..core.recording import by_rule

Names = str | tuple[str, ...] | list[str]


def named(
    operator: Callable[..., Any], f: Callable[..., Any], argnames: Names, options: dict[str, Any]
) -> Callable[..., Any]:
    """The operator of f by the arguments of these names: one for a name, a tuple for several."""
    names = checked(operator, f, argnames)

    def by_name(*x: Any, **kwargs: Any) -> Any:
        places = places_of(operator, f, names, len(x), tuple(kwargs))
        if None not in places:
            return operator(f, places[0] if isinstance(argnames, str) else places, **options)(*x, **kwargs)
        values: tuple[Any, ...] = ()
        for name, place in zip(names, places, strict=True):
            values = (*values, kwargs[name] if place is None else x[place])
        of_values = functools.partial(called_with, f, names, places, x, kwargs)
        argnums = 0 if isinstance(argnames, str) else tuple(range(len(names)))
        return operator(of_values, argnums, **options)(*values)

    return by_name


def called_with(f: Any, names: Any, places: Any, x: Any, kwargs: Any, *values: Any) -> Any:
    """`f(*x, **kwargs)` with these values of the named arguments."""
    given, words = list(x), dict(kwargs)
    for name, place, value in zip(names, places, values, strict=True):
        if place is None:
            words[name] = value
        else:
            given[place] = value
    return f(*given, **words)


@by_rule
def checked(operator: Any, f: Any, argnames: Names) -> tuple[str, ...]:
    """The names, each of a parameter of f."""
    names = (argnames,) if isinstance(argnames, str) else tuple(argnames)
    known = tuple(_parameters(f))
    rest = any(p.kind is p.VAR_KEYWORD for p in _parameters(f).values())
    for name in names:
        if name not in known and not rest:
            raise UnsupportedArgument(
                operator.__name__,
                "argnames",
                argnames,
                why=f"{name_of(f)} has no parameter {name!r}",
                supported=known,
                next="give the name of a parameter, or choose by position with argnums",
            )
    return names


@by_rule
def places_of(
    operator: Any, f: Any, names: tuple[str, ...], count: int, words: tuple[str, ...]
) -> tuple[int | None, ...]:
    """For each name the position at which a call gives it; None where it is given by keyword."""
    positional = [
        n for n, p in _parameters(f).items() if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)
    ]
    places: list[int | None] = []
    for name in names:
        if name in words:
            places.append(None)
        elif name in positional[:count]:
            places.append(positional.index(name))
        else:
            raise UnsupportedArgument(
                operator.__name__,
                "argnames",
                name,
                why=f"this call of {name_of(f)} does not give it",
                next="give the argument, by position or by keyword; a default is a constant",
            )
    return tuple(places)


def _parameters(f: Any) -> dict[str, inspect.Parameter]:
    try:
        return dict(inspect.signature(f).parameters)
    except (TypeError, ValueError):  # a function in C without a signature
        return {}


non_differentiable(checked, places_of, why="checks arguments")
