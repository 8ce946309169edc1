"""`derivative_source`: the generated program of a function, to read."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any

from ...core.callables import call_operator, name_of, normalise
from ...core.errors import NotDifferentiableError, UnsupportedArgument
from ...core.registry import rules_of
from ..boundary import positions_of
from .analysis.forms import form_of, parameter_count, slots_of
from .emitting.programs import program


def _no_text(f: Any) -> str:
    """Until the specialised programs say otherwise, no function has one."""
    return ""


specialised_text: Callable[[Any], str] = _no_text
"""The specialised texts of a function."""


def derivative_source(
    f: Callable[..., Any], *x: Any, mode: str = "rev", argnums: int | tuple[int, ...] | None = None
) -> str:
    """The program that computes f's derivative at arguments like x: Python, with the user's names.

    In reverse it has two parts: the function, which makes a pullback of the calls' pullbacks, and
    the pullback, each line with the user's line that it undoes. Nothing of f runs. By default all
    arguments vary, else those that `argnums` names. With `mode="specialised"` it is the text that `grad`
    runs after a few calls with arguments of the same kinds; empty where there is none.

    Raises:  UnsupportedSyntaxError where f cannot be differentiated; NotDifferentiableError where f
             has no Python source; UnsupportedArgument for another mode.
    Example: >>> print(derivative_source(lambda x: x * x, 3.0, mode="fwd"))  # doctest: +SKIP
    """
    if mode not in ("rev", "fwd", "specialised"):
        raise UnsupportedArgument("derivative_source", "mode", mode, supported=("rev", "fwd", "specialised"))
    g, args, _ = normalise(f, x, {})
    call = call_operator(g) if type(g) is not FunctionType else None
    if call is not None:
        g, args = call, (g, *args)
    if mode == "specialised":
        return specialised_text(g)
    if type(g) is not FunctionType:
        raise NotDifferentiableError(f"{name_of(f)} is not written in Python", next="look at rules_for(f)")
    note = (
        ""
        if rules_of(g) is None
        else f"# {name_of(g)} has a rule of its own, which is used where it matches.\n"
    )
    if not x and parameter_count(g):
        raise UnsupportedArgument(
            "derivative_source",
            "x",
            x,
            why="which arguments vary decides the program",
            next=f"give arguments like those of a call: derivative_source({name_of(f)}, …)",
        )
    mask = [False] * parameter_count(g)
    wanted = range(len(x)) if argnums is None else positions_of("derivative_source", f, argnums, len(x))
    slots = slots_of(g, len(args), ())
    for i in wanted:
        mask[slots[i + len(args) - len(x)][0]] = True
    made = program(g, form_of(g, "reverse" if mode == "rev" else "forward", tuple(mask), False))
    return (
        "\n\n\n".join(part for part in (note + made.forward_text, made.backward_text.rstrip()) if part) + "\n"
    )
