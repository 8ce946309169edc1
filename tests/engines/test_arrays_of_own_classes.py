"""Arrays and numbers of classes of the user's: what these say of them is what is differentiated."""

import functools

import numpy as np
import pytest

import chainrules as cr


class Squares:
    """A descriptor."""

    def __get__(self, x, P):
        return np.sum(x**2)


class Signal(np.ndarray):
    """An array with attributes that are computed."""

    squares = Squares()

    @property
    def energy(self):
        return np.sum(self**2)

    @functools.cached_property
    def once(self):
        return np.sum(self**2)

    def __getattr__(self, name):
        if name == "missing":
            return np.sum(self**2)
        raise AttributeError(name)


class Tripled(np.ndarray):
    """An array that says itself what it is asked for."""

    def __getitem__(self, i):
        return 3.0 * np.asarray(self)[i]

    def __iter__(self):
        yield 7.0 * np.asarray(self)[0]

    def __len__(self):
        return 1

    def sum(self):  # type: ignore[override]
        return 5.0 * np.asarray(self).sum()

    @property
    def T(self):  # noqa: N802  as of arrays
        return 9.0 * np.asarray(self)


class Degrees(float):
    @property
    def radians(self):
        return self * 3.0


X = np.array([1.0, 2.0])
ATTRIBUTES = {
    "property": lambda x: x.energy,
    "of a result": lambda x: (x * 2.0).energy / 4.0,
    "descriptor": lambda x: x.squares,
    "cached": lambda x: x.once,
    "missing": lambda x: x.missing,
}
ANSWERS = {
    "item": (lambda x: x[1], [0.0, 3.0]),
    "loop": (lambda x: [v for v in x][0], [7.0, 0.0]),  # noqa: C416, RUF015  a loop is meant
    "sum": (sum, [7.0, 0.0]),
    "unpacked": (lambda x: max(*x, -1.0), [7.0, 0.0]),
    "method": (lambda x: x.sum(), [5.0, 5.0]),
    "length": (lambda x: len(x) * np.asarray(x)[0], [1.0, 0.0]),
    "attribute of arrays": (lambda x: x.T[0], [9.0, 0.0]),
}


@pytest.mark.parametrize("name", ATTRIBUTES)
def test_an_attribute_that_is_computed_has_a_derivative(name):
    f = ATTRIBUTES[name]
    for _ in range(5):
        np.testing.assert_allclose(np.asarray(cr.grad(f)(X.view(Signal))), 2 * X)
        np.testing.assert_allclose(cr.jvp(f, (X.view(Signal),), (np.ones(2),))[1], 6.0)


@pytest.mark.parametrize("name", ANSWERS)
def test_what_a_class_says_of_its_arrays_is_differentiated(name):
    f, expected = ANSWERS[name]
    if name == "sum":
        f = lambda x: sum(x)  # noqa: E731
    for _ in range(5):
        np.testing.assert_allclose(np.asarray(cr.grad(f)(X.view(Tripled))), expected)


def test_a_number_of_a_class_without_rules_is_refused_through_its_properties_too():
    for derivative in (cr.grad, cr.derivative):
        with pytest.raises(cr.NoRuleError, match="Degrees"):
            derivative(lambda x: Degrees(x).radians)(2.0)
