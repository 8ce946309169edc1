"""A package that registers rules, with its cases: written into a folder, for the plugin and the command."""

from pathlib import Path

RULES = """
import chainrules as cr

def double(x): return 2.0 * x
def triple(x): return 3.0 * x

cr.scalar_rule(double, 2.0)
cr.scalar_rule(triple, {slope})
"""
CASES = """
import {name}
from chainrules.testing import declare, exempt

CASES = [declare({name}.double, 0.5), declare({name}.double, 0.7, why="again"){more}]
EXEMPT = [{exempt}]
"""
SETTINGS = """
[tool.chainrules.cases]
{name} = "checks"
"""


def write_package(
    folder: Path, name: str, *, slope: float = 3.0, triple: bool = True, exempt: str = ""
) -> None:
    """Two functions with rules; cases for the second are optional, and its slope may be wrong."""
    more = f", declare({name}.triple, 0.5)" if triple else ""
    (folder / f"{name}.py").write_text(RULES.format(slope=slope), encoding="utf-8")
    (folder / "checks").mkdir(exist_ok=True)
    cases = CASES.format(name=name, more=more, exempt=exempt)
    (folder / "checks" / f"cases_{name}.py").write_text(cases, encoding="utf-8")
    (folder / "pyproject.toml").write_text(SETTINGS.format(name=name), encoding="utf-8")
