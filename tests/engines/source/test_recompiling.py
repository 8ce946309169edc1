"""A function's text is compiled again, and told to be the code that runs without listing instructions."""

import ast
import linecache
from typing import Any

import pytest

from chainrules.engines.source.reading import recompiling
from chainrules.engines.source.reading.locate import NoSource, locate

BODY = """def f(x, n):
    helper = lambda y: np.sin(y) + math.sqrt(n)
    total = [helper(k * x) for k in range(n)]
    return np.sum(total) if n > 3 else np.mean(total)
"""


def made(text: str, name: str) -> Any:
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    namespace: dict[str, Any] = {}
    exec(compile(text, name, "exec"), namespace)
    return namespace["f"]


@pytest.mark.parametrize("before", ["import numpy as np\nimport math\n\n", ""], ids=["a file", "a cell"])
def test_no_instruction_is_listed(before: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def listed(code: Any) -> Any:
        raise AssertionError("the instructions of a function that is compiled to the same bytes")

    monkeypatch.setattr(recompiling, "_instructions", listed)
    f = made(before + BODY, f"<recompiled {before!r}>")
    assert isinstance(locate(f.__code__).node, ast.FunctionDef)


def test_another_text_is_told_from_the_code() -> None:
    f = made(BODY, "<recompiled and edited>")
    other = BODY.replace("n > 3", "n > 4")
    linecache.cache["<recompiled and edited>"] = (len(other), None, other.splitlines(True), "edited")
    with pytest.raises(NoSource):
        locate(f.__code__)


def test_a_tree_that_may_be_changed_is_nobody_elses() -> None:
    source = locate(made(BODY, "<recompiled for a tree>").__code__)
    changed = source.written_anew()
    changed.args.args.clear()
    assert source.written_anew().args.args
    assert source.written.args.args
    assert source.node.args.args
