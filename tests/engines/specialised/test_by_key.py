"""Entries of dictionaries by keys that only a run knows."""

import dataclasses

import numpy as np
import pytest

import chainrules as cr
from chainrules.engines.specialised.running.entry import specialised_after
from chainrules.engines.specialised.running.shown import text_of

from .compared import differences, hold_directions, is_right

X = np.random.default_rng(10).normal(size=40)
EVENTS = {5: 0.5, 12: 0.7, 39: -0.3}


def by_day(x):
    rate, total = x[0], 0.0
    for day in range(40):
        if day in EVENTS:
            rate = rate * EVENTS[day]
        total = total + rate * x[day]
    return total


def with_defaults(x):
    total = 0.0
    for day in range(40):
        total = total + x[day] * EVENTS.get(day, 1.0) + EVENTS.get(day * 2, x[0])
    return total


def of_own_entries(x):
    rates = {"a": x[0], "b": x[1] * x[2], "c": 2.0}
    total = 0.0
    for i, name in enumerate("abcab" * 8):
        total = total + rates[name] * x[i] ** 2
    return total


def of_arrays(x):
    parts = {0: x[:3], 1: np.sin(x[3:6]), 2: x[6:9] * 2.0}
    state = np.ones(3)
    for k in range(36):
        state = state * 0.7 + parts[k % 3] * parts.get(k % 5, x[:3])
    return np.sum(state)


def of_short_loops(x):
    total = 0.0
    for day in range(8):
        if day in EVENTS:
            total = total + EVENTS[day] * x[day]
            total = total * x[0]
        else:
            total = total + x[day] ** 2
    return total + EVENTS.get(5, 0.0) * x[1] + EVENTS.get(6, x[2])


@pytest.mark.parametrize("f", [by_day, with_defaults, of_own_entries, of_arrays, of_short_loops])
def test_entries_by_key(f):
    assert is_right(f, X)
    hold_directions(f, X)


@dataclasses.dataclass
class Config:
    beta: float
    events: dict


def epidemic(config, days=40):
    beta, infected = config.beta, 0.01
    for day in range(days):
        if day in config.events:
            beta = beta * config.events[day]
        infected = infected + beta * infected * (1.0 - infected)
    return infected


def test_entries_of_what_is_given():
    e = 1e-6
    met: list[str] = []
    with specialised_after(1, compared=True, met=met):
        for events in (
            {3: 0.5, 20: 1.5},
            {3: 0.6, 20: 1.5},
            {4: 0.5},
            {},
            {20: 1.5, 3: 0.5},
            {3: 0.5, 20: 2},
        ):
            for _ in range(3):
                found = cr.grad(epidemic)(Config(0.3, dict(events)))
            for key in events:
                near = [epidemic(Config(0.3, {**events, key: events[key] + h})) for h in (e, -e)]
                if type(events[key]) is float:
                    np.testing.assert_allclose(found.events[key], (near[0] - near[1]) / (2 * e), rtol=1e-6)
            near = [epidemic(Config(0.3 + h, dict(events))) for h in (e, -e)]
            np.testing.assert_allclose(found.beta, (near[0] - near[1]) / (2 * e), rtol=1e-6)
    assert len(met) <= 1, met
    assert text_of(epidemic)


def missing(x, names):
    rates = {"a": x[0], "b": x[1]}
    total = 0.0
    for name in names:
        total = total + rates[name] * x[2]
    return total


def test_a_key_that_is_missing_is_the_users_error():
    names = ["a", "b"] * 20
    with specialised_after(1):
        for _ in range(4):
            cr.grad(missing)(X, names)
        with pytest.raises(KeyError, match="'c'"):
            cr.grad(missing)(X, ["a"] * 39 + ["c"])
        found = cr.grad(missing)(X, [*names[:-1], "a"])
    np.testing.assert_allclose(found[:2], [21.0 * X[2], 19.0 * X[2]])


def of_several_kinds(x):
    rates = {"a": x[0], "b": x[1:3]}
    total = 0.0
    for i in range(36):
        total = total + np.sum(rates["ab"[i % 2]]) * x[i]
    return total


def test_entries_of_several_kinds_are_right():
    with specialised_after(1, compared=True):
        for k in range(4):
            x = X + 0.1 * k
            np.testing.assert_allclose(
                cr.grad(of_several_kinds)(x), differences(of_several_kinds, x), rtol=1e-5
            )
