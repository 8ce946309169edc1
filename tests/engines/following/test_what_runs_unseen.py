"""What Python and C code call by themselves: special methods are followed, what functions put is refused."""

import asyncio
import bisect
import collections
import inspect
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import integrate, optimize

import chainrules as cr


class Noting:
    """Each special method puts a number of x into a list."""

    def __init__(self, x: Any) -> None:
        self.x, self.put = x, list[Any]()

    def _note(self) -> None:
        self.put.append(self.x * 7.0)

    def __lt__(self, other: Any) -> bool:
        self._note()
        return True

    def __eq__(self, other: object) -> bool:
        self._note()
        return True

    def __ne__(self, other: object) -> bool:
        self._note()
        return True

    def __hash__(self) -> int:
        self._note()
        return 3

    def __bool__(self) -> bool:
        self._note()
        return True

    def __str__(self) -> str:
        self._note()
        return "b"

    def __index__(self) -> int:
        self._note()
        return 1


ASKING: dict[str, Callable[[Any, Any], Any]] = {
    "less": lambda b, c: b < c,
    "more": lambda b, c: b > c,
    "between": lambda b, c: b < c < 3,
    "equal": lambda b, c: b == c,
    "unequal": lambda b, c: b != c,
    "in": lambda b, c: b in [c],
    "not in": lambda b, c: b not in [c],
    "and": lambda b, c: b and 1,
    "or": lambda b, c: b or 1,
    "choice": lambda b, c: 1 if b or c else 2,
    "all": lambda b, c: all([b]),
    "any": lambda b, c: any([b]),
    "hash": lambda b, c: hash(b),
    "f-string": lambda b, c: f"{b}",
    "str": lambda b, c: str(b),
    "format": lambda b, c: format(b),
    "print": lambda b, c: print(b, end=""),  # noqa: T201  that is what is tested
    "filter": lambda b, c: list(filter(None, [b])),
    "place": lambda b, c: [1, 2][b],
    "sorted": lambda b, c: sorted([b, c]),
    "sort": lambda b, c: [b, c].sort(),
    "min": lambda b, c: min(b, c),
    "max": lambda b, c: max([b, c], key=lambda v: v),
}


@pytest.mark.parametrize("name", ASKING)
def test_special_methods_are_followed(name: str) -> None:
    def f(x: Any) -> Any:
        b, c = Noting(x), Noting(x)
        ASKING[name](b, c)
        return (b.put or c.put)[0] * x

    assert cr.grad(f)(2.0) == 28.0
    assert cr.derivative(f)(2.0) == 28.0


class Missing(dict[int, Any]):
    def __init__(self, x: Any) -> None:
        self.x = x

    def __missing__(self, key: int) -> Any:
        self[key] = self.x * key
        return self[key]


def by_bisection(x: Any) -> Any:
    put: list[Any] = []

    def key(v: Any) -> Any:
        put.append(v * x)
        return v

    bisect.bisect([1, 2, 3], 2, key=key)
    return sum(put) * x


def test_keys_and_missing_entries_are_followed() -> None:
    assert cr.grad(lambda x: Missing(x)[3] ** 2)(2.0) == 36.0
    assert cr.grad(by_bisection)(2.0) == pytest.approx(20.0)


OUTSIDE: list[Any] = []


class Last:
    value: Any = 0.0

    def __call__(self, z: Any, x: Any) -> Any:
        self.value = z * x
        return z * z - x


LAST = Last()


def by_substitution(x: Any) -> Any:
    put: list[Any] = []

    def of(match: Any) -> str:
        put.append(x * x)
        return "b"

    re.sub("a", of, "aaa")
    return sum(put)


def into_a_variable_outside(x: Any) -> Any:
    def residual(z: Any) -> Any:
        OUTSIDE.append(z * x)
        return z * z - x

    return optimize.brentq(residual, 0.0, 5.0) + OUTSIDE[-1]


def into_an_object_outside(x: Any) -> Any:
    def residual(z: Any) -> Any:
        LAST.value = z * x
        return z * z - x

    return optimize.brentq(residual, 0.0, 5.0) + LAST.value


def into_itself(x: Any) -> Any:
    residual = Last()
    return optimize.brentq(residual, 0.0, 5.0, args=(x,)) + residual.value


def with_a_memory(x: Any) -> Any:
    known: dict[Any, Any] = {}

    def residual(z: Any) -> Any:
        if z not in known:
            known[z] = z * z - x
        return known[z]

    return optimize.brentq(residual, 0.0, 5.0)


@pytest.mark.parametrize(
    "f",
    [
        *(by_substitution, into_a_variable_outside, into_an_object_outside, into_itself),
        with_a_memory,
    ],
)
def test_what_functions_put_that_c_code_calls_is_refused(f: Any) -> None:
    for derivative in (cr.grad(f), cr.derivative(f)):
        with pytest.raises(cr.AliasedMutationError, match="put into"):
            derivative(2.0)


def logged(solve: Callable[[Any, Any], Any]) -> Any:
    def f(x: Any) -> Any:
        log: list[Any] = []
        y = solve(x, log)
        assert log
        return y

    return f


def root(x: Any, log: Any) -> Any:
    def residual(z: Any) -> Any:
        log.append(z)
        return z * z - x

    return optimize.brentq(residual, 0.0, 5.0)


def area(x: Any, log: Any) -> Any:
    def integrand(z: Any) -> Any:
        log.append(z)
        return z * x**2

    return integrate.quad(integrand, 0.0, 2.0)[0]


def path(x: Any, log: Any) -> Any:
    def slope(t: Any, y: Any) -> Any:
        log.append(t)
        return -x * y

    return integrate.solve_ivp(slope, (0.0, 1.0), [1.0], rtol=1e-9, atol=1e-9).y[0, -1]


@pytest.mark.parametrize(("solve", "slope"), [(root, 0.25), (area, 16.0), (path, -np.exp(-4.0))])
def test_a_log_that_nobody_reads_is_no_part_of_the_derivative(solve: Any, slope: float) -> None:
    for derivative in (cr.grad(logged(solve)), cr.derivative(logged(solve))):
        assert derivative(4.0) == pytest.approx(slope, rel=1e-5)


def _tolerance() -> float:
    return float(eval("3.0"))


def pair() -> Any:
    return collections.namedtuple("Pair", "a b")


async def waited() -> float:
    return 3.0


@pytest.mark.parametrize(
    "constant",
    [
        *(_tolerance, lambda: asyncio.run(waited()), lambda: len(inspect.signature(root).parameters) + 1.0),
        lambda: pair()(3.0, 1)[0],
    ],
)
def test_text_and_coroutines_are_run_where_nothing_varies(constant: Any) -> None:
    assert cr.grad(lambda x: x * constant())(2.0) == 3.0
    with pytest.raises(cr.UnsupportedSyntaxError, match="`eval` runs text"):
        cr.grad(lambda x: eval("x * 3.0"))(2.0)


def part_of(owner: Any) -> Any:
    return owner.part


@cr.rrule(part_of)
def part_of_rrule(owner: object) -> Any:
    return owner.part, lambda y_bar: (cr.Composite[type(owner)](part=y_bar),)  # type: ignore[attr-defined]


class Owner:
    def __init__(self, x: Any) -> None:
        self.part = [x, 1.0]


def test_a_part_that_a_rule_gives_is_not_to_be_changed() -> None:
    def changed(x: Any) -> Any:
        owner = Owner(x)
        part = part_of(owner)
        part[0] = x * x
        return owner.part[0] * part[0]

    def read(x: Any) -> Any:
        return part_of(Owner(x))[0] * x

    with pytest.raises(cr.AliasedMutationError, match="a part of its argument"):
        cr.grad(changed)(3.0)
    assert cr.grad(read)(3.0) == 6.0


KNOWN, OWNER = [1.0, 2.0], Owner(2.0)


def by_a_list_outside(values: Any) -> Any:
    values.append(values[0] * 3.0)
    return KNOWN[-1] * values[0]


def by_an_object_outside(owner: Any) -> Any:
    owner.part = owner.part[0] * 3.0
    return OWNER.part


def test_an_argument_that_changes_under_another_name_is_refused() -> None:
    for f, x in ((by_a_list_outside, KNOWN), (by_an_object_outside, OWNER)):
        with pytest.raises(cr.AliasedMutationError, match="by another name"):
            cr.grad(f)(x)

    def twice(a: Any, b: Any) -> Any:
        a.append(a[0] * 5.0)
        return b[-1] * a[0]

    values = [1.0, 2.0]
    with pytest.raises(cr.AliasedMutationError, match="by another name"):
        cr.grad(twice)(values, values)
    with pytest.raises(cr.AliasedMutationError, match="by another name"):
        cr.grad(lambda pair: twice(*pair))([values, values])
    assert cr.grad(twice)([1.0, 2.0], [3.0, 4.0])[0] == 4.0


def test_what_is_one_object_for_the_user_is_one_in_the_function() -> None:
    x = np.array([1.0, 2.0])
    assert cr.grad(lambda a, b: np.sum(a * b) if a is b else 0.0)(x, x).tolist() == [1.0, 2.0]
    assert cr.grad(lambda a: np.sum(a * a) if a is x else 0.0)(x).tolist() == [2.0, 4.0]
    assert cr.grad(lambda a: np.sum(a) if a is not x else 0.0)(x.copy()).tolist() == [1.0, 1.0]


@pytest.mark.parametrize(
    "second",
    [
        *(lambda f: cr.grad(cr.grad(f)), lambda f: cr.derivative(cr.grad(f))),
        *(lambda f: cr.grad(cr.derivative(f)), lambda f: cr.derivative(cr.derivative(f))),
    ],
)
def test_second_derivatives_by_whole_numbers(second: Any) -> None:
    assert second(lambda n: n**3)(3) == 18.0
