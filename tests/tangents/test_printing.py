"""How composites print, in a terminal and in a notebook."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from chainrules.tangents import Composite, Thunk, Zero


@dataclass
class Model:
    w: Any
    b: Any


def test_what_is_short_prints_on_one_line() -> None:
    assert repr(Composite[Model](w=np.ones(2), b=Zero())) == "Composite[Model](w=array([1., 1.]), b=Zero())"
    assert repr(Composite[tuple](1.0, (2.0,))) == "Composite[tuple](1.0, (2.0,))"
    assert repr(Composite[dict]({"a": 1.0})) == "Composite[dict]({'a': 1.0})"
    assert repr(Composite[dict]()) == "Composite[dict]({})"


def test_what_is_long_prints_one_field_a_line() -> None:
    inner = Composite[dict]({"first": np.arange(4.0).reshape(2, 2), "second": Thunk(lambda: 1 / 0)})
    assert repr(Composite[Model](w=inner, b=sp.csr_array(np.eye(3)))) == (
        "Composite[Model](\n"
        "    w=Composite[dict]({\n"
        "        'first': array([[0., 1.],\n"
        "               [2., 3.]]),\n"
        "        'second': Thunk(<not evaluated: "
        "test_what_is_long_prints_one_field_a_line.<locals>.<lambda>>),\n"
        "    }),\n"
        "    b=<csr_array (3, 3) of float64, 3 stored>,\n"
        ")"
    )
    million = repr(Composite[tuple](np.zeros(10**6), 1.0))
    assert len(million) < 200


def test_a_notebook_shows_a_table() -> None:
    t = Composite[Model](w=Composite[tuple](1.0, np.ones((2, 3))), b=Thunk(lambda: 1 / 0))
    html = t._repr_html_()
    assert html.count("<table>") == 2
    assert "<b>Composite[Model]</b>" in html
    assert "float64 (2, 3)" in html
    assert "&lt;not evaluated" in html
    assert "zero in every field" in Composite[Model]()._repr_html_()


def test_a_notebook_finds_the_table() -> None:
    formatters = pytest.importorskip("IPython.core.formatters")
    t = Composite[Model](w=1.0)
    shown = formatters.DisplayFormatter().format(t)[0]
    assert set(shown) == {"text/plain", "text/html"}
    assert shown["text/plain"] == "Composite[Model](w=1.0)"
    assert t._private is Zero()
    assert Composite[Model](_repr_html_=2.0)._repr_html_ == 2.0  # a field wins over any name of ours
