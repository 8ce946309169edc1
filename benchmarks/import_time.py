"""What does `import chainrules` cost beyond the NumPy and plum that it stands on? Fresh interpreters say."""

from __future__ import annotations

import statistics
import subprocess
import sys

PROGRAM = """
import time
{before}
start = time.perf_counter()
{imports}
print(time.perf_counter() - start)
"""


def seconds(imports: str, before: str = "", runs: int = 5) -> float:
    """The median seconds of some imports in a fresh interpreter."""
    program = PROGRAM.format(imports=imports, before=before)
    command = [sys.executable, "-c", program]
    return statistics.median(float(subprocess.check_output(command, text=True)) for _ in range(runs))
