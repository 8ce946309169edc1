"""Build wheel and sdist, install each in an environment of its own, and test what was installed.

`python scripts/packages.py` builds into `dist/` and prints, for each of the two, its size, what importing it
takes, and, for the wheel, whether tests pass: those of what is loaded when it is asked for, and with another
Python than this one those of the core, the tangents, the operators and the engine too. They run from a copy
outside the checkout, so that nothing of it can be imported. The source package, of which the same wheel is
made, is tried with the first Python alone. Needs Python 3.11, and pip.

`python scripts/packages.py every` does so with every Python from 3.11 on that it finds, by its name or among
those of pyenv; `python scripts/packages.py python3.12 python3.13` with these.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
COMPLETE = ("tests/core/test_loading.py", "tests/engines/test_public.py")
"""Tests that see whether a package lacks a part."""
TESTS = (
    "tests/core",
    "tests/tangents",
    "tests/engines/test_operators.py",
    *COMPLETE[1:],
    "tests/engines/source",
    "tests/engines/following",
)
"""Tests of what another Python may do in another way."""
NEEDED = ["pytest", "pytest-xdist", "hypothesis", "attrs", "pandas"]
PROGRAM = "import chainrules as cr, numpy as np; print(cr.grad(np.sin)(0.0), cr.__version__, cr.__file__)"


NEWEST = 20
"""The last minor version of Python 3 that is looked for."""


def every() -> list[str]:
    """One Python of each minor version from 3.11 on that is here and runs."""
    managed = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    found = []
    for minor in range(11, NEWEST):
        kept = sorted(managed.glob(f"3.{minor}.*/bin/python"))
        for candidate in (f"python3.{minor}", *map(str, kept)):
            if shutil.which(candidate) and runs(candidate):
                found.append(candidate)
                break
    return found


def version(python: str) -> str:
    """What a Python says that it is."""
    return said(python, "--version", cwd=ROOT)


def runs(python: str) -> bool:
    """Whether this is more than a name: a shim may stand for a version that is not chosen."""
    return subprocess.run([python, "-c", ""], check=False, capture_output=True).returncode == 0


def environment(base: str, folder: Path, *packages: str) -> Path:
    """The Python of a new environment with these packages and nothing else."""
    subprocess.run([base, "-m", "venv", "--without-pip", str(folder)], check=True)
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    subprocess.run(
        [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet", "pip", *packages],
        check=True,
    )
    return python


def said(*command: object, cwd: Path) -> str:
    """What a command prints, run where nothing of the checkout can be imported."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
    done = subprocess.run(
        [*map(str, command)], cwd=cwd, env=clean, check=False, text=True, stdout=subprocess.PIPE
    )
    if done.returncode:
        raise SystemExit(f"{done.stdout}\nfailed: {' '.join(map(str, command))}")
    return done.stdout.strip()


def built(folder: Path) -> list[Path]:
    """Wheel and sdist, made anew in `dist/`."""
    shutil.rmtree(ROOT / "dist", ignore_errors=True)
    python = environment(sys.executable, folder / "build", "build")
    said(python, "-m", "build", "--outdir", ROOT / "dist", ROOT, cwd=folder)
    return sorted((ROOT / "dist").iterdir())


def tests_of(sdist: Path, folder: Path) -> Path:
    """The tests that the sdist holds, without the code beside them."""
    with tarfile.open(sdist) as archive:
        archive.extractall(folder / "unpacked", filter="data")
    (unpacked,) = (folder / "unpacked").iterdir()
    for part in unpacked.iterdir():
        if part.is_dir() and part.name != "tests":
            shutil.rmtree(part)
    return unpacked


def tried(base: str, package: Path, tests: Path, folder: Path) -> None:
    """Install one and import it; run tests with the wheel, of which the sdist makes the same."""
    python = environment(base, folder / package.suffix.strip("."), str(package), *NEEDED)
    print(f"{package.name}: {package.stat().st_size / 1e6:.2f} MB", flush=True)
    print("  " + said(python, "-c", PROGRAM, cwd=folder), flush=True)
    timed = (
        "import time; t = time.perf_counter(); import chainrules; print(round(time.perf_counter() - t, 2))"
    )
    said(python, "-c", timed, cwd=folder)  # compiles the bytecode
    print(f"  import: {said(python, '-c', timed, cwd=folder)} s", flush=True)
    print("  " + said(python, "-m", "chainrules", "--version", cwd=folder), flush=True)
    if package.suffix != ".whl":
        return
    options = ["-q", "-n", "2", "-p", "no:cacheprovider", "-W", "error"]
    which = COMPLETE if version(base) == version(sys.executable) else TESTS
    print("  " + said(python, "-m", "pytest", *options, *which, cwd=tests).splitlines()[-1], flush=True)


def main(*names: str) -> int:
    """Exit status 0 where both packages pass with each Python."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        packages = built(folder)
        (sdist,) = (p for p in packages if p.suffix == ".gz")
        tests = tests_of(sdist, folder)
        for k, base in enumerate(every() if names == ("every",) else names or (sys.executable,)):
            print(version(base), flush=True)
            for package in packages if k == 0 else [p for p in packages if p != sdist]:
                tried(base, package, tests, folder / str(k))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
