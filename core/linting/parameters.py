"""Data parameters against the primal's: one too many, or in another order.

Where the primal has a signature, registration itself refuses what does not fit; here is what it
cannot know: how many arguments a ufunc takes, and names that stand at each other's place.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator

import numpy as np

from ..callables import name_of
from ..registry import Method, Rules
from .finding import Finding

_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


def parameters(rules: Rules, method: Method) -> Iterator[Finding]:
    """A data parameter that the primal does not have, or has elsewhere."""
    if method.rule is None:
        return
    signature = method.signature
    inputs = [i for i in range(len(signature.types)) if i not in method.mutates]  # an output array is written
    if isinstance(rules.f, np.ufunc) and len(inputs) > rules.f.nin:
        yield Finding(
            "parameters", method, name_of(rules.f),
            f"it has {len(signature.types)} data parameters; the ufunc takes {rules.f.nin}",
            "the last of them is no input, and what it receives is an output array or an error",
            "make it keyword-only, or leave it out",
        )  # fmt: skip
    unnamed = signature.names == tuple(f"x{i}" for i in range(len(signature.names)))  # types at the decorator
    if rules.split is None or rules.split.signature is None or unnamed:
        return
    theirs = [p for p in rules.split.signature.parameters.values() if p.kind in _POSITIONAL]
    data = [p.name for p in theirs if p.name not in rules.split.metadata]
    for i, name in enumerate(signature.names):
        if name in data and data.index(name) != i:
            given = data[i] if i < len(data) else "*args"
            yield Finding(
                "parameters", method, name_of(rules.f),
                f"its data parameter {i}, {name}, receives the primal's {given}",
                "data are matched by position, so the two change places silently",
                f"order the parameters as the primal does: {', '.join(data)}",
            )  # fmt: skip
            return
