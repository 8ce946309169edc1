"""What the README tells a newcomer to paste works, and its commands name things that exist."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def offered(*arguments: str) -> list[str]:
    """The names that scripts/run.py answers with when it is given one it does not know."""
    command = [sys.executable, "scripts/run.py", *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    return done.stderr.strip().partition("one of: ")[2].split(", ")


@pytest.mark.parametrize("arguments", [(), ("no_such_program",)])
def test_an_unknown_name_is_answered_with_the_known_ones(arguments: tuple[str, ...]) -> None:
    programs = sorted(path.stem for path in (ROOT / "examples").glob("*.py"))
    assert offered(*arguments) == ["lint", "types", "pytest", "tests", "site", "pymc", *programs]


def test_the_two_commands_name_what_the_script_offers() -> None:
    named = re.findall(r"^python scripts/run\.py (\w+)", README, flags=re.M)
    assert len(named) == 2
    assert set(named) <= set(offered())


@pytest.mark.parametrize("program", re.findall(r"^```python\n(.*?)^```", README, flags=re.M | re.S))
def test_its_programs_run_from_a_file(program: str, tmp_path: Path) -> None:
    file = tmp_path / "pasted.py"
    file.write_text(program, encoding="utf-8")
    done = subprocess.run([sys.executable, "-W", "error", file], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout
