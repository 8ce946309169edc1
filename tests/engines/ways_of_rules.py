"""Ways in which a rule of a user's is given something, and ways in which that is changed after the call.

The pullback of each rule reads what the rule was given when it is called, as any rule may; so a rule that
was given the thing itself would read it as it is later. As the ways of ways.py: some 18,000 programs.
"""

import functools
import operator
from typing import Any

import numpy as np
from tests.engines import ruled

import chainrules as cr


def got(o: Any) -> Any:
    s = np.sum(o.a)
    o.a[0] = s
    o.a = o.a * 2.0
    return np.sum(o.a) * s


def got_list(o: Any) -> Any:
    s = np.sum(o[0]) * np.sum(o[1])
    o[0][1] = s
    o[1] = o[0] * 2.0
    return np.sum(o[1]) * s


def got_dict(o: Any) -> Any:
    s = np.sum(o["k"])
    o["k"][1] = s
    return np.sum(o["k"]) * s


def stepped(out: Any, v: Any) -> Any:
    ruled.scale_into(out, v)
    return np.sum(out)


def called(f: Any, *args: Any) -> Any:
    return f(*args)


def put(a: Any, v: Any) -> None:
    a[1] = v


NAMES: dict[str, Any] = {
    "np": np, "cr": cr, "functools": functools, "operator": operator, "got": got, "got_list": got_list,
    "got_dict": got_dict, "stepped": stepped, "called": called, "put": put,
    **{name: f for name, f in vars(ruled).items() if getattr(f, "__module__", "") == ruled.__name__},
}  # fmt: skip
LEAST_TOLD, MOST_REFUSED, SECOND = 0.3, 0.4, 4
MADE = {
    "array": ("o = a", "cube(o)", "cube", "o"),
    "view": ("o = a[:]", "cube(o)", "cube", "o"),
    "field": ("o = Node(a)", "cube(o.a)", "cube", "o.a"),
    "object": ("o = Node(a)", "energy(o)", "energy", "o"),
    "fresh object": ("o = a", "energy(Node(o))", "energy", "Node(o)"),
    "object in a list": ("h = [Node(a)]; o = h[0]", "energy(h[0])", "energy", "h[0]"),
    "tree": ("o = Node(a); h = Tree(o, [w * 1.0])", "deep(h)", "deep", "h"),
    "list of a tree": ("o = [a]; h = Tree(Node(w), o)", "deep(h)", "deep", "h"),
    "list": ("o = [a, w]", "listed(o)", "listed", "o"),
    "dict": ("o = {'a': a}", "mapped(o)", "mapped", "o"),
    "tuple": ("o = Node(a); h = (w, o)", "paired(h)", "paired", "h"),
    "fresh tuple": ("o = Node(a)", "paired((w, o))", "paired", "(w, o)"),
    "method": ("o = Node(a)", "o.scaled(w)", "o.scaled", "w"),
    "method in a variable": ("o = Node(a); h = o.scaled", "h(w)", "h", "w"),
    "object that is called": ("o = Node(a)", "o(w)", "o", "w"),
    "function of the class": ("o = Node(a)", "Node.scaled(o, w)", "Node.scaled", "o, w"),
    "static method": ("o = a", "Node.alone(o)", "Node.alone", "o"),
    "attribute": ("o = Node(a)", "o.norm", "operator.attrgetter('norm')", "o"),
    "getattr": ("o = Node(a)", "getattr(o, 'norm')", "getattr", "o, 'norm'"),
    "product": ("o = Node(a)", "(o * w)", "operator.mul", "o, w"),
    "negative": ("o = Node(a)", "(-o)", "operator.neg", "o"),
    "item": ("o = Node(a)", "o[1]", "operator.getitem", "o, 1"),
    "abs": ("o = Node(a)", "abs(o)", "abs", "o"),
    "object returned": ("o = Node(a)", "got(doubled(o))", "(lambda p: got(doubled(p)))", "o"),
    "list returned": ("o = a", "got_list(parted(o))", "(lambda p: got_list(parted(p)))", "o"),
    "dict returned": ("o = a", "got_dict(named(o))", "(lambda p: got_dict(named(p)))", "o"),
    "function": ("o = z", "at(lambda q: np.sum(q * z), w)", "at", "(lambda q: np.sum(q * z)), w"),
    "function of an object": (
        "o = Node(np.ones(3)); a = o.a",
        "at(lambda q: np.sum(q * o.a), w)",
        "at",
        "(lambda q: np.sum(q * o.a)), w",
    ),
    "method given": ("o = Node(np.ones(3)); a = o.a", "at(o.scaled, w)", "at", "o.scaled, w"),
    "partial given": (
        "o = np.ones(3); a = o",
        "at(functools.partial(np.dot, o), w)",
        "at",
        "functools.partial(np.dot, o), w",
    ),
    "written": ("o = a", "stepped(o, w)", "stepped", "o, w"),
    "written by it": ("o = a * 1.0; h = x * 2.0", "stepped(h, o)", "stepped", "h, o"),
}
"""What is to stand before, the call, and the function with what it is given."""
HELD = {"as it is": ""}
PLACES = {
    "statement": "m = {call}",
    "helper": "m = called({f}, {args})",
    "star": "p = ({args},)\nm = ({f})(*p)",
    "variable": "k = {f}\nm = k({args})",
    "field": "n = Node(None); n.k = {f}\nm = n.k({args})",
    "partial": "m = functools.partial({f}, {args})()",
    "partial in a variable": "k = functools.partial({f}, {args})\nm = k()",
    "map": "m = sum(map({f}, *[[t] for t in ({args},)]))",
    "two of them": "m = 0.0\nfor k in [{f}, {f}]:\n    m = m + k({args}) ** 2",
    "one of two": "k = {f} if w[0] < 9.0 else put\nm = k({args})",
    "lambda": "m = (lambda: {call})()",
    "nested": "def run(): return {call}\nm = run()",
    "comprehension": "m = [{call} for _ in range(2)][0]",
    "generator": "m = sum({call} for _ in range(2))",
    "loop": "m = 0.0\nfor i in range(2):\n    m = m + {call}\n    CHANGE",
    "unpacked": "m, n = {call}, 1.0",
    "conditional": "m = {call} if w[0] < 9.0 else 0.0",
    "manager": "with np.errstate(all='ignore'):\n    m = {call}",
    "try": "try:\n    m = {call}\nfinally:\n    n = 1.0",
    "gradient": "m = np.sum(cr.grad(lambda w: {call} * np.sum(w * x))(w))",
    "pullback": "y, b = cr.vjp(lambda w: {call} * np.sum(w), w)\nm = y + np.sum(b(x[0])[0])",
    "pushforward": "m = cr.jvp(lambda w: {call} * np.sum(w), (w,), (x,))[1]",
    "curvature": "m = np.sum(cr.hvp(lambda w: {call} * np.sum(w * w), w, x))",
    "slope": "m = cr.derivative(lambda t: {call} * t * t)(x[0])",
}
"""Who calls it."""
CHANGED = {
    "entry": "a[2] = m * w[1]",
    "whole": "a *= m",
    "other name": "b = a\nb[1] = m",
    "function": "put(a, m)",
    "both": "w[0] = a[1] * m\na[0] = w[0]",
    "inside": "",
    "bound anew": "o = h = a\na = a * m\no[0] = m",
    "forgotten": "o = h = None\na[0] = m",
    "in a loop": "for i in range(2):\n    a[i] = m * a[i]",
    "given": "w[1] = m",
    "constant": "z[1] = 3.0\na = a * z",
    "number": "z = 3.0\na = a * z",
}
"""How it changes."""
INSIDE = {"Node": "o.a = a = w * m", "list": "o[0] = a = w * m", "dict": "o['a'] = a = w * m"}


def program(made: str, held: str, changed: str, place: str, computed: bool) -> str:
    """The text of a program; `computed`: it is called once more after the change."""
    before, direct, f, args = MADE[made]
    kind = "Node" if "o = Node" in before or "o = h" in before else made
    change = CHANGED[changed] or INSIDE.get("list" if "o = [" in before else kind, "o[1] = m")
    call = PLACES[place].replace("{call}", direct).replace("{f}", f).replace("{args}", args)
    call = call.replace("CHANGE", change.replace("\n", "\n    "))
    text = "\n".join(["a = x * 1.5", "w = x * x", "z = np.ones(3)", before, call, change])
    if computed and changed not in ("forgotten", "bound anew"):
        text += "\nn1 = m\n" + call + "\nm = m * n1"
    lines = [f"    {line}\n" for line in text.split("\n") if line]
    return "def program(x):\n" + "".join(lines) + "    return np.sum(w * a) * m\n"
