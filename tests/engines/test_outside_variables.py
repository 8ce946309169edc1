"""What varies and is put into a variable of a module or a class under another name: seen, or refused."""

import functools
import types
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from tests.engines import rightly

import chainrules as cr

X = np.array([1.1, 2.2, 3.3, 4.4])
REGISTRY: dict[Any, Any] = {}
LIST = [1.0, 2.0]
ROWS = [[1.0, 2.0], [3.0, 4.0]]
TABLE = np.arange(4.0)
CACHE: dict[int, Any] = {}
LATER: Any = None
MANY = [[float(i)] for i in range(300)]
MODULE: Any = types.ModuleType("module")


class Settings:
    value: Any = 0.0
    items: dict[str, Any] = {}  # noqa: RUF012  that is what is tested

    def __init__(self) -> None:
        self.buffer = np.zeros(4)
        self.items_of_mine: dict[str, Any] = {}

    @classmethod
    def put(cls, key: str, v: Any) -> None:
        cls.items[key] = v

    @classmethod
    def set(cls, v: Any) -> None:
        cls.value = v

    @classmethod
    def all(cls) -> dict[str, Any]:
        return cls.items

    def put_there(self, v: Any) -> None:
        type(self).items["a"] = v

    def set_there(self, v: Any) -> None:
        type(self).value = v


SETTINGS = Settings()


def registry() -> dict[Any, Any]:
    return REGISTRY


def buffer_for(n: int) -> Any:
    if n not in CACHE:
        CACHE[n] = np.zeros(n)
    return CACHE[n]


def part_of_a_buffer(n: int) -> Any:
    found = CACHE.get(n)
    if found is None:
        found = CACHE.setdefault(n, np.zeros(n))
    return found[1:]


def kept_apart() -> Callable[[], dict[str, Any]]:
    store: dict[str, Any] = {}

    def get() -> dict[str, Any]:
        return store

    return get


STORE = kept_apart()


def made_when_asked() -> Any:
    global LATER  # as it is written
    if LATER is None:
        LATER = np.zeros(4)
    return LATER


@functools.lru_cache
def cached_buffer(n: int) -> Any:
    return np.zeros(n)


@functools.cache
def cached_registry() -> dict[str, Any]:
    return {}


def filled(d: Any, v: Any) -> None:
    d["a"] = v


def set_to(o: Any, v: Any) -> None:
    o.value = v


def of_a_call(x: Any) -> Any:
    registry()["a"] = x[0] * x[1]
    return REGISTRY["a"]


def another_name(x: Any) -> Any:
    d = REGISTRY
    d["a"] = x[0] * x[1]
    return REGISTRY["a"]


def name_of_a_call(x: Any) -> Any:
    d = registry()
    d["a"] = x[0] * x[1]
    return registry()["a"]


def given_to_a_function(x: Any) -> Any:
    filled(registry(), x[0] * x[1])
    return REGISTRY["a"]


def all_variables(x: Any) -> Any:
    globals()["value"] = x[0] * x[1]
    return globals()["value"]


def given_all_variables(x: Any) -> Any:
    filled(globals(), x[0] * x[1])
    return globals()["a"]


def fields_of_an_object(x: Any) -> Any:
    filled(vars(SETTINGS), x[0])
    return SETTINGS.a * x[1]  # type: ignore[attr-defined]


def captured_elsewhere(x: Any) -> Any:
    STORE()["a"] = x[0] * x[1]
    return STORE()["a"]


def buffer(x: Any) -> Any:
    b = buffer_for(4)
    b[:] = x * x
    return buffer_for(4).sum()


def part_of_one(x: Any) -> Any:
    b = part_of_a_buffer(4)
    b[0] = x[0] * x[1]
    return part_of_a_buffer(4).sum()


def of_a_cached_function(x: Any) -> Any:
    b = cached_buffer(4)
    b[:] = x * x
    return cached_buffer(4).sum()


def of_another_cached_function(x: Any) -> Any:
    cached_registry()["a"] = x[0] * x[1]
    return cached_registry()["a"]


def row_in_a_loop(x: Any) -> Any:
    for row in ROWS:
        row[0] = x[0] * x[1]
    return ROWS[0][0]


def one_of_many(x: Any) -> Any:
    for k, row in enumerate(MANY[100:103]):
        row[0] = x[0] * x[1] * k
    return MANY[102][0]


def one_of_many_that_is_put_there_meanwhile(x: Any) -> Any:
    first = MANY[0]
    if x[0] < 0.0:
        first[0] = x[0]
    MANY[5] = [0.0]
    row = MANY[5]
    row[0] = x[0] * x[1]
    return MANY[5][0]


def rows_apart(x: Any) -> Any:
    _, second = ROWS
    second[0] = x[0] * x[1]
    return ROWS[1][0]


def list_of_the_rows(x: Any) -> Any:
    rows = [row for row in ROWS]  # noqa: C416  as it is written
    rows[1][0] = x[0] * x[1]
    return ROWS[1][0]


def view(x: Any) -> Any:
    y = TABLE.reshape(2, 2)
    y[0] = x[0] * x[1]
    return TABLE[0]


def array_in_place(x: Any) -> Any:
    y = TABLE
    y += x
    return TABLE.sum()


def array_by_out(x: Any) -> Any:
    y = TABLE
    np.multiply(x, x, out=y)
    return TABLE.sum()


def field(x: Any) -> Any:
    b = SETTINGS.buffer
    b[:] = x * x
    return SETTINGS.buffer.sum()


def field_of_another_name(x: Any) -> Any:
    s = SETTINGS
    s.items_of_mine["a"] = x[0] * x[1]
    return SETTINGS.items_of_mine["a"]


def class_by_a_classmethod(x: Any) -> Any:
    Settings.set(x[0] * x[1])
    return Settings.value


def item_by_a_classmethod(x: Any) -> Any:
    Settings.put("a", x[0] * x[1])
    return Settings.items["a"]


def what_a_classmethod_gives(x: Any) -> Any:
    Settings.all()["a"] = x[0] * x[1]
    return Settings.items["a"]


def class_of_an_object(x: Any) -> Any:
    Settings().set_there(x[0] * x[1])
    return Settings.value


def item_of_the_class_of_an_object(x: Any) -> Any:
    Settings().put_there(x[0] * x[1])
    return Settings.items["a"]


def class_by_a_function(x: Any) -> Any:
    set_to(Settings, x[0] * x[1])
    return Settings.value


def class_of_another_name(x: Any) -> Any:
    s = Settings
    s.value = x[0] * x[1]
    return Settings().value


def items_of_a_class(x: Any) -> Any:
    d = Settings.items
    d["a"] = x[0] * x[1]
    return Settings.items["a"]


def local_class(x: Any) -> Any:
    class Local:
        value: Any = 0.0

    Local.value = x[0] * x[1]
    return Local().value


def module_by_a_function(x: Any) -> Any:
    set_to(MODULE, x[0] * x[1])
    return MODULE.value


SEEN = [
    *(one_of_many, one_of_many_that_is_put_there_meanwhile, another_name, row_in_a_loop, rows_apart),
    *(list_of_the_rows, view, array_by_out, field, field_of_another_name),
]
ELSEWHERE = [
    *(of_a_cached_function, of_another_cached_function, class_by_a_classmethod, captured_elsewhere, buffer),
    *(of_a_call, name_of_a_call, given_to_a_function, all_variables, given_all_variables),
    *(fields_of_an_object, part_of_one),
    *(item_by_a_classmethod, what_a_classmethod_gives, class_of_an_object, item_of_the_class_of_an_object),
    *(class_by_a_function, class_of_another_name, items_of_a_class, local_class, module_by_a_function),
]


def made_later(x: Any) -> Any:
    b = made_when_asked()
    b[0] = x[0] * x[1]
    return made_when_asked()[0]


def test_a_variable_that_is_set_later_is_one_too() -> None:
    for _ in range(2):
        rightly.grad(made_later)(X)


def variables() -> list[str]:
    return [*map(str, (REGISTRY, ROWS, TABLE, CACHE, vars(SETTINGS), Settings.items, Settings.value))]


@pytest.mark.parametrize("f", SEEN)
def test_it_is_seen_and_what_a_plain_run_changes_is_changed(f: Callable[[Any], Any]) -> None:
    slopes = [(f(X + e) - f(X - e)) / 2e-6 for e in 1e-6 * np.eye(4)]
    f(X)
    after = variables()
    for again in (lambda: cr.grad(f)(X), lambda: [cr.jvp(f, (X,), (e,))[1] for e in np.eye(4)]):
        f(2 * X)
        np.testing.assert_allclose(again(), slopes, rtol=1e-6, atol=1e-8)
        assert variables() == after
    rightly.or_refused(lambda: rightly.hvp(f, X, X))
    assert variables() == after


def test_an_array_goes_on_from_where_it_was() -> None:
    before = TABLE.copy()
    np.testing.assert_allclose(cr.grad(array_in_place)(X), np.ones(4))
    np.testing.assert_allclose(TABLE, before + X)
    np.testing.assert_allclose(cr.jacfwd(array_in_place)(X), np.ones(4))
    np.testing.assert_allclose(TABLE, before + 2 * X)


@pytest.mark.parametrize("f", ELSEWHERE)
def test_it_is_right_or_refused(f: Callable[[Any], Any]) -> None:
    f(X)
    for again in (
        lambda: rightly.grad(f)(2 * X),
        lambda: rightly.jvp(f, (2 * X,), (X,)),
        lambda: rightly.hvp(f, 2 * X, X),
    ):
        rightly.or_refused(again)
