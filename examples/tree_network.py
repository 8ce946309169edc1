"""A tree-recursive network that reads arithmetic expressions, trained by an optimiser that knows no trees.

An expression such as (3 + 1) · 2 − 4 is parsed by Python's own parser into a tree of objects. The network
walks the tree: a number becomes a vector, a node the vector of its two parts by weights of its operator
[Goller, Küchler 1996], and a linear layer reads the value off the root. The parameters are declared types in
a dictionary; the derivative follows the recursion, of another shape for each expression. The `Adam` of
`optimisers.py` takes the steps.

Run this file where chainrules[examples] is installed. It writes examples/output/tree_network.png: the error
while training, and what the network reads in expressions that it has not seen.
"""

import ast
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from tqdm import tqdm

import chainrules as cr

if __package__:
    from .optimisers import Adam
else:
    from optimisers import Adam  # type: ignore[import-not-found, no-redef]  # run as a file

OUTPUT = Path(__file__).parent / "output"
Array = np.ndarray[Any, Any]
OPERATORS = {"add": "+", "subtract": "-", "multiply": "*"}


@dataclass
class Number:
    """A leaf."""

    value: float


@dataclass
class Operation:
    """A node: an operator and its two parts."""

    name: str
    left: Any
    right: Any


@cr.differentiable_type
@dataclass
class Combine:
    """The weights of one operator."""

    left: Array
    right: Array
    product: Array
    bias: Array
    symbol: str = cr.no_derivative("+")


@cr.differentiable_type
@dataclass
class Network:
    """Numbers in, vectors up the tree, one number out."""

    embed: Array
    combine: dict[str, Combine]
    read: Array


def parsed(text: str) -> Any:
    """The tree of an expression."""
    return _node(ast.parse(text, mode="eval").body)


def _node(node: Any) -> Any:
    if isinstance(node, ast.Constant):
        return Number(float(str(node.value)))
    names = {ast.Add: "add", ast.Sub: "subtract", ast.Mult: "multiply"}
    return Operation(names[type(node.op)], _node(node.left), _node(node.right))


def value_of(tree: Any) -> float:
    """What an expression is worth."""
    if isinstance(tree, Number):
        return tree.value
    a, b = value_of(tree.left), value_of(tree.right)
    return a + b if tree.name == "add" else a - b if tree.name == "subtract" else a * b


def expression(rng: Any, depth: int) -> str:
    """A random expression."""
    if depth == 0 or rng.random() < 0.25:
        return str(rng.integers(0, 4))
    symbol = OPERATORS[str(rng.choice(list(OPERATORS)))]
    return f"({expression(rng, depth - 1)} {symbol} {expression(rng, depth - 1)})"


def encode(network: Network, tree: Any) -> Any:
    """The vector of a tree."""
    if isinstance(tree, Number):
        return network.embed[0] * tree.value + network.embed[1]
    a, b = encode(network, tree.left), encode(network, tree.right)
    w = network.combine[tree.name]
    return w.left @ a + w.right @ b + w.product @ (a * b) + w.bias


def prediction(network: Network, tree: Any) -> Any:
    """The number that the network reads in a tree."""
    return encode(network, tree) @ network.read


def loss(network: Network, trees: list[Any], values: list[float]) -> Any:
    """The mean of log(1 + error²), which no single large value rules."""
    total = 0.0
    for tree, value in zip(trees, values, strict=True):
        total = total + np.log1p((prediction(network, tree) - value) ** 2)
    return total / len(trees)


def initial_network(seed: int, width: int) -> Network:
    """Small random weights."""
    rng = np.random.default_rng(seed)

    def matrix() -> Any:
        return 0.5 * rng.normal(size=(width, width)) / np.sqrt(width)

    combine = {
        name: Combine(matrix(), matrix(), matrix(), np.zeros(width), symbol)
        for name, symbol in OPERATORS.items()
    }
    return Network(
        rng.normal(size=(2, width)) / np.sqrt(width), combine, rng.normal(size=width) / np.sqrt(width)
    )


def fit(network: Network, trees: list[Any], steps: int, batch: int, seed: int) -> tuple[Network, list[float]]:
    """The trained network, and the loss on each batch."""
    rng, adam, history = np.random.default_rng(seed), Adam(rate=0.02), []
    values = [value_of(tree) for tree in trees]
    with tqdm(total=steps, desc="training", unit="step") as bar:
        for _ in range(steps):
            chosen = rng.choice(len(trees), batch, replace=False)
            value, gradient = cr.value_and_grad(loss)(
                network, [trees[i] for i in chosen], [values[i] for i in chosen]
            )
            network = adam.step(network, gradient)
            history.append(float(value))
            bar.set_postfix(loss=f"{value:.4f}", refresh=False)
            bar.update()
    return network, history


def draw(history: list[float], truth: Any, read: Any) -> Figure:
    """The loss by step, and what was read against what is true."""
    figure = Figure(figsize=(10, 4.5), layout="constrained")
    left, right = figure.subplots(1, 2)
    left.semilogy(history)
    left.set(title="Loss while training", xlabel="step of Adam", ylabel="mean of log(1 + error²)")
    right.plot([min(truth), max(truth)], [min(truth), max(truth)], color="gray", linewidth=0.8)
    right.plot(truth, read, ".", alpha=0.6)
    right.set(title="Expressions not seen before", xlabel="value", ylabel="what the network reads")
    return figure


def main(
    steps: int = 400, output: Path = OUTPUT, seed: int = 0, width: int = 8, batch: int = 12
) -> tuple[float, float]:
    """Train, draw, and return the mean error on unseen expressions, before and after."""
    rng = np.random.default_rng(seed)
    texts = list(dict.fromkeys(expression(rng, 2) for _ in range(600)))
    trees = [parsed(text) for text in texts]
    train, held_out = trees[: len(trees) * 3 // 4], trees[len(trees) * 3 // 4 :]
    truth = np.array([value_of(tree) for tree in held_out])
    network = initial_network(seed, width)
    before = float(np.median(np.abs([prediction(network, tree) for tree in held_out] - truth)))
    network, history = fit(network, train, steps, batch, seed)
    read = np.array([prediction(network, tree) for tree in held_out])
    after = float(np.median(np.abs(read - truth)))
    print(f"{len(train)} expressions to learn from, {len(held_out)} held out, such as {texts[-1]}")
    print(f"median error on held-out expressions: {before:.3f} → {after:.3f}")
    output.mkdir(parents=True, exist_ok=True)
    draw(history, truth, read).savefig(output / "tree_network.png", dpi=120)
    print(f"plot: {output / 'tree_network.png'}")
    return before, after


if __name__ == "__main__":
    main()
