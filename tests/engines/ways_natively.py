"""Ways in which a program runs code of which no derivative is taken, and ways in which that changes things.

A test, a key, a slice, what is raised or deleted: `check(o)` stands there, which changes what varies. Where
nothing is known of it before it runs, that is refused. As the ways of ways.py: some ten thousand programs.
"""

import contextlib
import functools
import itertools
from typing import Any

import numpy as np

import chainrules as cr


class Node:
    w: Any
    o: Any
    c: Any


class Truth:
    """What changes something once it is asked whether it is true."""

    def __init__(self, o: Any) -> None:
        self.o = o

    def __bool__(self) -> bool:
        return entry(self.o)


class Other(Truth):
    def __bool__(self) -> bool:
        return another(self.o)


class Length(Truth):
    def __bool__(self) -> bool:
        return len(self) > 0

    def __len__(self) -> int:
        return int(another(self.o))


def entry(o: Any) -> bool:
    array_of(o)[0] *= 2.0
    return True


def all_of_it(o: Any) -> bool:
    a = array_of(o)
    a *= 2.0
    return True


def another(o: Any) -> bool:
    if isinstance(o, Node):
        o.w = o.w * 2.0
    elif isinstance(o, list):
        o[0] = o[0] * 2.0
    else:
        o *= 2.0
    return True


def nothing(o: Any) -> bool:
    return True


def note(o: Any) -> bool:
    if isinstance(o, Node):
        o.c = "seen"
    return True


def array_of(o: Any) -> Any:
    return o.w if isinstance(o, Node) else o[0] if isinstance(o, list) else o


def truth(o: Any) -> Any:
    return [Truth(o)][0]


def truth_of_another(o: Any) -> Any:
    return [Other(o)][0]


def length(o: Any) -> Any:
    return [Length(o)][0]


NAMES: dict[str, Any] = {
    "np": np, "contextlib": contextlib, "functools": functools, "itertools": itertools, "Node": Node,
    "cr": cr, "entry": entry, "all_of_it": all_of_it, "another": another, "nothing": nothing,
    "note": note, "truth": truth, "truth_of_another": truth_of_another, "length": length,
}  # fmt: skip
LEAST_TOLD, MOST_REFUSED, SECOND = 0.2, 0.9, 8
MADE = {
    "object": ("o = Node(); o.w = x * 3.0", "o.w"),
    "list": ("o = [x * 3.0]", "o[0]"),
    "array": ("o = x * 3.0", "o"),
}
"""What makes `o`, and what reads the array in it."""
HELD = {
    "field": "h = Node(); h.c = {c}; check = h.c",
    "default": "check = chosen",
    "dict": "h = {'k': {c}}; check = h['k']",
    "known": "",
}
"""Where `check` is found."""
CHANGED = ("entry", "all_of_it", "another", "nothing", "note", "truth", "truth_of_another", "length")
"""What it is."""
PLACES = {
    "if": "if check(o): s = 1.0",
    "while": "while check(o):\n    s = 1.0\n    break",
    "assert": "assert check(o)",
    "conditional": "s = 1.0 if check(o) else 2.0",
    "if not": "if not check(o): s = 1.0",
    "and": "if check(o) and s==0.0: s = 1.0",
    "or": "if s==1.0 or check(o): s = 1.0",
    "value of and": "q = check(o) and 3",
    "not": "q = not check(o)",
    "bool": "q = bool(check(o))",
    "comprehension": "q = [1 for i in range(1) if check(o)]",
    "filter": "q = list(filter(check,[o]))",
    "any": "q = any([check(o)])",
    "all": "q = all(check(k) for k in [o])",
    "elif": "if s==1.0: pass\nelif check(o): s = 1.0",
    "guard": "match s:\n    case 0.0 if check(o): s = 1.0",
    "lambda": "g = lambda: 1.0 if check(o) else 2.0\ns = g()",
    "nested": "def g():\n    if check(o): return 1.0\n    return 2.0\ns = g()",
    "assigned": "q = check(o)\nif q: s = 1.0",
    "key": "q=sorted([3,1],key=lambda k: k if check(o) else 0)",
    "text": "q=str(check(o))",
    "greatest": "q=max([1],key=lambda k: bool(check(o)))",
    "range": "for i in range(check(o)): s = 1.0",
    "slice gone over": "for i in [1,2][:check(o)]: s = 1.0",
    "key of it": "q=sorted([s,o],key=lambda k: bool(check(o)))",
    "greatest of it": "q=max([{w}[0],s],key=lambda k: bool(check(o)))",
    "least of it": "q=min({w}[0],s,key=lambda k: check(o))",
    "sort of it": "q=[s,{w}[1]]\nq.sort(key=lambda k: check(o))",
    "sort": "q=[3,1]\nq.sort(key=lambda k: check(o))",
    "takewhile": "for k in itertools.takewhile(check,[o]): s = 1.0",
    "dropwhile": "q=list(itertools.dropwhile(lambda k: check(o),[1,2]))",
    "filter in a loop": "for k in filter(check,[o]): s = 1.0",
    "filtered in a loop": "for k in filter(lambda k: check(o),[1,2]): s = 1.0",
    "map": "q=list(map(lambda k: bool(check(o)),[1]))",
    "map in a loop": "for k in map(lambda k: bool(check(o)),[1]): s = 1.0",
    "generator in a loop": "for k in (1 for j in range(1) if check(o)): s = 1.0",
    "sum": "q=sum(1 for j in range(1) if check(o))",
    "iter": "for k in iter(lambda: bool(check(o)), True): s = 1.0",
    "f-string": 'q=f"{check(o)}"',
    "format": 'q="%s" % bool(check(o))',
    "augmented": "n=0\nn += bool(check(o))",
    "returned": "def g(): return not check(o)\nq=g()",
    "set": "q={1 for j in range(1) if check(o)}",
    "dict": "q={j:not check(o) for j in range(1)}",
    "factor": "s=(1.0 if check(o) else 2.0)*np.sum({w})*0+1.0",
    "chosen": "s=np.sum({w})*0 if check(o) else 2.0",
    "axis": "s=np.sum({w}*0, axis=0 if check(o) else 1)",
    "index": "q=[1,2][bool(check(o))]",
    "index of it": "q=[s,s*2][bool(check(o))]",
    "bound of it": "q={w}[:bool(check(o))]",
    "index chosen": "q={w}[0 if check(o) else 1]",
    "walrus": "if (k := bool(check(o))): s = 1.0",
    "message": "assert True, check(o)\nq=bool(check(o)) == True",
    "compared": "q = 0 < bool(check(o)) < 2",
    "if compared": "if 0 < bool(check(o)) < 2: s = 1.0",
    "isinstance": "q = isinstance(check(o), int) and s",
    "len": "q = len([not check(o)])",
    "int": "q = int(bool(check(o)))",
    "keyword": "q = dict(a=not check(o))",
    "star": "q = [*[not check(o)]]",
    "pair": "q, r = not check(o), 1",
    "two targets": "q = r = not check(o)",
    "try if": "try:\n    if check(o): s = 1.0\nexcept ValueError: pass",
    "try not": "try:\n    q= not check(o)\nexcept ValueError: pass",
    "raise": "try:\n    raise ValueError(not check(o))\nexcept ValueError: pass",
    "suppress": "with contextlib.suppress(ValueError):\n    q = not check(o)",
    "manager": "with contextlib.nullcontext(not check(o)):\n    pass",
    "partial": "if functools.partial(check,o)(): s = 1.0",
    "from a dict": 'd={"c":check}\nif d["c"](o): s = 1.0',
    "by a lambda": "c = lambda: check(o)\nif c(): s = 1.0",
    "given by a lambda": "c = lambda k: check(k)\nif c(o): s = 1.0",
    "in a list": "c = [o]\nif check(c[0]): s = 1.0",
    "in a tuple": "c = (o, 1)\nq = not check(c[0])",
    "in a field": "h2 = Node(); h2.o = o\nq = not check(h2.o)",
    "in a field, nested": "h2 = Node(); h2.o = o\ndef ch(h): return check(h.o)\nq = not ch(h2)",
    "by a function": "def ch(): return check(o)\nif ch(): s = 1.0",
    "not, by a function": "def ch(): return check(o)\nq = not ch()",
    "break": "for i in range(2):\n    if check(o): break",
    "while and": "i=0\nwhile i<1 and check(o): i+=1",
    "while not": "i=0\nwhile not (i>0 or check(o)): i+=1",
    "match": "match bool(check(o)):\n    case True: s = 1.0\n    case _: s=2.0",
    "default": "def g(a=not check(o)): return 1.0\ns=g()",
    "list": "q=[not check(o) for i in range(1)]",
    "array": "q=np.array([bool(check(o))])",
    "where": "q=np.where(bool(check(o)), {w}, {w})",
    "np.any": "q=np.any([bool(check(o))])",
    "nested comprehension": "q=[[1 for j in range(1) if check(o)] for i in range(1)]",
    "all of a list": "q=all([check(o)])",
    "any of a generator": "q=any(check(k) for k in (o,))",
    "reduce": "q=functools.reduce(lambda a,b: bool(check(o)),[1,2])",
    "zip": "for i,j in zip([1],[not check(o)]): s = 1.0",
    "enumerate": "for i,j in enumerate([not check(o)]): s = 1.0",
    "text compared": 'if str(check(o)) == "x": s=2.0',
    "stop_gradient": "if cr.stop_gradient(check(o)): s = 1.0",
    "dropped not": "not check(o)",
    "dropped conditional": "check(o) if s==0.0 else None",
    "dropped and": "s==0.0 and check(o)",
    "dropped or": "s==1.0 or check(o)",
    "dropped": "check(o)",
    "del": "d={True:1,False:2}\ndel d[bool(check(o))]",
    "key stored": "d={}\nd[bool(check(o))]=1",
    "place stored": "a=np.zeros(2)\na[int(bool(check(o)))]=1",
    "stored": "d={}\nd[0]=not check(o)",
    "field stored": "h3=Node()\nh3.q = not check(o)",
    "append": "l=[]\nl.append(not check(o))",
    "displayed": "l=[not check(o)]",
}
"""Where it is called."""


def program(made: str, held: str, changed: str, place: str, computed: bool) -> str:
    """The text of a program; `computed`: what changes was computed with before."""
    make, read = MADE[made]
    lines = [make, HELD[held].replace("{c}", changed), "s = 0.0", "y = x[0] * 2.0"]
    lines += [f"y = y + np.sum({read} * {read})"] if computed else []
    lines += PLACES[place].replace("{w}", read).split("\n")
    if held == "known":
        lines = [line.replace("check", changed) for line in lines]
    parameters = f"x, chosen={changed}" if held == "default" else "x"
    text = f"def program({parameters}):\n" + "".join(f"    {line}\n" for line in lines if line)
    return text + f"    return y * y + np.sum({read} * {read}) + s\n"
