# ruff: noqa: T201  these functions print
"""What a function prints, logs or puts into a list from outside: once in each call, and as Python would."""

import logging

import numpy as np
import pytest
from scipy import optimize

import chainrules as cr
from chainrules.engines.specialised.running.entry import specialised_after
from chainrules.engines.specialised.running.shown import text_of

from .compared import differences

X = np.array([0.7, -0.3, 1.4, 0.2])
LOG: list[object] = []
READ: list[float] = []
logger = logging.getLogger(__name__)


def printing(x):
    total = 0.0
    for i, v in enumerate(x):
        total = total + np.sin(v) * (i + 1)
        print(f"{i}: {total:.3f}", v, end=" | ")
        if i == 2:
            print("array", x * 2.0, (i, v), True, None, sep="-")
    print()
    return total


def shown(v, what="it"):
    print(what, v)
    return v * v


def by_a_function(x):
    w = x * 2.0
    y = shown(x[0]) * shown(np.sum(x), what="sum")
    print(w)
    w[0] = y
    print(w[0], w, flush=True)
    return np.sum(w) + shown(y)


def in_a_branch(x):
    print("begin")
    if x[0] > 1.0:
        print("large", x[0])
        y = x[0] ** 2
    elif x[0] < -1.0:
        print("small", x[0])
        y = -x[0]
    else:
        y = x[0]
    print("end", y)
    return y * np.sum(x)


@pytest.mark.parametrize("f", [printing, by_a_function, in_a_branch])
def test_what_is_printed(f, capsys):
    for k in (1.0, 1.0, 1.0, 1.0, 3.0, -2.0, -4.0, 3.0, -4.0, 1.0, 1.1, 3.1):
        value = f(k * X)
        plain = capsys.readouterr().out
        found = cr.value_and_grad(f)(k * X)
        assert capsys.readouterr().out == plain
        assert found[0] == value
        np.testing.assert_allclose(found[1], differences(f, k * X), rtol=1e-6, atol=1e-8)
        capsys.readouterr()
    assert "tell" in text_of(f)


@pytest.mark.parametrize("of", [cr.jvp, cr.hvp])
def test_directions_print_as_before(of, capsys):
    given = (X,) if of is cr.jvp else X
    direction = (X,) if of is cr.jvp else X
    outputs = []
    for _ in range(5):
        of(printing, given, direction)
        outputs.append(capsys.readouterr().out)
    assert len(set(outputs)) == 1


def appending(x):
    y = 0.0
    for v in x:
        y = y * 0.5 + v**2
        LOG.append(float(y))
    if y > 4.0:
        LOG.append("large")
    return y


def test_a_list_from_outside_grows_once():
    for k in (1.0, 1.0, 1.0, 1.0, 4.0, 1.0, 5.0, 4.0):
        LOG.clear()
        appending(k * X)
        plain = list(LOG)
        LOG.clear()
        np.testing.assert_allclose(cr.grad(appending)(k * X), differences_of(appending, k * X), rtol=1e-6)
        assert plain == LOG
    assert "tell" in text_of(appending)


def differences_of(f, x):
    """Differences that leave the list as it was."""
    before = list(LOG)
    found = differences(f, x)
    LOG[:] = before
    return found


def test_a_captured_list():
    def made():
        history = []

        def loss(x):
            y = np.sum(np.cos(x) ** 2)
            history.append(y)
            return y

        return history, loss

    for _ in range(2):
        history, loss = made()
        for k in range(1, 7):
            cr.grad(loss)(X * k)
            assert len(history) == k
            assert history[-1] == np.sum(np.cos(X * k) ** 2)


def reading(x):
    READ.append(x[0])
    return np.sum(x) * len(READ) + READ[-1]


def of_an_argument(x, seen):
    READ.append(1.0)
    return np.sum(x**2) * len(seen)


def test_a_list_that_is_read_is_read_as_it_is():
    READ.clear()
    with specialised_after(1):
        for k in range(1, 6):
            np.testing.assert_allclose(cr.grad(reading)(X), k + np.array([1.0, 0.0, 0.0, 0.0]))
        for k in range(6, 12):
            np.testing.assert_allclose(cr.grad(of_an_argument)(X, READ), 2.0 * X * k)


def rebound(x):
    LOG.append(x[1])
    return np.sum(x**3)


def test_another_list_by_the_same_name(monkeypatch):
    with specialised_after(1):
        for _ in range(4):
            cr.grad(rebound)(X)
        other: list[float] = []
        monkeypatch.setitem(globals(), "LOG", other)
        for k in range(1, 4):
            cr.grad(rebound)(X)
            assert other == [X[1]] * k


def logging_(x):
    y = x
    for i in range(3):
        y = y * 0.9 + np.sin(y)
        logger.debug("%d %s", i, y[0])
        logger.info(f"{y[1]:.2f}")
    return np.sum(y)


def test_what_is_logged(caplog):
    for _ in range(5):
        np.testing.assert_allclose(cr.grad(logging_)(X), differences(logging_, X), rtol=1e-6)
    assert text_of(logging_)
    assert not caplog.records
    with caplog.at_level(logging.INFO, __name__):
        for k in range(1, 4):
            cr.grad(logging_)(X)
            assert len(caplog.records) == 3 * k


class Refusing:
    def __init__(self):
        self.count = 0

    def write(self, text):
        self.count += 1
        raise OSError("no room")


def test_an_error_of_who_is_told(monkeypatch):
    for _ in range(5):
        cr.grad(in_a_branch)(X)
    refusing = Refusing()
    monkeypatch.setattr("sys.stdout", refusing)
    with pytest.raises(OSError, match="no room"):
        cr.grad(in_a_branch)(X)
    assert refusing.count == 1


def residual(t, a):
    print("asked")
    return t**3 + a * t - 1.0


def solved(x):
    return optimize.brentq(residual, -3.0, 3.0, args=(x[0] ** 2,))


def test_what_a_solver_prints(capsys):
    outputs = []
    for _ in range(6):
        cr.grad(solved)(X)
        outputs.append(capsys.readouterr().out)
    assert len({*outputs[:2], *outputs[3:]}) == 1  # in the third call a text is tried


class Counter:
    def __init__(self):
        self.count = 0


def counted_and_written(x, c):
    c.count = c.count + 1
    x[0] = x[1] * x[2]
    print(c.count)
    return np.sum(x**2)


def test_effects_of_several_sorts(capsys):
    c = Counter()
    for k in range(1, 8):
        x = X.copy()
        found = cr.grad(counted_and_written)(x, c)
        assert c.count == k
        assert capsys.readouterr().out == f"{k}\n"
        assert x[0] == X[1] * X[2]
        np.testing.assert_allclose(found[1:3], 2.0 * X[1:3] + 2.0 * X[1] * X[2] * X[2:0:-1])
