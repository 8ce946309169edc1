"""Objects that a property gives are changed: whatever they share with the object shows it, in both modes."""

from typing import Any

import numpy as np
import pytest

import chainrules as cr

X = np.array([0.4, -0.3, 0.6])


class Model:
    def __init__(self, x: Any) -> None:
        self.w, self.parts = x * 1.0, [x * 2.0, x * 3.0]

    @property
    def tail(self) -> Any:
        return self.w[1:]

    @property
    def last(self) -> Any:
        return self.parts[-1]

    @property
    def doubled(self) -> Any:
        return self.w * 2.0

    @property
    def both(self) -> Any:
        return self.w, self.parts[0]

    @property
    def itself(self) -> Any:
        return self

    def __getattr__(self, name: str) -> Any:
        if name == "first":
            return self.__dict__["parts"][0]
        raise AttributeError(name)


def a_view(m: Any, x: Any) -> None:
    m.tail[0] = x[0] * x[1]
    for k in range(2):
        m.tail[k] = m.tail[k - 1] * x[k] + m.w[0]


def an_item(m: Any, x: Any) -> None:
    m.last[:] = x * x
    m.last[0] -= x[1] * x[1]


def a_new_array(m: Any, x: Any) -> None:
    m.doubled[0] = x[1] * 5.0


def a_tuple(m: Any, x: Any) -> None:
    m.both[1][0] = x[1] * 5.0
    m.both[0][:2] *= x[:2]


def the_object(m: Any, x: Any) -> None:
    m.itself.w[0] = x[2] * x[1]
    m.itself.itself.parts.append(x)
    m.itself.parts[0] = x * 4.0


def by_getattr(m: Any, x: Any) -> None:
    m.first[0] = x[2] * x[1]


def by_methods(m: Any, x: Any) -> None:
    m.tail.sort()
    m.last.fill(x[1])


@pytest.mark.parametrize(
    "change", [a_view, an_item, a_new_array, a_tuple, the_object, by_getattr, by_methods]
)
def test_they_agree_with_differences(change: Any) -> None:
    def f(x: Any) -> Any:
        m = Model(x)
        change(m, x)
        return np.sum(m.w**2) + np.sum(m.parts[0] * m.w) + np.sum(m.parts[-1] * m.parts[0])

    numeric = np.array([(f(X + e) - f(X - e)) / 2e-6 for e in 1e-6 * np.eye(3)])
    for _ in range(4):
        np.testing.assert_allclose(cr.grad(f)(X), numeric, rtol=1e-6, atol=1e-8)
    assert cr.jvp(f, (X,), (X,))[1] == pytest.approx(numeric @ X, rel=1e-6)
    gradient = cr.grad(f)
    curvature = [(gradient(X + e) - gradient(X - e)) / 2e-5 for e in 1e-5 * np.eye(3)]
    np.testing.assert_allclose(cr.hessian(f)(X), curvature, rtol=1e-5, atol=1e-7)
