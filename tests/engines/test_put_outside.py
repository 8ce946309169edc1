"""What a function puts into a variable of a module, and changes afterwards: seen, or refused by name."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from tests.engines import rightly

from chainrules.testing import check_grads

X = np.array([1.1, 2.2, 3.3])
HISTORY: list[Any] = []
TABLE: dict[str, Any] = {}


class Settings:
    pass


SETTINGS: Any = Settings()


def in_a_list(x: Any) -> Any:
    state = [1.0, 2.0]
    HISTORY.append(state)
    state[0] = x[0] * x[1]
    return HISTORY[-1][0] * x[2]


def in_a_tuple_in_a_list(x: Any) -> Any:
    history, state = HISTORY, [1.0]
    history.insert(0, (state, 3))
    state.append(x[0] * x[1])
    return HISTORY[0][0][1] * x[2]


def under_a_key(x: Any) -> Any:
    state = np.zeros(2)
    TABLE["state"] = state
    state += x[:2]
    return TABLE["state"][0] * x[2]


def by_name(x: Any) -> Any:
    state = np.zeros(2)
    TABLE.update(state=state)
    state[0] = x[0] * x[1]
    return TABLE["state"][0] * x[2]


def of_an_object(x: Any) -> Any:
    state = np.zeros(2)
    SETTINGS.state = state
    state[0] = x[0] * x[1]
    return SETTINGS.state[0] * x[2]


def object_in_a_list(x: Any) -> Any:
    state: Any = Settings()
    TABLE.setdefault("states", []).append(state)
    state.value = x[0] * x[1]
    return TABLE["states"][-1].value * x[2]


def by_a_function(x: Any) -> Any:
    def fill(a: Any) -> None:
        a[0] = x[0] * x[1]

    state = np.zeros(2)
    TABLE["state"] = state
    fill(state)
    return TABLE["state"][0] * x[2]


def added_up(x: Any) -> Any:
    history, state = HISTORY, [1.0]
    history += [state]
    state[0] = x[0] * x[1]
    return HISTORY[-1][0] * x[2]


def by_setattr(x: Any) -> Any:
    state = [1.0]
    setattr(SETTINGS, "state", state)  # noqa: B010  that is what is tested
    state[0] = x[0] * x[1]
    return SETTINGS.state[0] * x[2]


def with_a_type(x: Any) -> Any:
    state = [1.0]
    TABLE["state"]: Any = state  # type: ignore[misc]  # it is allowed
    state[0] = x[0] * x[1]
    return TABLE["state"][0] * x[2]


def in_a_tuple_of_another_name(x: Any) -> Any:
    state = [1.0]
    both = (state, 2)
    TABLE["both"] = both
    state[0] = x[0] * x[1]
    return TABLE["both"][0][0] * x[2]


def with_two_names(x: Any) -> Any:
    state = TABLE["state"] = np.zeros(3)
    state[:] = x * x
    return TABLE["state"].sum()


def in_a_pair(x: Any) -> Any:
    state = [1.0]
    TABLE["state"], n = state, 2
    state[0] = x[0] * x[1]
    return TABLE["state"][0] * x[2] * n


def in_a_pair_in_a_pair(x: Any) -> Any:
    state = [1.0]
    n, (kept, m) = 2, (state, 3)
    TABLE["state"] = kept
    state[0] = x[0] * x[1]
    return TABLE["state"][0] * x[2] * n * m


def beside_it(x: Any) -> Any:
    state, other = [1.0], [2.0]
    TABLE["state"], kept = other, state
    state[0] = x[0] * x[1]
    return kept[0] * TABLE["state"][0] * x[2]


OTHER_WAYS = [
    in_a_pair,
    in_a_pair_in_a_pair,
    added_up,
    by_setattr,
    with_a_type,
    in_a_tuple_of_another_name,
    with_two_names,
]


def read() -> Any:
    return TABLE["state"]


def read_by_an_import() -> Any:
    from tests.engines.test_put_outside import TABLE as FOUND

    return FOUND


def of_an_import(x: Any) -> Any:
    from tests.engines.test_put_outside import TABLE as FOUND

    FOUND["state"] = x[0] * x[1]
    return read() * x[2]


def of_another_name_for_an_import(x: Any) -> Any:
    from tests.engines.test_put_outside import TABLE

    table = TABLE
    table["state"] = x[0] * x[1]
    return read() * x[2]


def of_what_a_function_imports(x: Any) -> Any:
    read_by_an_import()["state"] = x[0] * x[1]
    return read() * x[2]


OF_IMPORTS = [of_an_import, of_another_name_for_an_import, of_what_a_function_imports]


PUT = [
    *OTHER_WAYS,
    in_a_list,
    in_a_tuple_in_a_list,
    under_a_key,
    by_name,
    of_an_object,
    object_in_a_list,
    by_a_function,
]


@pytest.mark.parametrize("f", PUT)
def test_its_change_is_seen(f: Callable[[Any], Any]) -> None:
    check_grads(f, X, order=1)


@pytest.mark.parametrize("f", PUT)
def test_its_change_in_second_derivatives(f: Callable[[Any], Any]) -> None:
    rightly.hvp(f, X, X)


@pytest.mark.parametrize("f", OF_IMPORTS)
def test_its_change_by_an_import(f: Callable[[Any], Any]) -> None:
    for again in (
        lambda: rightly.grad(f)(X),
        lambda: rightly.jvp(f, (X,), (X,)),
        lambda: rightly.hvp(f, X, X),
    ):
        again()


def changed_before(x: Any) -> Any:
    state = [1.0, 2.0]
    state[0] = x[0] * x[1]
    HISTORY.append(len(state))
    TABLE["count"] = HISTORY
    return state[0] * x[2]


def put_into_what_is_its_own(x: Any) -> Any:
    history, state = [], [1.0, 2.0]
    history.append(state)
    state[0] = x[0] * x[1]
    return history[-1][0] * x[2]


def copy_of_an_import(x: Any) -> Any:
    from tests.engines.test_put_outside import TABLE

    table = dict(TABLE)
    table["own"] = x[0] * x[1]
    return table["own"] * x[2]


def out_again(x: Any) -> Any:
    state = np.zeros(2)
    TABLE["state"] = state
    del TABLE["state"]
    state[0] = x[0] * x[1]
    return state[0] * x[2]


@pytest.mark.parametrize(
    "f", [changed_before, put_into_what_is_its_own, copy_of_an_import, out_again, beside_it]
)
def test_what_is_not_there_is_differentiated(f: Callable[[Any], Any]) -> None:
    check_grads(f, X)
