"""The picture of `explain`: which boxes there are, what goes into which, and that it is an SVG."""

import re
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

import chainrules as cr
from chainrules.engines.source.pictured import shape_of


def layer(w, x):
    return np.tanh(x @ w)


def loss(w, x):
    for _ in range(3):
        x = layer(w, x)
    parts = [np.sum(x), np.sum(x * x)]
    y = np.zeros(2)
    y[1] = parts[0] * parts[1]
    return y[1]


def drawn(f: Any, *x: Any) -> dict[str, list[str]]:
    """What goes into each box, by names that are numbered where there are several."""
    graph = cr.explain(f, *x).graph
    seen: dict[str, int] = {}
    names = []
    for node in graph.nodes:
        label = node.label.rpartition(".")[2]
        seen[label] = seen.get(label, 0) + 1
        names.append(label if seen[label] == 1 else f"{label} {seen[label]}")
    return {name: [names[j] for j in node.into] for name, node in zip(names, graph.nodes, strict=True)}


def test_what_goes_into_what() -> None:
    assert drawn(loss, np.eye(2), np.ones((3, 2))) == {
        "w": [],
        "x": [],
        "matmul": ["x", "w", "tanh"],  # around the loop
        "tanh": ["matmul"],
        "sum": ["tanh"],
        "mul": ["tanh"],
        "sum 2": ["mul"],
        "mul 2": ["sum", "sum 2"],
        "setitem": ["mul 2"],
        "getitem": ["setitem"],
        "value": ["getitem"],
    }


def test_shapes_and_times() -> None:
    nodes = {n.label: n for n in cr.explain(loss, np.eye(2), np.ones((3, 2))).graph.nodes}
    assert (nodes["w"].shape, nodes["numpy.tanh"].shape, nodes["value"].shape) == ("2 × 2", "3 × 2", "number")
    assert nodes["numpy.tanh"].place == f"line {layer.__code__.co_firstlineno + 1}"
    assert nodes["numpy.tanh"].forward > 0
    assert nodes["numpy.tanh"].backward > 0


@pytest.mark.parametrize(
    ("value", "shape"),
    [(np.ones(4), "vector of 4"), (2.5, "number"), ([1, 2], "list of 2"), (None, "NoneType")],
)
def test_words_for_shapes(value: Any, shape: str) -> None:
    assert shape_of(value) == shape


def test_the_picture_is_an_svg_whose_rows_go_down(tmp_path: Any) -> None:
    explanation = cr.explain(loss, np.eye(2), np.ones((3, 2)))
    root = ElementTree.fromstring(explanation.picture())
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    boxes = root.findall(".//{*}rect")
    assert len(boxes) == len(explanation.graph.nodes)
    assert len({(b.get("x"), b.get("y")) for b in boxes}) == len(boxes)
    arrows = [p for p in root.findall(".//{*}path") if p.get("marker-end")]
    assert len(arrows) == sum(len(n.into) for n in explanation.graph.nodes)
    assert [p.get("class") for p in arrows].count("up") == 1  # the loop's
    for p in arrows:
        if p.get("class") != "up":
            ys = [float(y) for y in re.findall(r"[\d.]+ ([\d.]+)", p.get("d") or "")]
            assert ys[0] < ys[-1]
    explanation.save(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert explanation.graph.svg(inside=True) in page
    assert "<table>" in page
