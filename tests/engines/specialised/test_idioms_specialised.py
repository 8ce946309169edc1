"""Idioms of numerical programs: specialised, and right by differences."""

import warnings
from typing import Any

import numpy as np
import pytest

import chainrules as cr
from chainrules.engines.specialised.running.entry import specialised_after

VECTOR = np.array([0.4, 1.3, 2.2, 0.7])
SIZES = (4, 3, 2)
LAYERS = {
    "w0": np.linspace(-1.0, 1.0, 12).reshape(4, 3),
    "b0": np.linspace(0.0, 1.0, 3),
    "w1": np.linspace(-0.5, 1.0, 6).reshape(3, 2),
    "b1": np.array([0.1, 0.2]),
}


def list_that_numpy_reduces(x):
    ys = []
    for v in x:
        ys.append(np.sin(v) * v)
    return np.sum(ys) + np.mean(ys) * np.max(ys) + np.prod(ys) + np.std(ys) + np.median(ys)


def list_of_arrays(x):
    ys = [x]
    for _ in range(3):
        ys.append(np.sin(ys[-1]))
    return np.sum(np.mean(ys, axis=0)) + np.linalg.norm(ys[1]) + np.sum(np.exp(ys)[2])


def numbers_written_out(x):
    return np.linalg.norm([x[0], x[1], 2.0]) + np.max((x[0], x[1] * 2)) + np.mean((x[0], x[2]))


def length_of(ys):
    return np.linalg.norm(ys) * ys[0]


def list_that_is_handed_on(x):
    return length_of([v * v for v in x])


def imports_for_itself(x):
    import math as m
    from math import pi

    from numpy import linalg
    from scipy import special

    def wave(v):
        return np.sin(v * pi)

    return m.sqrt(x[0]) * linalg.norm(x / pi) + np.sum(special.gammaln(x)) + wave(x[1])


def helper_that_imports(ys, x):
    from math import tau

    ys.append(x * tau)


def helper_written_in(x):
    ys = [x]
    helper_that_imports(ys, x)
    return np.sum(ys[0] * ys[1])


def dictionary_of_state(x):
    state = {"q": x, "p": x * 2.0, "n": 0}
    for _ in range(6):
        state["q"] = np.sin(state["q"] + 0.1 * state["p"])
        state["p"] *= 1.1
        state["n"] += 1
    return np.sum(state["q"] * state["p"]) / state["n"]


def numbers_by_key(x):
    found = {"sum": 0.0, "most": x[0]}
    for v in x:
        found["sum"] += v * v
        if v > found["most"]:
            found["most"] = v
    return found["sum"] * found["most"]


def leap(state, dt):
    state["q"] = state["q"] + dt * state["p"]
    state["p"] = state["p"] - dt * np.sin(state["q"])


def energy(state):
    return np.sum(state["p"] ** 2) / 2.0 - np.sum(np.cos(state["q"]))


def dictionary_that_others_change(x):
    state = {"q": x, "p": x * 0.5}
    for _ in range(4):
        leap(state, 0.1)
    return energy(state)


def filled(x):
    made = {}
    made["a"] = np.exp(x)
    made["b"] = made["a"] * 3.0
    return made


def dictionary_that_is_filled(x):
    found = filled(x)
    return np.sum(found["a"] * found["b"])


def dictionary_by_two_names(x):
    one = {"q": x, "inner": {"p": x * 0.5}}
    two = one
    two["q"] = two["q"] * 2.0
    two["inner"]["p"] = one["q"] * one["inner"]["p"]
    return np.sum(one["q"] * one["inner"]["p"])


def rows_and_columns(x):
    y = np.r_[x, 1.0, x[::-1], x[0] * 2.0]
    z = np.c_[x, x**2, np.outer(x, x)]
    both = np.r_[z, z * 2.0]
    return np.sum(np.diff(np.r_[0.0, np.cumsum(y), 1]) ** 2) + np.sum(np.sin(both) * both[0])


def log_over(x):
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.log(x) / x


def under_errstate(x):
    y = x[0]
    with np.errstate(over="ignore"):
        y = x * y
        z = y.copy()
        z[0] = y[1] * 2.0
    return np.sum(np.where(x > 0.55, log_over(x), 0.0) * z)


def halved_again_and_again(x):
    kept = []
    while len(x) > 1:
        kept.append(x[::2] - x[1::2])
        x = x[::2] + x[1::2]
    return np.sum(np.abs(np.concatenate([*kept, x])) ** 3)


def row_sums(x):
    x = x[:, None] * np.ones((1, 3))
    x = np.sum(x * x, axis=0)
    return np.sum(x * x)


def parameters_set_anew(x):
    x = x * x
    return halved_again_and_again(x) + row_sums(x[1:]) + row_sums(x[:1])


IDIOMS = [
    parameters_set_anew,
    halved_again_and_again,
    row_sums,
    rows_and_columns,
    under_errstate,
    dictionary_of_state,
    numbers_by_key,
    dictionary_that_others_change,
    dictionary_that_is_filled,
    dictionary_by_two_names,
    list_that_numpy_reduces,
    list_of_arrays,
    numbers_written_out,
    list_that_is_handed_on,
    imports_for_itself,
    helper_written_in,
]


def differences(f: Any, x: Any) -> Any:
    """The gradient by central differences."""
    step = 1e-6 * np.eye(len(x))
    return np.array([(f(x + e) - f(x - e)) / 2e-6 for e in step])


def hold_specialised(f: Any, at: Any = VECTOR) -> None:
    """f has a specialised program, which agrees with the ordinary one and with differences."""
    met: list[str] = []
    with specialised_after(1, compared=True, met=met):
        for k in range(3):
            cr.grad(f)(at + 0.1 * k)
    assert met == []
    assert cr.derivative_source(f, at, mode="specialised")
    with specialised_after(1):
        for k in range(4):
            x = at + 0.1 * k
            np.testing.assert_allclose(cr.grad(f)(x), differences(f, x), rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("f", IDIOMS)
def test_idioms(f: Any) -> None:
    hold_specialised(f)


def keys_that_are_put_together(p, x):
    for i in range(2):
        x = np.tanh(x @ p[f"w{i}"] + p["b" + str(i)])
    return np.sum(x)


def keys_up_to_an_argument(p, x, count=2):
    for i in range(count):
        x = np.tanh(x @ p[f"w{i}"] + p[f"b{i + 0}"])
    return np.sum(x)


def keys_up_to_half_the_length(p, x):
    for i in range(len(p) // 2):
        x = np.tanh(x @ p[f"w{i}"] + p[f"b{i}"])
    return np.sum(x)


def keys_by_sizes(p, x):
    for i, _ in enumerate(SIZES[1:]):
        x = np.tanh(x @ p[f"w{i}"] + p[f"b{i}"])
    return np.sum(x)


def layer_of(p, i, x):
    return np.tanh(x @ p[f"w{i}"] + p[f"b{i}"])


def keys_in_a_helper(p, x):
    for i in range(2):
        x = layer_of(p, i, x)
    return np.sum(x)


KEYED = [
    keys_that_are_put_together,
    keys_up_to_an_argument,
    keys_up_to_half_the_length,
    keys_by_sizes,
    keys_in_a_helper,
]


@pytest.mark.parametrize("f", KEYED)
def test_keys_that_are_computed(f: Any) -> None:
    met: list[str] = []
    with specialised_after(1, compared=True, met=met):
        for k in range(3):
            cr.grad(f)(LAYERS, VECTOR + 0.1 * k)
    assert met == []
    with specialised_after(1):
        for _ in range(3):
            got = cr.grad(f)(LAYERS, VECTOR)
    for name, w in LAYERS.items():

        def of(v: Any, name: str = name, shape: Any = w.shape) -> Any:
            return f(LAYERS | {name: v.reshape(shape)}, VECTOR)

        np.testing.assert_allclose(got[name].ravel(), differences(of, w.ravel()), rtol=1e-6, atol=1e-9)


def test_another_number_of_layers_than_was_seen() -> None:
    """The text is written for two, and given up where there is one."""
    with specialised_after(1):
        for count in (2, 2, 2, 1, 2, 1):
            got = cr.grad(keys_up_to_an_argument)(LAYERS, VECTOR, count)
            expected = cr.grad(keys_up_to_an_argument, engine="tape")(LAYERS, VECTOR, count)
            for name in LAYERS:
                np.testing.assert_allclose(got[name], cr.tangents.unthunk(expected[name]), rtol=1e-12)


def entry_that_may_be_missing(x, most=5):
    total = 0.0
    for i in range(3):
        found = {"a": x}
        if i < most:
            found["b"] = x * i
        total = total + np.sum(found["b"] * found["a"])
    return total


def test_an_entry_that_may_be_missing() -> None:
    """It does not live on from the dictionary before."""
    with specialised_after(1):
        for _ in range(3):
            np.testing.assert_allclose(cr.grad(entry_that_may_be_missing)(VECTOR), 6.0 * VECTOR)
        with pytest.raises(KeyError):
            cr.grad(entry_that_may_be_missing)(VECTOR, 2)


def doubling(p):
    p["w"] = p["w"] * 2.0
    return np.sum(p["w"])


def counting(x, found={"calls": 0.0}):  # noqa: B006  # the point
    found["calls"] += 1.0
    return np.sum(x) * found["calls"]


def test_a_dictionary_from_outside_is_changed_once_by_each_call() -> None:
    given = {"w": np.ones(2)}
    (found,) = counting.__defaults__ or ()
    before = found["calls"]
    with specialised_after(1):
        for k in range(1, 5):
            cr.grad(doubling)(given)
            np.testing.assert_array_equal(given["w"], 2.0**k)
            assert cr.value_and_grad(counting)(np.ones(2))[0] == 2.0 * (before + k)


def warned_of_once(x):
    with np.errstate(divide="ignore"):
        y = np.log(x)
    return np.sum(np.where(x > 0.0, y, 0.0)) + np.sum(np.log(x))


def test_what_is_silenced_and_no_more() -> None:
    with specialised_after(1):
        for _ in range(4):
            with warnings.catch_warnings(record=True) as seen:
                warnings.simplefilter("always")
                cr.grad(warned_of_once)(np.array([0.0, 1.0]))
            assert [str(w.message) for w in seen] == ["divide by zero encountered in log"]


def left_under_errstate(x):
    total = 0.0
    for v in x:
        with np.errstate(over="ignore"):
            total = total + np.exp(v)
            if total > 8.0:
                return total * 2.0
        total = total * 1.5
    return total


def test_a_block_under_errstate_that_is_left() -> None:
    with specialised_after(1):
        for scale in (0.1, 1.0, 0.1, 2.0, 1.0, 0.1):
            x = VECTOR * scale
            got = cr.grad(left_under_errstate)(x)
            np.testing.assert_allclose(got, differences(left_under_errstate, x), rtol=1e-6)


def helper_with_a_list(x, seen=[]):  # noqa: B006  # the point
    seen.append(1.0)
    return x * len(seen)


def helper_with_a_dictionary(x, seen={"n": 0.0}):  # noqa: B006
    seen["n"] += 1.0
    return x * seen["n"]


def helper_with_an_array(x, seen=np.zeros(2)):  # noqa: B008
    seen[0] += 1.0
    return x * seen[0]


@pytest.mark.parametrize("helper", [helper_with_a_list, helper_with_a_dictionary, helper_with_an_array])
def test_a_default_that_a_helper_changes_is_changed_once_by_each_call(helper: Any) -> None:
    def f(x: Any) -> Any:
        return np.sum(helper(x))

    with specialised_after(1):
        assert [float(cr.value_and_grad(f)(np.ones(2))[0]) for _ in range(5)] == [2.0, 4.0, 6.0, 8.0, 10.0]


COUNTS = {"n": 0.0}


def counting_in_a_global(x):
    COUNTS["n"] += 1.0
    return np.sum(x) * COUNTS["n"]


def test_dictionaries_of_others_are_changed_once_by_each_call() -> None:
    counts = {"n": 0.0}

    def captured(x: Any) -> Any:
        counts["n"] += 1.0
        return np.sum(x) * counts["n"]

    with specialised_after(1):
        for f in (counting_in_a_global, captured):
            assert [float(cr.value_and_grad(f)(np.ones(2))[0]) for _ in range(4)] == [2.0, 4.0, 6.0, 8.0]
