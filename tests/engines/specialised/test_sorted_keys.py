"""Dictionaries in the order of their keys, and lists of their keys."""

from typing import Any

import numpy as np
import pytest

import chainrules as cr
from chainrules.engines.specialised.running.entry import specialised_after
from chainrules.engines.specialised.running.shown import text_of

GIVEN: dict[str, Any] = {"b": np.array([0.3, 0.5]), "a": np.arange(4.0).reshape(2, 2) * 0.2, "c": 0.7}


def flat(p: Any) -> Any:
    return np.sum(np.concatenate([np.ravel(p[k]) for k in sorted(p)]) ** 2 * np.arange(7))


def entries(p: Any) -> Any:
    return sum(np.sum(v**2) * i for i, (_, v) in enumerate(sorted(p.items())))


def keys(p: Any) -> Any:
    s = 0.0
    for i, k in enumerate(sorted(p.keys())):
        s = s + np.sum(np.sin(p[k])) * i
    return s


def of_a_variable(p: Any) -> Any:
    names = sorted(p)
    q = {n: p[n] * 2.0 for n in names}
    return sum(np.sum(q[n] ** 3) * (i + 1) for i, n in enumerate(names))


def listed(p: Any) -> Any:
    first, second = list(p), list(p.keys())
    return sum(np.sum(p[k]) ** 2 * i for i, k in enumerate(first)) + np.sum(p[second[1]]) * np.sum(
        p[tuple(p)[2]]
    )


def other_things(p: Any) -> Any:
    y = [p["c"], 0.2, p["b"][0]]
    return sum(i * v for i, v in enumerate(sorted(y))) + sum(i * v for i, v in enumerate(sorted(p["b"])))


@pytest.mark.parametrize("f", [flat, entries, keys, of_a_variable, listed, other_things])
def test_a_text_is_right(f: Any) -> None:
    with specialised_after(1, compared=True):
        for _ in range(2):
            cr.grad(f)(GIVEN)
    with specialised_after(1):
        for _ in range(3):
            found = cr.grad(f)(GIVEN)
        assert text_of(f)
        turned: dict[str, Any] = dict(reversed(GIVEN.items()))
        for _ in range(3):
            again = cr.grad(f)(turned)
    for given, gradient in ((GIVEN, found), (turned, again)):
        for name, v in given.items():
            for e in 1e-6 * np.eye(np.size(v)).reshape((-1, *np.shape(v))):
                up, down = (f({**given, name: v + d}) for d in (e, -e))
                slope = np.sum(gradient[name] * e) / 1e-6
                assert slope == pytest.approx((up - down) / 2e-6, rel=1e-6, abs=1e-8)
