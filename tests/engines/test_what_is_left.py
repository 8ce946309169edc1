"""What is entered is left: locks and other managers, also where something is refused inside or at the end.

A lock that stays held makes a program wait for ever, so what could hang runs in a process of its own.
"""

import contextlib
import subprocess
import sys
import textwrap
import threading

import pytest

import chainrules as cr

MODES = {"reverse": cr.grad, "forward": cr.derivative}
LOCKS = {
    "Lock": threading.Lock,
    "RLock": threading.RLock,
    "Condition": threading.Condition,
    "Semaphore": threading.Semaphore,
}
seen: list[str] = []


def through_text(x):
    return float(str(x))


class Noting:
    def __init__(self, v):
        self.v = v

    def __enter__(self):
        seen.append("in")
        return self

    def __exit__(self, *told):
        seen.append("out")
        return False


class LeavingWithText(Noting):
    def __exit__(self, *told):
        seen.append("out")
        self.v = through_text(self.v)


@contextlib.contextmanager
def noted(v):
    seen.append("in")
    try:
        yield v * 2
    finally:
        seen.append("out")


def inside(x):
    with Noting(x) as p:
        y = through_text(p.v)
    return y


def beside_one_that_does_not_vary(x):
    with Noting(2.0) as p:
        y = p.v * through_text(x)
    return y


def in_what_is_returned(x):
    with Noting(x) as p:
        return through_text(p.v)


def in_a_loop(x):
    for i in range(2):
        with Noting(x) as p:
            if i == 0:
                continue
            x = through_text(p.v)
    return x


def in_the_next_manager(x):
    with Noting(x) as p, Noting(through_text(x)) as q:
        y = p.v * q.v
    return y


def in_a_generator(x):
    with noted(x) as v:
        y = through_text(v)
    return y


def after_a_try(x):
    seen.append("in")
    try:
        y = through_text(x)
    finally:
        seen.append("out")
    return y


def where_an_error_of_the_user_is_under_way(x):
    with Noting(x) as p:
        try:
            raise KeyError("mine")
        except KeyError:
            y = through_text(p.v)
    return y


REFUSED = [
    inside,
    beside_one_that_does_not_vary,
    in_what_is_returned,
    in_a_loop,
    in_the_next_manager,
    in_a_generator,
    after_a_try,
    where_an_error_of_the_user_is_under_way,
]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("f", REFUSED)
def test_what_was_entered_is_left_where_something_is_refused(f, mode):
    seen.clear()
    with pytest.raises(cr.NoRuleError, match="str"):
        MODES[mode](f)(3.0)
    assert seen.count("out") == seen.count("in") >= 1


def refused_in_leaving(x):
    with LeavingWithText(x) as p:
        y = p.v * x
    return y + p.v


@pytest.mark.parametrize("mode", MODES)
def test_what_is_refused_in_leaving_is_left_as_it_is_written(mode):
    seen.clear()
    with pytest.raises(cr.NoRuleError, match="str"):
        MODES[mode](refused_in_leaving)(3.0)
    assert seen[0] == "in"
    assert set(seen[1:]) == {"out"}


HELD = """
    import threading
    import chainrules as cr

    class Account:
        def __init__(self):
            self.lock, self.total = threading.{lock}(), 1.0

    def pay(x, account):
        {statement}
            account.total = account.total + x * x
        {after}
        return account.total * x

    account = Account()
    g = cr.grad(pay)(3.0, account)
    assert g == 28.0, g
    assert pay(3.0, Account()) == 30.0
    d = cr.jvp(pay, (3.0, Account()), (1.0, cr.tangents.ZERO))[1]
    assert d == 28.0, d
    with account.lock:
        pass
    assert cr.grad(pay)(3.0, Account()) == 28.0
"""
WAYS = {
    "with": ("with account.lock:", ""),
    "as": ("with account.lock as got:", "assert got is not None"),
    "try": ("account.lock.acquire()\n        try:", "finally: account.lock.release()"),
    "got": ("got = account.lock.acquire()\n        try:", "finally: account.lock.release()"),
}


def run(tmp_path, text):
    """A program of its own, which fails where it has not ended in a minute."""
    program = tmp_path / "program.py"
    program.write_text(textwrap.dedent(text), encoding="utf-8")
    done = subprocess.run([sys.executable, program], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_of_an_argument_is_held_and_released(lock, tmp_path):
    ways = WAYS.values() if lock == "RLock" else [WAYS["with"]]
    for statement, after in ways:
        run(tmp_path, HELD.format(lock=lock, statement=statement, after=after))


POOL = """
    from concurrent.futures import ThreadPoolExecutor
    import chainrules as cr

    def square(x):
        return x * x

    def made_inside(x):
        with ThreadPoolExecutor(2) as ex:
            return sum(ex.map(square, [x, 2 * x]))

    outside = ThreadPoolExecutor(2)

    def made_outside(x):
        return sum(outside.map(square, [x, 2 * x]))

    def submitted(x):
        return outside.submit(square, x).result()

    for f in (made_inside, made_outside, submitted):
        for mode in (cr.grad, cr.derivative):
            try:
                mode(f)(3.0)
            except cr.NoRuleError as error:
                assert "concurrent.futures" in str(error), error
                assert "ex.map(chainrules.grad(f), xs)" in str(error), error
            else:
                raise AssertionError(f)
    print(list(outside.map(cr.grad(square), [1.0, 2.0])))
"""


def test_a_pool_of_threads_is_refused_by_name_and_ends(tmp_path):
    assert run(tmp_path, POOL).strip() == "[2.0, 4.0]"
