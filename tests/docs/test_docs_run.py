"""Every Python block of the documentation runs, page by page, from a file as a reader would have it."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
PAGES = sorted(DOCS.glob("*.md"))


def test_there_are_pages() -> None:
    assert PAGES


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_runs(page: Path, tmp_path: Path) -> None:
    blocks = re.findall(r"^```python\n(.*?)^```", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    file = tmp_path / "page.py"
    file.write_text("\n\n".join(blocks), encoding="utf-8")
    done = subprocess.run([sys.executable, "-W", "error", file], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
