"""Random numbers of generators that a function seeds itself: the same numbers, drawn once."""

from __future__ import annotations

import numpy as np
import pytest
from tests.engines.specialised.compared import hold_directions, is_right

import chainrules as cr
from chainrules.engines.specialised.running.entry import specialised_after
from chainrules.engines.specialised.running.shown import text_of

X = np.array([0.4, 0.7])


def asian(p):
    rng = np.random.default_rng(1)
    price, mean = np.full(6, 1.0), np.zeros(6)
    for _ in range(5):
        price = price * np.exp(0.1 * p[0] + p[1] * rng.standard_normal(6))
        mean += price / 5
    return np.mean(np.maximum(mean - 1.0, 0.0))


def of_parameters(p):
    rng = np.random.default_rng(7)
    normal = rng.normal(p[0], np.exp(p[1]), size=4)
    uniform, exponential = rng.uniform(0.0, p[0], 3), rng.exponential(p[1], size=(2, 2))
    numbers = rng.normal() * p[0] + rng.normal(p[1]) + rng.random() * p[0]
    arrays = rng.normal(np.array([1.0, 2.0]) * p[0]) + rng.standard_exponential(2)
    return np.mean(normal**2) + np.sum(uniform) + np.sum(exponential**2) + numbers + np.sum(arrays**2)


def chosen(p):
    rng = np.random.default_rng(3)
    keep = rng.random((4, 2)) < 0.7
    order, places = rng.permutation(4), rng.integers(0, 4, size=3)
    rows = (np.tanh(np.arange(8.0).reshape(4, 2) * p) * keep)[order]
    return np.sum(rows[places] ** 2) + rng.integers(5) * p[0]


def of_the_older_sort(p):
    rng = np.random.RandomState(3)
    a = rng.rand(4) * p[0] + rng.randn() * p[1] + rng.uniform(0.0, p[1], 4) + rng.normal(p[0], 2.0, 4)
    order, places = rng.permutation(4), rng.randint(4, size=3)
    b = rng.randn(2, 3) * p[0] + rng.exponential(p[1]) + rng.random_sample() * p[0] + rng.standard_normal(3)
    return np.sum(a[order] ** 2) + np.sum(a[places]) * rng.randint(2, 5) + np.sum(b**2)


def noise(rng, n):
    return rng.standard_normal(n)


def handed(p):
    rng = np.random.default_rng(0)
    noise(rng, 3)  # drawn, and not used
    return np.sum((p[0] + noise(rng, 4)) * (p[1] + noise(rng, 4)))


@pytest.mark.parametrize("program", [asian, of_parameters, of_the_older_sort, chosen, handed])
def test_what_is_drawn_is_what_the_ordinary_program_draws(program):
    assert is_right(program, X)
    hold_directions(program, X)


def test_another_seed_draws_other_numbers():
    def f(p, seed):
        return np.sum(p * np.random.default_rng(seed).normal(size=2))

    with specialised_after(1):
        for seed in (0, 1, 0, np.int64(2), 3):
            wanted = np.random.default_rng(seed).normal(size=2)
            np.testing.assert_array_equal(cr.grad(f)(X, seed), wanted)
    assert text_of(f)


def test_a_generator_that_is_given_draws_on():
    def f(p, rng):
        return np.sum(p * rng.normal(size=2))

    mine, other = np.random.default_rng(5), np.random.default_rng(5)
    with specialised_after(1):
        for _ in range(5):
            np.testing.assert_array_equal(cr.grad(f)(X, mine), other.normal(size=2))


def test_numbers_without_a_seed_are_drawn_anew():
    def f(p):
        return np.sum(p * np.random.default_rng(None).normal(size=2))

    with specialised_after(1):
        found = [tuple(cr.grad(f)(X)) for _ in range(5)]
    assert len(set(found)) == 5


def test_its_class_is_a_generator():
    def f(p):
        rng = np.random.default_rng(0)
        return p[0] * rng.random() if isinstance(rng, np.random.Generator) else p[1]

    with specialised_after(1):
        for _ in range(4):
            assert cr.grad(f)(X)[1] == 0.0


def test_a_dictionary_is_one():
    def f(p):
        known = {}
        known[1] = p[0]
        return known[1] ** 2 if isinstance(known, dict) else known[1]

    with specialised_after(1):
        for _ in range(4):
            np.testing.assert_allclose(cr.grad(f)(X), [0.8, 0.0])
