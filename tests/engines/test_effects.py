"""Effects: what a function does besides computing happens once, in order, and errors are the user's."""

import logging
import sys
import threading
import traceback
import warnings

import numpy as np
import pytest

import chainrules as cr

SEEN: list[str] = []


def seen(name, value):
    SEEN.append(name)
    return value


@pytest.mark.parametrize("mode", [cr.grad, cr.derivative])
def test_effects_happen_once_and_in_the_order_written(mode):
    def f(x):
        SEEN.append("start")
        y = seen("a", 2.0) * (seen("b", x) + seen("c", 1.0)) + seen("d", x * seen("e", 3.0))
        for i in range(seen("stop", 2)):
            y = y * seen(f"in {i}", x if seen("test", i) else 2.0)
        return seen("last", y) * np.ones(3)[seen("index", 1)]

    SEEN.clear()
    plain = f(1.5)
    expected = list(SEEN)
    SEEN.clear()
    derivative = mode(f)(1.5)
    assert expected == SEEN
    SEEN.clear()
    assert derivative == pytest.approx((f(1.5 + 1e-6) - plain) / 1e-6, rel=1e-4)


def test_prints_run_once_also_with_what_varies(capsys):
    def f(x):
        y = x * x
        print("y is", y)  # noqa: T201  # it is what is tested
        return y

    assert cr.value_and_grad(f)(3.0) == (9.0, 6.0)
    assert capsys.readouterr().out == "y is 9.0\n"


def risky(x):
    y = x * x
    if x < 0:
        raise ValueError(f"{x} is below zero")
    return y / x


def around(x):
    return 2 * risky(x) + 1


@pytest.mark.parametrize("mode", [cr.grad, cr.derivative])
def test_exceptions_show_the_users_lines_and_the_next_call_is_right(mode):
    for _ in range(2):
        with pytest.raises(ValueError, match=r"-1\.0 is below zero") as caught:
            mode(around)(-1.0)
        lines = [frame.line for frame in traceback.extract_tb(caught.tb)]
        assert 'raise ValueError(f"{x} is below zero")' in lines
        assert "return 2 * risky(x) + 1" in lines
        with pytest.raises(ZeroDivisionError) as division:
            mode(around)(0.0)
        assert "return y / x" in [frame.line for frame in traceback.extract_tb(division.tb)]
        assert mode(around)(3.0) == 2.0


@pytest.mark.parametrize("mode", [cr.grad, cr.derivative])
def test_a_wrong_call_says_what_python_says(mode):
    def f(x):
        return around(x, 2.0)  # type: ignore[call-arg]  # that is the point

    with pytest.raises(TypeError, match=r"around\(\) takes 1 positional argument but 2 were given"):
        mode(f)(1.0)
    with pytest.raises(UnboundLocalError, match="'y"):
        mode(lambda x: unbound(x))(1.0)


def unbound(x):
    if x > 5:
        y = x
    return y * x


def looped(x):
    s = x
    for i in range(20):
        if i % 3 == 0:
            s = s + x * np.sin(s) * i
    return s


def test_eight_threads_differentiate_at_once():
    """A function new to all of them, and one pullback that all of them call."""

    def fresh(x):
        return looped(x) * x

    expected = cr.derivative(looped)(0.3) * 0.3 + looped(0.3)
    _, pullback = cr.vjp(looped, 0.3)
    (once,) = pullback(1.0)
    start, answers = threading.Barrier(8), []

    def work():
        start.wait()
        gradients = {cr.grad(fresh)(0.3) for _ in range(5)}
        answers.append((gradients, {pullback(1.0)[0] for _ in range(5)}))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == 8
    for gradients, pulled in answers:
        (gradient,) = gradients
        assert gradient == pytest.approx(expected, rel=1e-12)
        assert pulled == {once}


def test_a_pullback_may_be_called_again_and_keeps_seed_and_answers_apart():
    x = np.array([1.0, 2.0, 3.0])
    _, pullback = cr.vjp(lambda x: x + x * x + x[::-1], x)
    seed = np.array([1.0, 10.0, 100.0])
    (first,) = pullback(seed)
    kept = first.copy()
    (second,) = pullback(2 * seed)
    np.testing.assert_array_equal(first, kept)
    np.testing.assert_array_equal(second, 2 * first)
    np.testing.assert_array_equal(seed, [1.0, 10.0, 100.0])


def reporting(x):
    y, said = x, []
    for i in range(3):
        y = y * x
        said.append(f"{i}: {y:.1f}")
        LOGGER.info("after %d: %s", i, y)
        LOGGER.info(f"still {y}")
    if y > 10:
        warnings.warn(f"{y} is large", stacklevel=1)
    sys.stdout.write("; ".join(said))
    return y


LOGGER = logging.getLogger(__name__)


@pytest.mark.parametrize("mode", [cr.grad, cr.derivative])
def test_texts_report_and_loggers_get_the_values(mode, caplog, capsys):
    with caplog.at_level(logging.INFO), pytest.warns(UserWarning, match=r"^16.0 is large"):
        assert mode(reporting)(2.0) == 4 * 2.0**3
    assert capsys.readouterr().out == "0: 4.0; 1: 8.0; 2: 16.0"
    assert caplog.messages[:2] == ["after 0: 4.0", "still 4.0"]


def test_a_number_made_of_a_text_is_an_error_where_its_derivative_is_asked_for():
    def f(x):
        return float(f"{x * x}") + x

    for run in (lambda: cr.grad(f)(3.0), lambda: cr.jvp(f, (3.0,), (1.0,)), lambda: cr.derivative(f)(3.0)):
        with pytest.raises(cr.ChainRulesError, match=r"rule for float\(str\)"):
            run()
