"""`rules_for`: what is registered for a callable, for people to read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from .callables import call_operator, name_of, normalise
from .registry import Method, Mode, rules_of


class RuleSet(NamedTuple):
    """The methods of one callable, its opt-outs, and what is declared of it. Prints as a table."""

    name: str
    reverse: tuple[Method, ...]
    forward: tuple[Method, ...]
    opt_outs: tuple[Method, ...]
    non_differentiable: str | None
    only: dict[Mode, str]

    def __str__(self) -> str:
        lines = [self.name]
        lines += [f"  reverse  {m}" for m in self.reverse] + [f"  forward  {m}" for m in self.forward]
        lines += [f"  opt-out  {m}" for m in self.opt_outs]
        lines += [f"  {mode} only: {why}" for mode, why in self.only.items()]
        if self.non_differentiable is not None:
            lines.append(f"  not differentiable: {self.non_differentiable}")
        return "\n".join(lines if len(lines) > 1 else [*lines, "  no rules"])


def rules_for(f: Callable[..., Any]) -> RuleSet:
    """Every rule of f with its types and `file:line`, its opt-outs and declarations.

    Example: >>> print(rules_for(np.argmax))
             numpy.argmax
               not differentiable: returns indices or counts
    """
    f = normalise(f, (), {})[0]
    rules = rules_of(f)
    call = call_operator(f)
    if rules is None and call is not None:
        return rules_for(call)
    if rules is None:
        return RuleSet(name_of(f), (), (), (), None, {})
    reverse, forward = rules.methods["reverse"], rules.methods["forward"]
    return RuleSet(
        name_of(f),
        tuple(m for m in reverse if m.rule is not None),
        tuple(m for m in forward if m.rule is not None),
        tuple(m for m in reverse if m.rule is None),
        rules.non_differentiable,
        dict(rules.only),
    )
