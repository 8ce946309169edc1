"""Bodies: rules that are programs, which are read in the place of the call.

A function of a library may be differentiated by a program that computes the same. Where such a call is met
the program is read as a user's function is, with the call's data by position and its metadata by name.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from ....core.lookup import find
from ....core.signatures import Binding, same_value
from .arguments import count_of, defaults_of, is_literal, is_plain, parameters_of
from .calls import is_built_in


class Body(NamedTuple):
    """The program that a call stands for, and which of its arguments are data and which metadata."""

    program: Any
    binding: Binding

    def given(self, values: Any, constant: Callable[[Any], Any]) -> tuple[list[Any], dict[str, Any]]:
        """The program's arguments by position and by name, of those of the call, positional ones first.

        Behind one that the call leaves out, which has its default there, data are given by name. Where the
        program takes as many as there are, a `constant` stands for such a default.
        """
        if len(self.binding.data) > self.program.__code__.co_argcount:
            every = [values[x] if isinstance(x, int) else constant(x[0]) for x in self.binding.data]
            return every, {name: values[slot] for name, slot, _ in self.binding.metadata}
        given = [*zip(self._parameters(), self.binding.data, strict=True)]
        count = next((i for i, (_, slot) in enumerate(given) if not isinstance(slot, int)), len(given))
        named = {name: values[slot] for name, slot in given[count:] if isinstance(slot, int)}
        named |= {name: values[slot] for name, slot, _ in self.binding.metadata}
        return [values[slot] for _, slot in given[:count] if isinstance(slot, int)], named

    def _parameters(self) -> list[str]:
        """The program's parameter for each of the data; the last takes as many as there are."""
        names, count = parameters_of(self.program), len(self.binding.data)
        alone = self.program.__code__.co_argcount
        if count <= alone:
            return [*names[:count]]
        return [*names[:alone], *[names[count_of(self.program)]] * (count - alone)]

    def is_of_held(self) -> bool:
        """Whether the program reads what the first argument holds."""
        return getattr(self.program, "of_held", False)

    def names(self) -> tuple[str, ...]:
        """The program's parameter for each argument of the call."""
        data = zip(self.binding.data, self._parameters(), strict=True)
        found = dict[Any, str](data) | {slot: name for name, slot, _ in self.binding.metadata}
        return tuple(found[slot] for slot in range(self.binding.slots))


def body_of(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Body | None:
    """The body of the rule for a call; None where the rule is no program, or one that is not read."""
    found = find("reverse", f, args, kwargs)
    if found is None or found.method is None or found.binding is None:
        return None
    of = getattr(found.method.rule, "body_of", None)
    if of is None or not is_built_in(found.method.rule):
        return None
    binding, values = found.binding, (*args, *kwargs.values())
    found.check(values)
    if len(binding.metadata_of(values)) < len(binding.metadata) or binding.unknown:
        return None
    program = of(len(binding.data))
    if hasattr(program, "__signature__"):
        return None
    defaults = defaults_of(program)
    if not all(map(is_plain, defaults)):
        return None
    first = program.__code__.co_argcount - len(program.__defaults__ or ())
    for i, slot in enumerate(binding.data):
        has_default = first <= i < first + len(defaults)
        of_rest = i >= program.__code__.co_argcount and is_literal(slot[0] if type(slot) is tuple else 0)
        if isinstance(slot, int) or of_rest:
            continue
        if not (has_default and same_value(slot[0], defaults[i - first])):
            return None
    return Body(program, binding)


__all__ = ["Body", "body_of"]
