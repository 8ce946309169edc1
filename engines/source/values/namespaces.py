"""Namespaces: classes and modules, in which everything counts as constant."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from ....core import non_differentiable
from ....core.errors import AliasedMutationError
from ..syntax.where import call_chain, show_chain


def refuse_namespace(x: Any, what: str) -> None:
    """Raise before something that varies is put into a class or a module: whoever reads it would not know."""
    if isinstance(x, type | ModuleType):
        kind = "class" if isinstance(x, type) else "module"
        raise AliasedMutationError(
            f"{what} the {kind} {x.__name__} is changed, where everything counts as constant",
            where=show_chain(call_chain()),
            closest="an object that the function makes, or is given, may be changed",
            next="put it into such an object, as `state = types.SimpleNamespace()`, and pass that on",
        )


def refuse_within(x: Any, changed: Any) -> None:
    """The same of a part of x; calling a function of a module in a module changes nothing."""
    if not isinstance(changed, type | ModuleType):
        refuse_namespace(x, "what is in")


non_differentiable(refuse_namespace, refuse_within, why="checks an argument")
