"""Where a value could go that no site sees: its derivative is right or refused by name, never zero."""

import array
import copy
import json
import math
import pickle
import statistics
import struct
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import chainrules as cr
from chainrules.testing import check_grads


def pair(x: Any) -> Any:
    return np.array([x, x])


def gone_through(a: Any) -> Any:
    steps: Any = np.nditer(a)
    return [v for v in steps]  # noqa: C416  # as a loop


def scaled(x: Any) -> Any:
    preprocessing = pytest.importorskip("sklearn.preprocessing")
    scaler = preprocessing.StandardScaler()
    scaler.partial_fit(np.array([[x], [2 * x]]))
    return scaler.mean_[0] * x


def in_a_table(x: Any) -> Any:
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({"a": [1.0, 2.0]})
    table["b"] = x
    return table["b"].iloc[0] * x


def in_a_column(x: Any) -> Any:
    pandas = pytest.importorskip("pandas")
    return pandas.Series(pair(x)).values[0] * x


def in_a_thread(x: Any) -> Any:
    found: list[Any] = []
    thread = threading.Thread(target=lambda v: found.append(v * v), args=(x,))
    thread.start()
    thread.join()
    return found[0] * x


def in_a_pool(x: Any) -> Any:
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(lambda v: v * v, x).result() * x


HIDDEN: dict[str, Any] = {
    "a text": lambda x: float(str(x)) * x,
    "a formatted text": lambda x: float("%r" % x) * x,  # noqa: UP031  # as people write it
    "a part of a text": lambda x: float(" ".join([f"{x}"]).split()[0]) * x,
    "texts that are joined": lambda x: float(".".join([f"{x:.0f}", f"{x:.0f}"])) * x,
    "a stripped text": lambda x: float(repr(x).strip()) * x,
    "JSON": lambda x: json.loads(json.dumps({"a": x}))["a"] * x,
    "a pickle": lambda x: pickle.loads(pickle.dumps(x)) * x,
    "packed bytes": lambda x: struct.unpack("d", struct.pack("d", x))[0] * x,
    "bytes of an array": lambda x: np.frombuffer(np.array([x, x]).tobytes())[0] * x,
    "hexadecimal digits": lambda x: float.fromhex(x.hex()) * x,
    "a view of memory": lambda x: memoryview(pair(x))[0] * x,
    "an array of Python's": lambda x: array.array("d", [x, x])[0] * x,
    "an iterator in C": lambda x: 1.0 * sum(gone_through(pair(x))),
    "objects in an array": lambda x: (np.array([x, x], dtype=object) * 2)[0],
    "a fraction": lambda x: float(Fraction(x)) * x,
    "an estimator": scaled,
    "a table": in_a_table,
    "a column": in_a_column,
    "a thread": in_a_thread,
    "a pool of threads": in_a_pool,
    "code in a text": lambda x: eval("x * x"),  # what is refused
}
SEEN: dict[str, Any] = {
    "a deep copy": lambda x: copy.deepcopy([x, np.array([x, x])])[1][0] * x,
    "a set": lambda x: sum({x, x * x}),
    "a remainder": lambda x: divmod(x, 0.7)[1] * x,
    "sums of the library": lambda x: math.fsum([x, x * x]) + statistics.mean([x, x * x]),
    "a report": lambda x: (repr(x), x * x)[1],
}


@pytest.mark.parametrize("name", HIDDEN)
def test_it_is_refused_by_name(name: str) -> None:
    for differentiate in (cr.grad, cr.derivative):
        with pytest.raises(cr.ChainRulesError):
            differentiate(HIDDEN[name])(2.0)


@pytest.mark.parametrize("name", SEEN)
def test_it_is_seen(name: str) -> None:
    check_grads(SEEN[name], 2.2, order=1)


def test_what_only_reports_needs_no_rule(capsys: pytest.CaptureFixture[str]) -> None:
    def f(x):
        y = x * x
        sys.stdout.write(f"loss {y} {json.dumps({'y': float(y)})}")
        return y

    assert cr.grad(f)(3.0) == 6.0
    assert capsys.readouterr().out.startswith("loss 9.0")


def test_what_hides_from_a_run_inside_hides_from_the_outer_one_too() -> None:
    def outer(x):
        def inner(y):
            return y * y, struct.unpack("d", struct.pack("d", y * x))[0]

        (_, hidden), back = cr.vjp(inner, x)
        return back((1.0, 0.0))[0] * hidden

    for differentiate in (cr.grad, cr.derivative):
        with pytest.raises(cr.NoRuleError, match="unpack"):
            differentiate(outer)(2.0)
