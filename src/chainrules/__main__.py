"""`python -m chainrules`: the command; without arguments, the versions that matter in a bug report.

`--version` prints that of the package alone. The versions are one a line. Only the core dependencies are
asked for; engines are read from their metadata, never imported.
"""

import platform
import sys
from importlib.metadata import PackageNotFoundError, version

from . import __version__

CORE = ("numpy", "scipy", "plum-dispatch")
ENGINES = ("autograd", "jax", "pytensor", "torch")


def installed(distribution: str) -> str:
    """Version of an installed distribution, or that it is absent.

    Example: >>> installed("no-such-distribution")
             'not installed'
    """
    try:
        return version(distribution)
    except PackageNotFoundError:
        return "not installed"


def versions() -> None:
    """Print the versions of chainrules, Python, the core dependencies and the engines."""
    print(f"chainrules {__version__}")
    print(f"python {platform.python_version()} ({platform.platform()})")
    for distribution in CORE + ENGINES:
        print(f"{distribution} {installed(distribution)}")


def main() -> int:
    """Answer the command line: `chainrules check numpy`; the exit status."""
    if not sys.argv[1:]:
        versions()
        return 0
    if sys.argv[1:] in (["--version"], ["-V"]):
        print(f"chainrules {__version__}")
        return 0
    from .testing.command import run

    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
