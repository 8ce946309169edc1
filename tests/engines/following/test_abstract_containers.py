"""Classes that derive from those of `collections.abc`, which Python keeps frozen, and their like."""

import collections
import collections.abc
from collections.abc import Iterator
from typing import Any

import pytest

from chainrules.testing import check_grads


class Row(collections.abc.Sequence[Any]):
    def __init__(self, *values: Any) -> None:
        self.values = values

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, i: Any) -> Any:
        return self.values[i]


class Table(collections.abc.MutableMapping[str, Any]):
    def __init__(self) -> None:
        self.held: dict[str, Any] = {}

    def __getitem__(self, key: str) -> Any:
        return self.held[key]

    def __setitem__(self, key: str, value: Any) -> None:
        self.held[key] = value

    def __delitem__(self, key: str) -> None:
        del self.held[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.held)

    def __len__(self) -> int:
        return len(self.held)


class Doubling(collections.abc.Iterator[Any]):
    def __init__(self, value: Any) -> None:
        self.value, self.left = value, 3

    def __next__(self) -> Any:
        if not self.left:
            raise StopIteration
        self.left -= 1
        self.value = self.value * 2.0
        return self.value


def by_a_sequence(x: Any) -> Any:
    row = Row(x, x * x)
    return sum(row) * row[1] + sum(reversed(row)) * row.index(x)


def by_a_mapping(x: Any) -> Any:
    table = Table()
    table.update({"a": x})
    table.setdefault("b", x * 2.0)
    return sum(i * v for i, v in enumerate(table.values(), 1)) * table.pop("a")


def by_a_list_of_the_library(x: Any) -> Any:
    values = collections.UserList([x, x * x])
    values.append(3.0 * x)
    return sum(values) * values[1]


def by_a_dictionary_of_the_library(x: Any) -> Any:
    return sum(collections.UserDict(a=x).values()) * sum(
        collections.ChainMap({"a": x}, {"b": x * x}).values()
    )


@pytest.mark.parametrize(
    "f",
    [
        *(by_a_sequence, by_a_mapping, by_a_list_of_the_library, by_a_dictionary_of_the_library),
        lambda x: sum(Doubling(x)) * x,
    ],
)
def test_they_are_followed(f: Any) -> None:
    check_grads(f, 1.3, order=2)
