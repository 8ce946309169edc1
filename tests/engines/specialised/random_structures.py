"""Arguments of any structure, and programs of what is in them.

A structure is a leaf, whose kind has a name, or a container of others. Containers hold floats and arrays, and
beside them whole numbers, truth values, texts and nothing.
"""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Iterator
from typing import Any

import numpy as np

LEAVES = ["float"] * 4 + ["array"] * 5 + ["int"] * 3 + ["float64", "int64", "bool", "text", "none", "matrix"]
LEAVES += ["ints", "complex"]


class Free:
    """An object with any fields, of which `a` is real and `b` a number."""

    a: Any
    b: Any

    def __init__(self, **fields: Any) -> None:
        self.__dict__.update(fields)

    def scaled(self, s: Any) -> Any:
        return np.sum(self.a) * s

    @property
    def twice(self) -> Any:
        return 2 * self.b


@dataclasses.dataclass
class Pair:
    """A dataclass, of which `a` is real."""

    a: Any
    b: Any

    def mixed(self) -> Any:
        return np.sum(self.a) * self.b if isinstance(self.b, int | float) else np.sum(self.a)


def scaled(a: Any, k: Any) -> Any:
    return np.sum(a) * k


def of_object(o: Any, k: Any) -> Any:
    return np.sum(o.a) * k


NAMES = {"np": np, "scaled": scaled, "of_object": of_object}
Structure = Any


def drawn(r: random.Random, depth: int) -> Structure:
    """A structure so deep at most."""
    if depth == 0 or r.random() < 0.35:
        return r.choice(LEAVES)
    kind = r.choice([tuple, list, dict, dict, Free, Pair])
    if kind is Pair:
        return Pair, {"a": r.choice(["array", "float", "matrix"]), "b": drawn(r, depth - 1)}
    if kind is Free:
        fields = {"a": r.choice(["array", "float"]), "b": r.choice(["int", "float", "int", "bool"])}
        return Free, fields | {n: drawn(r, depth - 1) for n in "cd" if r.random() < 0.5}
    if kind is dict:
        return dict, {n: drawn(r, depth - 1) for n in r.sample(["x", "y", "w", "n"], r.randint(1, 3))}
    return kind, dict(enumerate(drawn(r, depth - 1) for _ in range(r.randint(1, 3))))


def made(structure: Structure, g: np.random.Generator, scale: float = 1.0) -> Any:
    """A value of a structure, with floats times a scale."""
    if isinstance(structure, str):
        return {
            "float": lambda: float(g.normal()) * scale,
            "float64": lambda: np.float64(g.normal()) * scale,
            "int": lambda: int(g.integers(1, 4)),
            "int64": lambda: np.int64(g.integers(1, 4)),
            "bool": lambda: bool(g.integers(0, 2)),
            "text": lambda: str(g.choice(["u", "v"])),
            "none": lambda: None,
            "array": lambda: g.normal(size=3) * scale,
            "matrix": lambda: g.normal(size=(2, 3)) * scale,
            "ints": lambda: g.integers(0, 3, size=3),
            "complex": lambda: complex(g.normal(), g.normal()),
        }[structure]()
    kind, parts = structure
    values = {n: made(part, g, scale) for n, part in parts.items()}
    if kind is tuple or kind is list:
        return kind(values.values())
    return values if kind is dict else kind(**values)


def places(structure: Structure, text: str) -> Iterator[tuple[str, Any]]:
    """Everything in a structure: how it is read, and what it is."""
    yield text, structure if isinstance(structure, str) else structure[0]
    if not isinstance(structure, str):
        kind, parts = structure
        for name, part in parts.items():
            yield from places(part, f"{text}.{name}" if kind in (Free, Pair) else f"{text}[{name!r}]")


class Program:
    """A program of arguments of some structures."""

    def __init__(self, r: random.Random, structures: list[Structure]) -> None:
        self.random = r
        self.found: dict[Any, list[str]] = {}
        for i, structure in enumerate(structures):
            for text, kind in places(structure, f"p{i}"):
                self.found.setdefault(kind, []).append(text)
        parameters = ", ".join(f"p{i}" for i in range(len(structures)))
        lines = [self.statement() for _ in range(r.randint(2, 6))]
        self.text = (
            f"def program({parameters}):\n    y = 0.0\n    " + "\n    ".join(lines) + "\n    return y\n"
        )

    def one(self, *kinds: Any) -> str:
        """A place of one of these kinds; a number where there is none."""
        known = [text for kind in kinds for text in self.found.get(kind, ())]
        return self.random.choice(known) if known else "1.5"

    def statement(self) -> str:
        """A statement that may change y."""
        a, x = self.one("array", "matrix"), self.one("float", "float64")
        k, n = self.one("float", "float64", "int", "int64", "bool"), self.one("int", "int64")
        flat = f"np.ravel({a} * np.ones(3))"
        found = [
            f"y = y + np.sum({a} ** 2)",
            f"y = y + scaled({a}, {k})",
            f"y = y + np.sum({a} * {k})",
            f"y = y * {x}",
            f"y = y + np.sin({x}) * {k}",
        ]
        if n != "1.5":
            found += [
                f"y = y + {flat}[{n} - 1]",
                f"for i in range({n}):\n        y = y + {flat}[i % 3] * (i + 1)",
                f"y = y + np.sum({flat}[:{n}]) / {n}",
                f"y = y + np.sum(np.ones({n})) * np.sum({a})",
                f"y = y + np.sum({a}) * ({n} // 2)",
                f"k = {n}\n    while k > 0:\n        k = k - 1\n        y = y + {flat}[0]",
                f"y = y + {x} ** {n}",
                f"y = y + max({x}, {n})",
                f"y = y + float({n}) * {x}",
                f"t = ({n}, 2.0)\n    y = y + t[0] * t[1] * np.sum({a})",
                f"l = [{n}, 1.0]\n    y = y + l[0] * np.sum({a})",
                f"l = [1.0, 2.0]\n    l[0] = {n}\n    y = y + l[0] * np.sum({a})",
                f"z = np.zeros(3)\n    z[0] = {n}\n    y = y + np.sum(z) * {x}",
                f"g = lambda v: v * {n}\n    y = y + g({x})",
                f"d = {{'k': 1.0}}\n    d['k'] = {n}\n    y = y + d['k'] * np.sum({a})",
                f"for v in [1, {n}]:\n        y = y + v * np.sum({a})",
                f"y = y + np.sum(np.array([{n}, 1.0])) * {x}",
            ]
        return self.random.choice(found + self._of_others(a, flat, k))

    def _of_others(self, a: str, flat: str, k: str) -> list[str]:
        found = []
        for kind, text in (
            ("ints", "y = y + np.sum({flat}[:3][{v}]) + np.sum({flat}[:3] * {v})"),
            ("text", "y = y + (np.sum({a}) if {v} == 'u' else np.prod({a}))"),
            ("bool", "if {v}:\n        y = y + np.sum({a})"),
            ("none", "y = y + (np.sum({a}) if {v} is None else 0.0)"),
            ("complex", "y = y + np.sum({a}) * {v}.real"),
            (Pair, "y = y + {v}.mixed()"),
            (Free, "y = y + {v}.scaled({k}) * {v}.twice"),
            (Free, "y = y + of_object({v}, {v}.b)"),
            (Free, "{v}.b = {v}.b + 1\n    y = y + {v}.b * np.sum({v}.a)"),
            (Free, "q = {v}\n    y = y + np.sum(q.a) * q.b"),
        ):
            if kind in self.found:
                found.append(text.format(a=a, flat=flat, k=k, v=self.one(kind)))
        return found
