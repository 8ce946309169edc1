"""Set up this checkout in `.venv` and run one thing in it. Needs Python 3.11 or newer with pip, nothing else.

`python scripts/run.py tests` lints, type-checks and tests; `lint`, `types` and `pytest` are its parts.
`python scripts/run.py site` builds the documentation in `build/site`; `pymc` tests what runs in PyMC, in an
environment of its own, since PyMC wants an older PyTensor. Any other name is a program of `examples/`.
What follows the name goes to the last command: `… pytest -k sin`.
Installing is skipped while `pyproject.toml` has not changed since it last succeeded. The checks install the
other engines and Dask too where the environment has `CHAINRULES_EXTRAS=engines,dask`; else their tests are
skipped.
"""

from __future__ import annotations  # an older Python must get as far as the sentence that refuses it

import hashlib
import os
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LINKED = (ROOT / "src" / "chainrules" / "core").is_dir()  # false where a checkout wrote links as text files

LINT = [["ruff", "check"], ["ruff", "format", "--check"]]
TYPES = [["mypy"]]
PYTEST = [["pytest", "-n", "2"]]
CHECKS = {"lint": LINT, "types": TYPES, "pytest": PYTEST, "tests": [*LINT, *TYPES, *PYTEST]}
PYMC_EXAMPLES = ["tests/examples/test_pymc_model.py", "tests/examples/test_heavy_tails.py"]
PYMC = [["pytest", "tests/engines/pytensor", *PYMC_EXAMPLES]]
SITE = [
    ["docs/site/prepare.py", "build/pages"],
    ["-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html", "build/pages", "build/site"],
]


def programs() -> list[str]:
    """Names of the programs in `examples/`."""
    return sorted(path.stem for path in (ROOT / "examples").glob("*.py"))


def install(extra: str, place: str = ".venv") -> Path:
    """The Python of an environment that has this checkout with one extra; it is made where there is none."""
    folder = ROOT / place
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    stamp = folder / f"installed-{extra}"
    wanted = hashlib.sha256((ROOT / "pyproject.toml").read_bytes() + sys.version.encode()).hexdigest()
    if LINKED and python.exists() and stamp.exists() and stamp.read_text() == wanted:
        return python
    if not python.exists():
        print(f"creating {folder}", flush=True)
        # Some systems ship venv without ensurepip; the pip at hand serves.
        venv.create(folder, with_pip=False)
    print(f"installing chainrules[{extra}]", flush=True)
    target = ["--editable", f".[{extra}]"] if LINKED else [f".[{extra}]"]
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet", "pip", *target]
    subprocess.run(pip, cwd=ROOT, check=True)
    stamp.write_text(wanted)
    return python


def run(python: Path, arguments: list[str]) -> int:
    """Run one Python module or file in an environment, showing the command first."""
    print("$ python", *arguments, flush=True)
    return subprocess.run([str(python), *arguments], cwd=ROOT, check=False).returncode


def main(arguments: list[str]) -> int | str:
    """Exit status 0 when every command succeeded, else 1 or a sentence that says what to do."""
    if sys.version_info < (3, 11):  # noqa: UP036  this file runs before any installer has checked
        return f"chainrules needs Python 3.11 or newer; this is {sys.version.split()[0]}"
    name, rest = (arguments[0], arguments[1:]) if arguments else ("", [])
    if name in CHECKS:
        if not LINKED:
            return "the links in src/ are missing: git config core.symlinks true, then git checkout -- src"
        python = install(",".join(["test", *filter(None, [os.environ.get("CHAINRULES_EXTRAS")])]))
        os.environ.setdefault("OMP_NUM_THREADS", "1")  # pytest's processes: in one thread each
        *before, last = [["-m", *command] for command in CHECKS[name]]
    elif name == "site":
        python = install("docs")
        *before, last = SITE
    elif name == "pymc":
        python = install("pymc,test", ".venv-pymc")
        *before, last = [["-m", *command] for command in PYMC]
    elif name in programs():
        python = install("pymc", ".venv-pymc") if name == "pymc_model" else install("examples")
        before, last = [], [f"examples/{name}.py"]
    else:
        names = ", ".join([*CHECKS, "site", "pymc", *programs()])
        return f"usage: python scripts/run.py NAME, where NAME is one of: {names}"
    statuses = [run(python, command) for command in [*before, [*last, *rest]]]
    if name == "site" and not any(statuses):
        print(f"open {ROOT / 'build' / 'site' / 'index.html'}")
    return int(any(statuses))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
