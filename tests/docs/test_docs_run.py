"""Every block of Python in the documentation runs, page by page, from a file as a reader would have it.

The ```python blocks of a page are one module, which is imported; its ```pycon blocks are then read as
doctests in that module, so that every output shown is the real one. Links to files lead somewhere.
"""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
# Pages about libraries that need not be installed.
NEEDS = {f"in_{library}.md": [library] for library in ("autograd", "jax", "pytensor", "torch")}
NEEDS["first_hour.md"] = ["jax", "torch", "pytensor"]
SHOWN = """
import doctest, page, sys
flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
sys.exit(doctest.testfile("shown.txt", module_relative=False, globs=vars(page), optionflags=flags).failed)
"""


def blocks(page: Path, language: str) -> list[str]:
    """The fenced blocks of a page in one language."""
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text(encoding="utf-8"), flags=re.M | re.S)


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("page", [p for p in PAGES if blocks(p, "(?:python|pycon)")], ids=name_of)
def test_a_page_runs(page: Path, tmp_path: Path) -> None:
    for library in NEEDS.get(page.name, ()):
        pytest.importorskip(library, reason=f"{library} is not installed")
    (tmp_path / "page.py").write_text("\n\n".join(blocks(page, "python")), encoding="utf-8")
    (tmp_path / "shown.txt").write_text("\n\n".join(blocks(page, "pycon")), encoding="utf-8")
    command = [sys.executable, "-W", "error", "-c", SHOWN]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_somewhere(page: Path) -> None:
    prose = re.sub(r"```.*?```|`[^`]*`", "", page.read_text(encoding="utf-8"), flags=re.S)
    targets = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", prose)
    assert [t for t in targets if not (page.parent / t).exists()] == []


def test_a_wrong_output_is_seen(tmp_path: Path) -> None:
    page = ROOT / "docs" / "story.md"
    assert blocks(page, "python"), "the pages have blocks, or nothing above is tested"
    (tmp_path / "page.py").write_text("x = 1\n", encoding="utf-8")
    (tmp_path / "shown.txt").write_text(">>> x\n2\n", encoding="utf-8")
    done = subprocess.run([sys.executable, "-c", SHOWN], cwd=tmp_path, capture_output=True, check=False)
    assert done.returncode == 1
