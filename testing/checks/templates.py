"""A template of an elementary rule is held against the partial that it stands beside."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ...core.lookup import find
from ..case import Case

_SEED = 0.75


def templates(case: Case, f: Callable[..., Any], x: tuple[Any, ...], kwargs: Mapping[str, Any]) -> None:
    """Each template of f, for real numbers and arrays of them, gives the cotangent of its partial."""
    if kwargs or not all(_is_plain(v) for v in x):
        return
    found = find("reverse", f, x, {})
    method = None if found is None else found.method
    scalar: Any = getattr(method.rule, "scalar", None) if method is not None else None
    if scalar is None or not scalar.templates:
        return
    y = f(*x)
    for i, (template, part) in enumerate(zip(scalar.templates, scalar.parts, strict=True)):
        made = None if template is None else template.text(list(x), bool(np.ndim(y)))
        if made is None:
            continue
        text, holds = made
        values = {"y_bar": _SEED, "y": y} | {f"_{j}": v for j, v in enumerate(x)}
        if holds and not np.all(eval(_named(holds), dict(values))):
            continue
        given = eval(_named(text), dict(values))
        right = _SEED * (part(y, *x) if callable(part) else part)
        if not np.allclose(given, right, rtol=1e-12, equal_nan=True):
            case.fail("template", f"{text} gives {given}, and the partial {right}", argument=i)


def _is_plain(v: Any) -> bool:
    if isinstance(v, np.ndarray):
        return bool(v.dtype == np.float64)
    return type(v) in (int, float, np.float64)


def _named(text: str) -> str:
    return re.sub(r"\{(\w+)\}", lambda found: f"_{found[1]}" if found[1].isdigit() else found[1], text)
