"""A grammar of the statements that the source engine takes: random programs of three numbers, as text.

The productions stand in grammar.txt. There `$N` is an expression of a number, `$A` of an array of
three, `$L` of a list of numbers, `$T` of a truth value; `$n`, `$a`, `$l` are variables of those kinds;
`$c` is a constant, `$i` and `$j` an index of three, of two; `$BLOCK` are statements, `$LOOP` those
inside a loop, `$BODY` those outside of any; `$w` is a new name. A digit, as in `$n1`, repeats what it was
first. A program is smooth and of moderate size; where it branches on a number, differences may cross
the branch.
"""

import re
from collections.abc import Callable
from pathlib import Path

Choose = Callable[[int], int]
"""Gives a whole number below the one it is given."""

HEAD = """\
def program(x):
    s, t, u = x[0], x[1] * 2.0, 0.5
    a, b = <array>, np.array([0.3, -0.4, 0.9])
    c = <shared>
    r, q = [x[0], x[1] * x[2]], [0.7, x[2], -0.2]
    d = {"k": x[2], "m": 0.4}
    p, h, g = Pair(x[1], 0.3), Spring(x[2]), Point(x[0] * x[1])
    o = <object>
    boxes, grid = [o, Box(0.6), Box(x[0])], np.outer(x, b)
"""
STARTS = {
    "<array>": ["x.copy()", "x * 1.0", "x", "np.sin(x)"],
    "<shared>": ["a[:]", "x + b", "b", "a"],
    "<object>": ["Box(x[1])", "Box(0.7)", "Crate(x[1], 0.4)", "Crate(0.7, x[2])"],
}
TAIL = """\
    whole = np.sum(a * 0.3) + np.sum(b * b) + np.sum(c * a) + np.sum(grid * grid[::-1])
    whole += 0.1 * sum(g.at * d.get(k, g.weight) for k in d) + o.total + sum(v.w * v.arr[0] for v in boxes)
    whole += h.energy + h.rest * sum(h.forces) + p.first * p.second
    return s * 0.7 + t * u + 0.3 * whole + sum(v * v for v in r) + sum(q) * d["k"] + $N
"""
PLAIN = {
    "n": ["s", "t", "u"],
    "a": ["a", "b", "c"],
    "l": ["r", "q"],
    "c": ["0.5", "2.0", "-1.5", "3", "1", "0.0"],
    "i": ["0", "1", "2"],
    "j": ["0", "1"],
    "N": ["$n", "$n", "$n", "$c", "x[$i]", "$a[$i]", "$l[$j]", "$l[-1]", "d['k']", "o.w", "h.k", "p.first"],
    "A": ["$a", "$a", "$a", "x", "o.arr", "grid[$i]", "grid[:, $i]"],
    "L": ["$l", "$l", "[$n, $n]", "[$n, $c, $n]"],
    "T": ["$n > 0.3", "$c > 0", "len($l) > 2", "$n > $n"],
}
JUMPS = ["break", "continue", "if $T: break", "if $T: continue"]
HOLE = re.compile(r"\$([A-Za-z]+)(\d?)")


def _sections() -> dict[str, str]:
    text = Path(__file__).with_suffix(".txt").read_text(encoding="utf-8")
    return {
        name: body.strip("\n") for name, body in re.findall(r"^== (\w+)\n(.*?)(?=^==|\Z)", text, re.S | re.M)
    }


SECTIONS = _sections()
MADE = {kind: SECTIONS[name].splitlines() for kind, name in zip("NALT", SECTIONS, strict=False)}
SIMPLE = SECTIONS["simple"].splitlines()
COMPOUND = [block.splitlines() for block in SECTIONS["compound"].split("\n\n")]


class Writer:
    """Writes programs, asking `choose` at every choice."""

    def __init__(self, choose: Choose) -> None:
        self.choose, self.names = choose, 0

    def one(self, choices: list[str]) -> str:
        return choices[self.choose(len(choices))]

    def program(self, depth: int = 2, size: int = 5) -> str:
        head = HEAD
        for hole, choices in STARTS.items():
            head = head.replace(hole, self.one(choices))
        body = [line for _ in range(1 + self.choose(size)) for line in self.statement(depth, False)]
        return head + "".join(f"    {line}\n" for line in body) + self.filled(TAIL, 1, {})

    def statement(self, depth: int, loop: bool) -> list[str]:
        """The lines of one statement, compound ones as deep as `depth`."""
        if depth and self.choose(5) > 1:
            known: dict[str, str] = {}
            form = COMPOUND[self.choose(len(COMPOUND))]
            return [made for line in form for made in self.line(line, depth, loop, known)]
        if loop and self.choose(8) == 7:
            return [self.filled(self.one(JUMPS), 1, {})]
        form_of_one = self.one(SIMPLE)
        if form_of_one.startswith("return") and self.choose(4) < 3:
            form_of_one = "pass"
        return self.filled(form_of_one, 2, {}).split("; ")

    def line(self, line: str, depth: int, loop: bool, known: dict[str, str]) -> list[str]:
        word = line.strip()
        if word not in ("$BLOCK", "$LOOP", "$BODY"):
            return [self.filled(line, 1, known)]
        pad, inside = line[: len(line) - len(word)], word == "$LOOP" or (loop and word == "$BLOCK")
        return [pad + s for _ in range(1 + self.choose(2)) for s in self.statement(depth - 1, inside)]

    def filled(self, form: str, depth: int, known: dict[str, str]) -> str:
        """A production with something in its holes, nested as deep as `depth`."""

        def content(hole: re.Match[str]) -> str:
            kind, again = hole.groups()
            if not again:
                return self.symbol(kind, depth, set())
            if hole.group() not in known:
                known[hole.group()] = self.symbol(kind, depth, set(known.values()))
            return known[hole.group()]

        return HOLE.sub(content, form)

    def symbol(self, kind: str, depth: int, taken: set[str]) -> str:
        if kind == "w":
            self.names += 1
            return f"w{self.names}"
        if kind in MADE and depth and self.choose(5) > 1:
            return self.filled(self.one(MADE[kind]), depth - 1, {})
        return self.filled(self.one([form for form in PLAIN[kind] if form not in taken]), 0, {})
