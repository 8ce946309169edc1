"""Every source that a docstring cites in brackets stands on the page of references, and each is cited."""

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
PARTS = ("tangents", "core", "usertypes", "rules", "engines", "testing")
CITED = re.compile(r"\[([^\[\]\n]*\b(?:1[89]|20)\d\d\b[^\[\]\n]*)\]")
ENTRY = re.compile(r"^- \*\*(.+)\.\*\* .{20,}$", re.MULTILINE)


def keys_of(text: str) -> Iterator[str]:
    """Authors and year of each source in brackets; several stand in one pair, and places follow a year."""
    for cited in CITED.findall(text):
        for one in cited.split("; "):
            found = re.match(r"\S.*? (?:1[89]|20)\d\d\b", one)
            yield found[0] if found else one


def cited() -> set[str]:
    files = [path for part in PARTS for path in (ROOT / part).rglob("*.py")]
    return {key for path in files for key in keys_of(path.read_text(encoding="utf-8"))}


def test_what_is_cited_is_on_the_page_and_the_reverse() -> None:
    entries = ENTRY.findall((ROOT / "docs" / "references.md").read_text(encoding="utf-8"))
    assert len(entries) == len(set(entries))
    assert set(entries) == cited()


def test_keys_are_read() -> None:
    assert list(keys_of("x̄ = ȳ [Giles 2008] [DLMF 5.2]")) == ["Giles 2008"]
    assert list(keys_of("[Box & Cox 1964, 3; Fisher 1930]")) == ["Box & Cox 1964", "Fisher 1930"]
