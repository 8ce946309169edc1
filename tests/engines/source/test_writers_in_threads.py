"""What functions write is found out by one thread at a time: no other takes what is still open for an answer.

`CHAINRULES_THREADS=1000` runs a thousand rounds; the suite runs some, each of functions that are new.
"""

import importlib.util
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import numpy as np
import pytest

import chainrules as cr
from chainrules.engines.source.analysis.writers import writes

ROUNDS, THREADS = int(os.environ.get("CHAINRULES_THREADS", "25")), 8
TEXT = """
def even{i}(x, n):
    if n:
        odd{i}(x, n - 1)

def odd{i}(x, n):
    x[0] = x[0] * 2.0
    if n:
        even{i}(x, n - 1)

def caller{i}(x):
    y = x * 1.0
    even{i}(y, 3)
    return y[0] + y[1]
"""


@pytest.fixture
def module(tmp_path: Any) -> Any:
    path = tmp_path / "writing_in_threads.py"
    path.write_text("".join(TEXT.format(i=i) for i in range(ROUNDS)))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


def test_eight_threads_whose_callees_write(module: Any) -> None:
    barrier, before = Barrier(THREADS), sys.getswitchinterval()

    def run(i: int, thread: int) -> Any:
        barrier.wait(60.0)
        names = ("even", "odd") if thread % 2 else ("odd", "even")
        told = [writes(getattr(module, f"{name}{i}")) for name in names]
        return told, cr.grad(getattr(module, f"caller{i}"))(np.array([1.0, 3.0]))

    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(THREADS) as pool:
            for i in range(ROUNDS):
                for told, gradient in pool.map(run, [i] * THREADS, range(THREADS)):
                    assert told == [frozenset({0})] * 2
                    assert gradient.tolist() == [4.0, 1.0]
    finally:
        sys.setswitchinterval(before)
