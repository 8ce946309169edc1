"""`profile`: what a stack is about, what is counted, and how it is shown."""

import ctypes
import ctypes.util
import linecache
import sys
import threading
import time
from typing import Any

import numpy as np
import pytest

import chainrules as cr
from chainrules.core.profiled import Place, Profile
from chainrules.core.profiling import place_of

libm = ctypes.CDLL(ctypes.util.find_library("m"))
libm.log1p.restype, libm.log1p.argtypes = ctypes.c_double, [ctypes.c_double]
SEEN: list[Any] = []


@cr.rrule(libm.log1p)
def log1p_rrule(x: float):
    SEEN.append(place_of(sys._getframe()))

    def log1p_pullback(y_bar):
        SEEN.append(place_of(sys._getframe()))
        return y_bar / (1 + x)

    return libm.log1p(x), log1p_pullback


@cr.frule(libm.log1p)
def log1p_frule(tangents, x: float):
    SEEN.append(place_of(sys._getframe()))
    return libm.log1p(x), tangents[0] / (1 + x)


def root(x):
    return libm.log1p(x)  # root


def loss(x):
    total = 0.0
    for _ in range(2):
        total = total + root(x)  # loss
    return total


def told(place: Place | None) -> tuple[str, str, str]:
    assert place is not None
    assert place.filename == __file__
    return place.kind, linecache.getline(place.filename, place.line).strip(), place.rule


def test_lines_and_rules_of_both_directions() -> None:
    SEEN.clear()
    cr.grad(loss)(8.0)
    line = "return libm.log1p(x)  # root"
    assert [told(p) for p in SEEN] == [("forward", line, "log1p")] * 2 + [("backward", line, "log1p")] * 2
    SEEN.clear()
    cr.jvp(root, (8.0,), (1.0,))
    assert [told(p) for p in SEEN] == [("forward", line, "log1p")]


def test_specialised_programs_have_both_in_one_text() -> None:
    gradient = cr.grad(slow)
    for _ in range(30):
        gradient(np.ones(20_000))
    with cr.profile(interval=1e-4) as found:
        for _ in range(300):
            gradient(np.ones(20_000))
    assert found.total("both") > 0
    assert {linecache.getline(f, n).strip() for f, n, kinds, _ in found.lines() if "both" in kinds} <= {
        "def slow(x):",
        "y = np.sin(x)",
        "return np.sum(y * x)",
    }


def slow(x):
    y = np.sin(x)
    return np.sum(y * x)


def test_what_is_outside_and_what_is_the_engines_own() -> None:
    place = place_of(sys._getframe())
    assert place is not None
    assert place.kind == "outside"
    with cr.profile(interval=1e-3) as found:
        time.sleep(0.05)
    assert found.total("outside") == pytest.approx(0.05, abs=0.04)
    assert found.lines() == []
    assert "outside" in str(found)


def test_time_is_counted_where_it_passes() -> None:
    def waits(x):
        return libm.log1p(x) + resting(x)

    with cr.profile(interval=1e-3) as found:
        for _ in range(5):
            cr.grad(waits)(2.0)
    (first, *_) = found.lines()
    assert linecache.getline(first[0], first[1]).strip() == "return libm.log1p(x) + resting(x)"
    assert 0.05 < found.total("forward") < 2.0
    assert next(iter(found.rules())) == "resting"


def resting(x):
    return x


@cr.rrule(resting)
def resting_rrule(x: float):
    time.sleep(0.02)
    return x, lambda y_bar: y_bar


def test_memory_is_that_of_the_lines_that_keep_it() -> None:
    def keeps(x):
        y = np.exp(x)  # kept
        time.sleep(1.0)  # in which the memory is looked at, on a busy machine too
        return np.sum(y * y)

    with cr.profile(memory=True) as found:
        cr.grad(keeps)(np.zeros(4_000_000))  # far more than reading a program for the first time holds
    assert found.peak > 60_000_000
    heavy = {
        linecache.getline(f, n).strip(): held for (f, n), held in found.held.items() if held > 30_000_000
    }
    assert "y = np.exp(x)  # kept" in heavy


def test_other_threads_are_seen() -> None:
    worker = threading.Thread(target=lambda: [cr.grad(root_of_rest)(2.0) for _ in range(3)])
    with cr.profile() as found:
        worker.start()
        worker.join()
    assert "resting" in found.rules()


def root_of_rest(x):
    return resting(x)


def test_how_it_is_shown(tmp_path: Any) -> None:
    line = root.__code__.co_firstlineno + 1
    found = Profile(1e-3, 2.0, 20)
    found.times.update({
        Place("forward", __file__, line, "log1p"): 0.5, Place("backward", __file__, line, "log1p"): 1.25,
        Place("engine", __file__, 1, ""): 0.25,
    })  # fmt: skip
    found.held[__file__, line], found.peak = 4_200_000, 5_000_000
    text = str(found).splitlines()
    assert text[0] == (
        "2.00 s, 20 looks: forward 500.0 ms, backward 1.25 s, engine 250.0 ms; 5.0 MB held at the peak"
    )
    assert text[3].split() == ["500.0", "ms", "1.25", "s", "4.2", "MB", f"test_profiling.py:{line}", *(
        ["return", "libm.log1p(x)", "#", "root"]
    )]  # fmt: skip
    assert text[-1] == "rules: log1p 100%"
    found.save(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "return libm.log1p(x)  # root" in page
    assert page.count('class="bar"') == 4


def test_bad_input() -> None:
    with pytest.raises(ValueError, match="not positive"):
        cr.profile(interval=0.0)
    watched = cr.profile()
    with watched, pytest.raises(RuntimeError, match="open already"):
        watched.__enter__()
