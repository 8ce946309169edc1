"""`profile`: where the time of derivatives goes, by the user's lines and by rules.

A thread looks at what every other thread does, a thousand times a second, and counts: nothing is measured
in the programs themselves, so they run as they always do. The stack says which line of a differentiated
function runs, forwards or backwards, and inside which rule. Memory is asked of `tracemalloc`: which lines
made what was held when most was held.
"""

from __future__ import annotations

import sys
import sysconfig
import threading
import time
import tracemalloc
from collections import Counter
from collections.abc import Iterator
from types import FrameType

from .loading import load_imported
from .profiled import ENGINE, OUTSIDE, Place, Profile
from .tracebacks import CALLERS, PULLBACKS, RUNNERS, is_ours, line_undone

_RULES = ("_rrule", "_frule", "_pullback", "_pushforward")
_WRAPPERS = ("ufunc_rrule", "ufunc_frule")  # the rules of ufuncs are inside
_PACKAGES = ("site-packages", sysconfig.get_path("stdlib"))
_FRAMES = 40
_GROWTH = 1.1  # a new greatest amount of memory is looked at when it is so many times the last


class profile:  # noqa: N801  an operator, whatever it is made of
    """Watch the derivatives taken inside a `with` block; print what it gives, or show it in a notebook.

    interval: seconds between two looks. memory: ask which lines made what was held at the peak, too; the
    block then runs several times slower. All threads are watched. Times are seconds of looks, so small parts
    need a block that runs long enough: a hundred looks are right to about ten per cent.

    Raises:  RuntimeError where a profile is entered that is open.
    Example: >>> with profile(interval=1e-4) as found:
             ...     y, gradient = value_and_grad(lambda x: x * x)(3.0)
             >>> found.seconds > 0
             True
    """

    def __init__(self, *, interval: float = 1e-3, memory: bool = False) -> None:
        if interval <= 0:
            raise ValueError(f"interval is the seconds between two looks, and {interval} is not positive")
        self.interval, self.memory = interval, memory
        self._thread: threading.Thread | None = None

    def __enter__(self) -> Profile:
        if self._thread is not None:
            raise RuntimeError("this profile is open already: make another one")
        self.found = Profile(self.interval)
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="chainrules profile", daemon=True)
        self._traced = self.memory and not tracemalloc.is_tracing()
        if self._traced:
            load_imported()  # under `tracemalloc` that takes a minute, and its memory is no program's
            tracemalloc.start(_FRAMES)
        self._before, self._most = tracemalloc.get_traced_memory()[0], 0.0
        self._snapshot: tracemalloc.Snapshot | None = None
        self._start = time.perf_counter()
        self._thread.start()
        return self.found

    def __exit__(self, *raised: object) -> None:
        assert self._thread is not None
        self._closing.set()
        self._thread.join()
        self.found.seconds = time.perf_counter() - self._start
        self._thread = None
        self.found.held.update(_by_line(self._snapshot))
        if self._traced:
            tracemalloc.stop()

    def _watch(self) -> None:
        own, last = threading.get_ident(), self._start
        while not self._closing.wait(self.interval):
            now = time.perf_counter()
            for thread, frame in sys._current_frames().items():
                place = None if thread == own else place_of(frame)
                if place is not None and (place.kind != OUTSIDE or thread == threading.main_thread().ident):
                    self.found.times[place] = self.found.times.get(place, 0.0) + now - last
                    self.found.looks += 1
            last = now
            if self.memory:
                self._weigh()

    def _weigh(self) -> None:
        held = tracemalloc.get_traced_memory()[0] - self._before
        if held <= max(self._most * _GROWTH, 100_000):
            return
        self._most, self._snapshot = held, tracemalloc.take_snapshot()
        self.found.peak = int(held)


def _by_line(snapshot: tracemalloc.Snapshot | None) -> Counter[tuple[str, int]]:
    """Bytes of a snapshot by the user's lines that made them; slow, so it is done after the block."""
    found = Counter[tuple[str, int]]()
    for trace in snapshot.traces if snapshot else ():
        line = next(filter(None, (_line(f.filename, f.lineno) for f in reversed(trace.traceback))), None)
        if line is not None:
            found[line] += trace.size
    return found


def place_of(frame: FrameType | None) -> Place | None:
    """What a stack is about: a line of a differentiated function, the engine's own work, or none of ours."""
    inner: list[FrameType] = []
    engine, outermost = False, frame
    for outer in _stack(frame):
        if outer.f_code.co_filename == __file__:
            return None  # the profile's own work
        line = _program(outer)
        if line is not None:
            return Place(*line, _rule(inner))
        engine = engine or is_ours(outer.f_code.co_filename)
        inner.append(outer)
        outermost = outer
    if outermost is None or outermost.f_code.co_filename == threading.__file__:
        return None  # a thread at rest, or that of a library
    if not engine:
        return Place(OUTSIDE, "", 0, "")
    users = next((f for f in inner if not is_ours(f.f_code.co_filename) and _calls_us(f, inner)), outermost)
    return Place(ENGINE, users.f_code.co_filename, users.f_lineno, "")


def _stack(frame: FrameType | None) -> Iterator[FrameType]:
    while frame is not None:
        yield frame
        frame = frame.f_back


def _calls_us(frame: FrameType, stack: list[FrameType]) -> bool:
    """Whether everything further out is the user's as well."""
    return not any(is_ours(f.f_code.co_filename) for f in stack[stack.index(frame) :])


def _program(frame: FrameType) -> tuple[str, str, int] | None:
    """The direction, file and line of a program that the engine runs; None for any other frame."""
    code, caller = frame.f_code, frame.f_back
    if code.co_filename in PULLBACKS:
        line = line_undone(code.co_filename, frame.f_lineno)
        return ("backward", PULLBACKS[code.co_filename], line) if line else None
    if code in RUNNERS:
        filename, line, _ = RUNNERS[code](frame)
        return ("backward", filename, line) if line else None
    if caller is None or is_ours(code.co_filename) or code.co_filename.startswith("<"):
        return None
    kind = CALLERS.get(caller.f_code)
    return None if kind is None else (kind, code.co_filename, frame.f_lineno)


def _rule(inner: list[FrameType]) -> str:
    """The outermost rule inside a program's line, by the name of what it is a rule of."""
    for frame in reversed(inner):
        name = frame.f_code.co_name
        ending = next((e for e in _RULES if name.endswith(e)), None)
        if ending is not None and name not in _WRAPPERS:
            return name.removesuffix(ending)
    return ""


def _line(filename: str, line: int) -> tuple[str, int] | None:
    """The user's line that a line of any file stands for; None for those of packages and of the library."""
    if filename in PULLBACKS:
        undone = line_undone(filename, line)
        return (PULLBACKS[filename], undone) if undone else None
    if is_ours(filename) or filename.startswith("<") or any(p in filename for p in _PACKAGES):
        return None
    return filename, line
