"""General rules in the shape of others: one function that serves many callables says for each what it takes.

A rule is read by its signature and its annotations. A rule that is made in a loop takes `*x`, whatever it
stands for; `taking` gives it the parameters of the function it is about, and a name that tells it apart.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from inspect import Parameter
from typing import Any

_POSITIONAL, _KEYWORD = Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY


def parameters_of(f: Callable[..., Any]) -> list[Parameter]:
    """What a function takes."""
    return list(inspect.signature(f).parameters.values())


def positional(*names: str) -> list[Parameter]:
    """Parameters that are data."""
    return [Parameter(name, _POSITIONAL) for name in names]


def keywords(names: Iterable[str], **default: Any) -> list[Parameter]:
    """Parameters that are metadata, all with the same default if one is given."""
    return [Parameter(name, _KEYWORD, **default) for name in names]


def taking(
    rule: Any, parameters: Iterable[Parameter], *, like: Callable[..., Any] | None = None, name: str = ""
) -> Any:
    """The rule, read from now on as one of these parameters, with the annotations of `like`.

    Example: >>> def negative_rrule(*x):
             ...     return -x[0], lambda y_bar: -y_bar
             >>> inspect.signature(taking(negative_rrule, positional("price")))
             <Signature (price)>
    """
    rule.__signature__ = inspect.Signature(sorted(parameters, key=lambda parameter: parameter.kind))
    if like is not None:
        rule.__annotations__ = inspect.get_annotations(like, eval_str=True)
    if name:
        rule.__name__ = rule.__qualname__ = name
    return rule
