"""What do derivatives of sparse programs cost, beside the programs themselves?

    python -m benchmarks.sparse           prints two tables, with `--tiny` of small systems

The first: `spsolve` with the five-point Laplacian of a square grid, and its gradient by the matrix and by the
right-hand side. Time, and peak memory of a process of its own (on Linux) above what it has before; a dense
matrix of 100,000 rows would take 80 GB. The second: the Jacobian of a stencil on such a grid, by colours of
its pattern: how many passes it takes, of which one checks the pattern, and how often the function's own time.
"""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
from benchmarks.report import duration, table
from benchmarks.timing import medians
from scipy import sparse
from scipy.sparse import linalg

import chainrules as cr
from chainrules.engines.colouring import Pattern

CHILD = "from benchmarks.sparse import peak; print(peak({rows}, {gradient}))"


def laplacian(rows: int) -> Any:
    """The five-point Laplacian of a square grid, moved off its null space, in CSC format."""
    sides = -np.ones(rows - 1)
    line = sparse.diags_array([2.0 * np.ones(rows), sides, sides], offsets=[0, 1, -1])
    one = sparse.eye_array(rows)
    grid = sparse.kron(one, line) + sparse.kron(line, one) + 0.1 * sparse.eye_array(rows * rows)
    return sparse.csc_array(grid)


def loss(a: Any, b: Any) -> Any:
    """The squared length of a solution."""
    return np.sum(linalg.spsolve(a, b) ** 2)


gradient = cr.grad(loss, argnums=(0, 1))


def times(rows: int, rounds: int) -> dict[str, float]:
    """The seconds of a solve and of its gradient."""
    a, b = laplacian(rows), np.ones(rows * rows)
    solve, slope = lambda: loss(a, b), lambda: gradient(a, b)
    return medians({"solve": solve, "gradient": slope}, rounds)


def on_linux() -> bool:
    """Whether this process can be asked for its peak."""
    return sys.platform == "linux"


def highest() -> int:
    """The most bytes of memory that this process has held."""
    with open("/proc/self/status", encoding="ascii") as said:  # getrusage counts the parent's too
        return next(int(line.split()[1]) * 1024 for line in said if line.startswith("VmHWM"))


def peak(rows: int, with_gradient: bool) -> int:
    """By how many bytes a solve, or its gradient, raises the peak of this process, once all is imported."""
    small, ones = laplacian(3), np.ones(9)
    gradient(small, ones)
    a, b = laplacian(rows), np.ones(rows * rows)
    before = highest()
    if with_gradient:
        gradient(a, b)
    else:
        loss(a, b)
    return highest() - before


def peaks(rows: int) -> list[int]:
    """The peaks of a solve and of its gradient, each in a process of its own."""
    commands = [CHILD.format(rows=rows, gradient=g) for g in (False, True)]
    return [int(subprocess.check_output([sys.executable, "-c", c], text=True)) for c in commands]


def stencil(u: Any) -> Any:
    """Diffusion and reaction on a square grid, zero outside, of its values as a vector."""
    rows = int(np.sqrt(len(u)))
    inside = np.pad(np.reshape(u, (rows, rows)), 1)
    around = inside[2:, 1:-1] + inside[:-2, 1:-1] + inside[1:-1, 2:] + inside[1:-1, :-2]
    return np.ravel(around - 4.0 * inside[1:-1, 1:-1]) + u**3


def jacobian_of_stencil(rows: int, rounds: int) -> tuple[int, dict[str, float]]:
    """The passes that the Jacobian of the stencil takes, and its seconds beside the stencil's."""
    pattern, u = laplacian(rows), np.linspace(0.0, 1.0, rows * rows)
    jacobian = cr.jacobian(stencil, sparsity=pattern)
    found = medians({"stencil": lambda: stencil(u), "jacobian": lambda: jacobian(u)}, rounds)
    return Pattern(pattern, "auto").count + 1, found


def main(arguments: list[str]) -> int:
    """Print the tables."""
    tiny = "--tiny" in arguments
    body = []
    for rows in (8,) if tiny else (100, 200, 317):
        print(f"{rows * rows} unknowns …", file=sys.stderr, flush=True)
        found, memory = times(rows, 1 if tiny else 5), peaks(rows) if on_linux() else [0, 0]
        memories = [f"{memory[0] / 1e6:.1f} MB", f"{memory[1] / max(memory[0], 1):.2f}×"]
        ratio = f"{found['gradient'] / found['solve']:.2f}×"
        body.append([f"{rows * rows:,}", duration(found["solve"]), ratio, *memories])
    print(table(["unknowns", "spsolve", "gradient", "memory of spsolve", "of the gradient"], body), "\n")
    body = []
    for rows in (8,) if tiny else (10, 32, 100, 316):
        passes, found = jacobian_of_stencil(rows, 1 if tiny else 9)
        ratio = f"{found['jacobian'] / found['stencil']:.1f}×"
        body.append([f"{rows * rows:,}", str(passes), duration(found["stencil"]), ratio])
    print(table(["variables", "passes", "stencil", "Jacobian"], body))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
