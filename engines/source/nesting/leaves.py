"""Nesting: what a call runs in the end, a rule or a program, and what is refused.

Here a call inside a derivative that is differentiated again becomes one Python function with its
arguments (see inner.py); which function that is, nested.py finds.
"""

from __future__ import annotations

import functools
from dataclasses import replace
from types import FunctionType
from typing import Any

import numpy as np

from ....core.errors import HigherOrderError
from ....core.forward import WrappedForward
from ....core.reverse import WrappedRule, may_vary, reverse_rule
from ....core.seeds import as_pair
from ....core.watched import Watched
from ....tangents import ZERO, Composite, is_zero
from ..analysis.forms import Lent, form_of, parameter_count, slots_of
from ..calls import resolution
from ..calls.inner import Inner, Path, Values
from ..calls.setters import is_store
from ..emitting.programs import program
from ..locking.frozen import before_rule
from ..memory.aliased_arguments import form_for
from ..memory.copying import refuse_passing_on
from ..memory.keeping import refuse_overlap, result_of
from ..syntax.site import Site
from ..syntax.where import call_chain, show_chain

Paths = tuple[Path | None, ...]


def unsupported(
    what: str,
    closest: str = "a plain function that is given all it needs and returns what it computes",
    next: str = "write it as such a function, or differentiate once",
) -> HigherOrderError:
    """The error for what has a derivative, but no derivative of that."""
    return HigherOrderError(
        f"{what}, inside a derivative that is differentiated again, is not supported",
        where=show_chain(call_chain()),
        closest=closest,
        next=next,
    )


def resolved(f: Any, args: Values, kwargs: dict[str, Any], needs: tuple[bool, ...]) -> Any:
    """The rule of a call; of a store, the rule for what the class leaves to Python."""
    if is_store(f):
        return reverse_rule(f, args, kwargs, needs, resolution.engine())
    return before_rule(resolution.resolve(f, args, kwargs, needs), args, kwargs)


def itself(result: Any) -> Any:
    """What a call's function returned, as it is."""
    return result


def python_function(rule: Any) -> FunctionType:
    """The Python function that a rule is; refused if it is something else."""
    rule = rule.unwatched if isinstance(rule, Watched) else rule
    if type(rule) is not FunctionType:
        raise unsupported(
            f"a call whose rule is a {type(rule).__name__}",
            closest="a rule that is a Python function",
            next="write the rule as a function with `def`, or differentiate once",
        )
    return rule


def rule_call(rule: Any, args: Values, kwargs: dict[str, Any], paths: Paths, operands: Values) -> Inner:
    """A rule: the author's function where it is wrapped, else the Python function that it is."""
    if isinstance(rule, functools.partial):
        given = (*(None for _ in rule.args), *paths, *(None for _ in rule.keywords))
        return Inner(operands, python_function(rule.func), (*rule.args, *args), rule.keywords, given, itself)
    if isinstance(rule, WrappedRule):
        data, metadata, undo = rule.prepare(args, kwargs)
        if rule.method.mutates or (undo is not None and any(u is not None for u in undo)):
            raise unsupported(
                f"a rule, {rule.method.name}, which mutates or takes a list for an array",
                closest="the same call of arrays that it leaves as they are",
                next="give it `np.asarray(…)` of the list, or differentiate once",
            )
        values = (*args, *kwargs.values())

        def finish(result: Any) -> Any:
            y, back = as_pair(rule.method, result, "value, pullback")
            return y, rule.pullback(back, values, data, undo)

        given = (
            *(None if s is None else paths[s] for s in rule.slots),
            *metadata_places(rule, metadata, paths),
        )
        return Inner(operands, python_function(rule.rule), data, metadata, given, finish)
    return Inner(operands, python_function(rule), args, kwargs, paths, itself)


def metadata_places(rule: WrappedRule | WrappedForward, metadata: dict[str, Any], paths: Paths) -> Paths:
    """Where the metadata of a rule stand: constants of it, which may vary in the outer differentiation."""
    slots = {m.name: m.slot for m in rule.binding.metadata}
    return tuple(paths[slots[k]] if k in slots and may_vary(v) else None for k, v in metadata.items())


def of_copies(inner: Inner, copies: Values) -> Inner:
    """The call of a rule that is given copies; what it returns may not be a part of them."""

    def finish(result: Any) -> Any:
        y, *more = inner.finish(result)
        refuse_overlap(y, (x for x in copies if not isinstance(x, np.ndarray)))
        return (result_of(y, inner.operands), *more)

    return replace(inner, finish=finish)


def passing_nothing_on(
    inner: Inner, site: Site, name: str, given: tuple[Any, Values], copies: tuple[Any, Values]
) -> Inner:
    """The call at a site that got copies; a user's rule that returns a part of them is refused."""
    if copies[0] is given[0] and all(x is own for x, own in zip(given[1], copies[1], strict=True)):
        return inner

    def finish(result: Any) -> Any:
        y, more = inner.finish(result)
        refuse_passing_on(site, name, y, (given[0], *given[1]), (copies[0], *copies[1]))
        return y, more

    return replace(inner, finish=finish)


def lists_of(rule: WrappedRule | WrappedForward) -> tuple[int, ...]:
    """Where lists stand, keywords last, that a rule takes for arrays, if it writes into none."""
    places = tuple(s for i in rule.found.to_array if (s := rule.slots[i]) is not None)
    return places if len(places) == len(rule.found.to_array) and not rule.method.mutates else ()


def of_arrays(f: Any, places: tuple[int, ...], *args: Any, **kwargs: Any) -> Any:
    """A call with the lists and tuples at these places made arrays."""
    given: Values = ()
    for i in range(len(args)):
        given = (*given, np.asarray(args[i]) if i in places else args[i])
    for i, name in enumerate(kwargs):
        if len(args) + i in places:
            kwargs = {**kwargs, name: np.asarray(kwargs[name])}
    return f(*given, **kwargs)


def unmoved(f: Any, *args: Any, **kwargs: Any) -> Any:
    """A call whose values do not move: its value may still vary in the outer differentiation."""
    return f(*args, **kwargs), ZERO


def forward_program(
    f: FunctionType,
    args: Values,
    kwargs: dict[str, Any],
    moving: Values,
    own: Any,
    callee: Path | None,
    paths: Paths,
    dots: tuple[Any, ...],
    own_path: Path | None,
    operands: Values,
    lent: tuple[Lent, ...] = (),
) -> Inner:
    """The program in forward mode of f, with the values that move as a tuple before its arguments."""
    slots = slots_of(f, len(args), tuple(kwargs))
    tangents: dict[int, Any] = {slot: moving[i] for i, (slot, key) in enumerate(slots) if key is None}
    places: dict[int, Any] = {slot: dots[i] for i, (slot, key) in enumerate(slots) if key is None}
    starred = [i for i, (_, key) in enumerate(slots) if isinstance(key, int)]
    if any(not is_zero(moving[i]) for i in starred):
        star = slots[starred[0]][0]
        tangents[star] = Composite[tuple](*(moving[i] for i in starred))
        places[star] = [dots[i] for i in starred]
    named = {key: i for i, (_, key) in enumerate(slots) if isinstance(key, str) and not is_zero(moving[i])}
    if named:
        words = parameter_count(f) - 1
        tangents[words] = Composite[dict]({key: moving[i] for key, i in named.items()})
        places[words] = {key: dots[i] for key, i in named.items()}
    mask = tuple(i in tangents and not is_zero(tangents[i]) for i in range(parameter_count(f)))
    form = form_for(form_of(f, "forward", mask, own is not None, lent), f, args, kwargs)
    chosen = [i for i, varies in enumerate(mask) if varies]
    given, at = tuple(tangents[i] for i in chosen), [places[i] for i in chosen]
    if form.captured is not None:
        given, at = (own, *given), [own_path, *at]
    bound = program(f, form, args).bind(f)
    assert isinstance(bound, FunctionType)
    return Inner(operands, bound, (given, *args), kwargs, (at, *paths), itself, callee)
