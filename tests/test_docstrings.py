"""Every example in a docstring runs. `Example: >>> f(x)` counts, as does a prompt on a line of its own.

Examples may use the names of their module, the public names, `np` and `cr`.
A module whose optional library is absent is skipped.
"""

import doctest
import importlib
import io
import re
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import chainrules as cr

ROOT = Path(__file__).parents[1]
PARTS = ("tangents", "core", "usertypes", "rules", "engines", "testing")
OPTIONAL = {"autograd", "dask", "hypothesis", "jax", "pytensor", "pytest", "torch"}
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE | doctest.IGNORE_EXCEPTION_DETAIL


class Parser(doctest.DocTestParser):
    """Blanks an `Example:` that stands before a prompt, which doctest would otherwise pass over."""

    def parse(self, string: str, name: str = "<string>") -> list[str | doctest.Example]:
        blanked = re.sub(r"^( *)(Examples?:)(?= *>>> )", lambda m: m[1] + " " * len(m[2]), string, flags=re.M)
        return super().parse(blanked, name)


def module_names() -> list[str]:
    files = [path.relative_to(ROOT).with_suffix("") for part in PARTS for path in (ROOT / part).rglob("*.py")]
    dotted = {".".join(file.parts).removesuffix(".__init__") for file in files}
    dotted = {re.sub(r"^usertypes\b", "types", name) for name in dotted}
    return ["chainrules", "chainrules.__main__", *(f"chainrules.{name}" for name in sorted(dotted))]


def failures(module: ModuleType) -> str:
    """The report of every failing example of a module; empty when all are right."""
    report = io.StringIO()
    runner = doctest.DocTestRunner(verbose=False, optionflags=FLAGS)
    names = {name: getattr(cr, name) for name in cr.__all__} | vars(module) | {"cr": cr, "np": np}
    for test in doctest.DocTestFinder(parser=Parser()).find(module, globs=names):
        runner.run(test, out=report.write)
    return report.getvalue()


@pytest.mark.parametrize("name", module_names())
def test_examples_run(name: str) -> None:
    try:
        module = importlib.import_module(name)
    except ModuleNotFoundError as absent:
        if absent.name not in OPTIONAL:
            raise
        pytest.skip(f"{absent.name} is not installed")
    if report := failures(module):
        pytest.fail(report, pytrace=False)


@pytest.mark.parametrize(("shown", "wrong"), [("4", False), ("5", True)])
def test_an_example_beside_its_heading_is_seen(shown: str, wrong: bool) -> None:
    text = f"Sum.\n\n    Example: >>> 2 + 2\n             {shown}\n"
    test = Parser().get_doctest(text, {}, "sum", None, None)
    assert doctest.DocTestRunner(verbose=False).run(test, out=lambda _: None) == (int(wrong), 1)
