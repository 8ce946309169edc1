"""How the tests of the checkers put together a rule, right or wrong, and expect to see it caught."""

from collections.abc import Callable
from typing import Any

import pytest

from chainrules.core import frule, rrule
from chainrules.testing import CheckError


def with_pullback(f, pullback, **flags: Any):
    """f with a reverse rule: its own value, and `pullback(y_bar, *x)`."""

    @rrule(f, **flags)
    def f_rrule(*x):
        return f(*x), lambda y_bar: pullback(y_bar, *x)

    return f


def with_pushforward(f, pushforward, **flags: Any):
    """f with a forward rule: its own value, and `pushforward(tangents, *x)`."""

    @frule(f, **flags)
    def f_frule(tangents, *x):
        return f(*x), pushforward(tangents, *x)

    return f


def caught(check: Callable[..., None], f, args: tuple[Any, ...], name: str, argument: int | None) -> str:
    """The message of the failure that `check` must raise, in the check of this name and argument."""
    with pytest.raises(CheckError) as failure:
        check(f, *args)
    first = str(failure.value).splitlines()[0]
    assert f": {name}" in first, first
    assert argument is None or f"argument {argument}" in first, first
    return str(failure.value)


@pytest.fixture
def reverse() -> Callable[..., Any]:
    return with_pullback


@pytest.fixture
def forward() -> Callable[..., Any]:
    return with_pushforward


@pytest.fixture
def fails() -> Callable[..., str]:
    return caught
