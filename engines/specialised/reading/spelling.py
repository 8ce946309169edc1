"""Spelling: the text of what a step computes."""

from __future__ import annotations

from .steps import Step, plain


def positional(texts: list[str], s: Step) -> list[str]:
    """The arguments of a call as text, the last ones by name."""
    count = len(texts) - len(s.keywords)
    for i in s.facts.get("stars", ()):
        place = i - (s.op == "call")
        texts[place] = f"*{texts[place]}" if place < count else texts[place]
    named = zip(s.keywords, texts[count:], strict=True)
    return texts[:count] + [f"**{v}" if k == "**" else f"{k}={v}" for k, v in named]


def expression(s: Step) -> str:
    """The text of what a step computes."""
    a = [plain(x) for x in s.args]
    if s.op in ("binary", "compare"):
        return f"{_held(a[0])} {s.text} {_held(a[1])}"
    if s.op == "unary":
        return f"{s.text}{_held(a[0])}"
    if s.op == "get":
        return f"{_held(a[0])}[{s.text}]"
    if s.op == "attr":
        return f"{_held(a[0])}.{s.text}"
    if s.op == "call":
        return f"{a[0]}({', '.join(positional(a[1:], s))})"
    if s.op == "method":
        return f"{_held(a[0])}.{s.text}({', '.join(positional(a, s)[1:])})"
    if "keys" in s.facts and "named" not in s.facts:
        return f"{{{', '.join(f'{k!r}: {v}' for k, v in zip(s.facts['keys'], a, strict=True))}}}"
    if "named" in s.facts:
        return f"{s.facts['named']}({', '.join(a)})"
    if "listed" in s.facts:
        return f"[{', '.join(a)}]"
    if s.op in ("tuple", "pack"):
        return f"({', '.join(a)}{',' if len(a) == 1 else ''})"
    if s.op == "list":
        return f"[{', '.join(a)}]"
    return a[0]


def _held(text: str) -> str:
    """A constant that an operator does not take apart."""
    return f"({text})" if text[0] in "-0123456789" else text
