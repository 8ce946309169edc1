"""How long does a first gradient take? In units of compiling the same source once with `compile`.

The program is a hundred lines as people write them: assignments, calls, loops, branches, indexing, some
stores. Each trial writes it into a file of its own under a name of its own, so that nothing made for
another trial can serve it, and reads that file before the clock starts. It is compiled once, as a module
is that is imported, and differentiated once: what a processor learns of either by doing it again and
again serves neither. Compiling it five times more shows how much that is.
"""

from __future__ import annotations

import inspect
import linecache
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import chainrules as cr


def epidemic(theta: Any, contacts: Any, counts: Any, days: int = 6, smooth: float = 0.1) -> Any:
    """The misfit of an epidemic among age groups that goes through four stages, with its penalties."""
    groups = contacts.shape[0]
    total = np.sum(counts)
    beta = np.exp(theta[0])
    gamma = np.exp(theta[1])
    sigma = np.exp(theta[2])
    amplitude = np.tanh(theta[3])
    phase = theta[4]
    reporting = 1.0 / (1.0 + np.exp(-theta[5]))
    start = np.exp(theta[6])
    immunity = 1.0 / (1.0 + np.exp(-theta[7]))

    # The population, and how it mixes.
    sizes = np.linspace(1.0, 2.0, groups)
    sizes = sizes / np.sum(sizes)
    symmetric = 0.5 * (contacts + contacts.T)
    mixing = symmetric / np.sqrt(np.outer(sizes, sizes))
    scale = np.max(np.sum(np.abs(contacts), axis=1))
    if scale > 1.0:
        mixing = mixing / scale
    pressure = beta * mixing

    # Where it begins.
    state = np.zeros((4, groups))
    state[0] = sizes * (1.0 - immunity)
    state[1] = start * 1e-3 * sizes
    state[2] = start * 5e-4 * sizes
    state[3] = sizes * immunity
    reported = np.zeros((days, groups))
    largest = 0.0
    turning = 0
    burden = 0.0

    # One day after the other, by Heun's method.
    step = 0.5
    for day in range(days):
        season = 1.0 + amplitude * np.cos(2.0 * np.pi * day / 365.0 + phase)
        susceptible = state[0]
        exposed = state[1]
        infectious = state[2]
        force = season * (pressure @ infectious)
        infections = force * susceptible
        onsets = sigma * exposed
        recoveries = gamma * infectious
        guess_s = susceptible - step * infections
        guess_e = exposed + step * (infections - onsets)
        guess_i = infectious + step * (onsets - recoveries)
        force_then = season * (pressure @ guess_i)
        infections_then = force_then * guess_s
        onsets_then = sigma * guess_e
        recoveries_then = gamma * guess_i
        infections = 0.5 * (infections + infections_then)
        onsets = 0.5 * (onsets + onsets_then)
        recoveries = 0.5 * (recoveries + recoveries_then)
        following = np.zeros((4, groups))
        following[0] = susceptible - step * infections
        following[1] = exposed + step * (infections - onsets)
        following[2] = infectious + step * (onsets - recoveries)
        following[3] = state[3] + step * recoveries
        reported[day] = reporting * onsets
        state = following
        if np.sum(infectious) > largest:
            largest = np.sum(infectious)
            turning = day
        elif day > 3:
            burden = burden + 0.01 * np.sum(infectious)
        else:
            burden += 0.02 * np.sum(infectious)

    # What was counted against what is reported.
    expected = total * reported + 1e-6
    likelihood = 0.0
    for group in range(groups):
        row = expected[:, group]
        seen = counts[:, group]
        weight = 1.0 + 0.5 * (group == turning)
        likelihood = likelihood + weight * np.sum(row - seen * np.log(row))
    residual = (counts - expected) / np.sqrt(expected)
    outliers = np.where(np.abs(residual) > 3.0, np.abs(residual), 0.5 * residual**2)
    roughness = np.sum(np.diff(reported, axis=0) ** 2)
    jumps = 0.0
    day = 1
    while day < days:
        change = reported[day] - reported[day - 1]
        jumps = jumps + np.sum(np.sqrt(change * change + 1e-8))
        day += 1

    # What is known beforehand.
    centres = [0.0, -1.0, -1.0, 0.0, 0.0, 0.5, 0.0, -2.0]
    prior = 0.0
    for i, centre in enumerate(centres):
        prior = prior + (theta[i] - centre) ** 2 / 2.0
    spread = np.sqrt(np.mean((mixing - np.mean(mixing)) ** 2) + 1e-6)
    contrast = np.mean(mixing[0]) - np.mean(mixing[-1])
    asymmetry = np.linalg.norm(contacts - contacts.T + 1e-3)
    final = np.sum(state[1:3]) + np.max(state[3])
    penalty = smooth * (roughness + jumps) + 0.1 * burden + 0.01 * largest
    energy = 0.01 * np.mean(outliers) + 0.1 * spread + 0.01 * asymmetry * contrast
    return likelihood / total + prior + penalty + energy + final


SOURCE = inspect.getsource(epidemic)
IMPORTS = "import numpy as np\nfrom typing import Any\n\n\n"


class Latency(NamedTuple):
    """Seconds of the processor: compiling the source, the first gradient, the second, each one later."""

    compiling: float
    again: float  # compiling it once more: the least of five in a row
    first: float
    second: float
    writing: float  # the dearest of the next four: it writes the specialised text
    later: float

    @property
    def ratio(self) -> float:
        """The first gradient, its own run included, in units of compiling."""
        return self.first / self.compiling

    @property
    def repeated(self) -> float:
        """The first gradient in units of compiling again what has just been compiled."""
        return self.first / self.again


def arguments(groups: int = 3, days: int = 6) -> tuple[Any, ...]:
    """Small enough that running costs little beside transforming."""
    rng = np.random.default_rng(5)
    theta = np.array([0.3, -1.0, -0.8, 0.2, 0.1, 0.4, 0.2, -2.0])
    return theta, rng.uniform(0.2, 1.0, (groups, groups)), rng.poisson(3.0, (days, groups)) + 1.0


def trials(folder: Path, count: int, mode: str) -> Iterator[Latency]:
    """The program again and again, each in a file and under a name that nothing has met."""
    x = arguments()
    for i in range(count):
        name, path = f"epidemic_{i}", folder / f"epidemic_{i}.py"
        text = IMPORTS + SOURCE.replace("def epidemic(", f"def {name}(", 1)
        path.write_text(text, encoding="utf-8")
        linecache.getlines(str(path))
        compiling, code = _timed(compile, text, str(path), "exec")
        again = min(_timed(compile, text, str(path), "exec")[0] for _ in range(5))
        namespace: dict[str, Any] = {"__name__": name}
        exec(code, namespace)
        first, second, *more = (_timed(gradient, namespace[name], mode, x)[0] for _ in range(9))
        yield Latency(compiling, again, first, second, max(more[:4]), statistics.median(more[4:]))


def gradient(f: Any, mode: str, x: tuple[Any, ...]) -> Any:
    """A gradient in reverse, or a directional derivative forward, of the first two arguments."""
    if mode == "reverse":
        return cr.grad(f, (0, 1))(*x)
    return cr.jvp(f, x[:2], x[:2], counts=x[2])


def warm(mode: str, count: int = 15) -> Latency:
    """The medians in a process that has met other programs: all that is imported and resolved once is."""
    with tempfile.TemporaryDirectory() as folder:
        return _medians(list(trials(Path(folder), count + 1, mode))[1:])


def cold(mode: str, runs: int = 5) -> Latency:
    """The medians of fresh processes, where the first gradient also imports the rules that it meets."""
    program = f"from benchmarks.latency import in_this_process\nprint(*in_this_process({mode!r}))"
    command = [sys.executable, "-c", program]
    lines = [subprocess.check_output(command, text=True).split() for _ in range(runs)]
    return _medians([Latency(*map(float, line)) for line in lines])


def in_this_process(mode: str) -> Latency:
    """One first gradient, of a program that nothing has met."""
    with tempfile.TemporaryDirectory() as folder:
        return next(trials(Path(folder), 1, mode))


def _timed(f: Callable[..., Any], *args: Any) -> tuple[float, Any]:
    start = time.thread_time()
    made = f(*args)
    return time.thread_time() - start, made


def _medians(found: list[Latency]) -> Latency:
    return Latency(*map(statistics.median, zip(*found, strict=True)))
