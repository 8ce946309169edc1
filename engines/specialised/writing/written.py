"""Written: texts of functions of one or two arrays whose rules would cost more than the function.

Each is taken where metadata are written out in the program and the rule in force is the library's own. A zero
that would be divided by gives no number, which is seen in the result: then the ordinary program runs.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..reading.kinds import axes, is_array, is_real
from ..reading.steps import Step, literal
from .activity import targets
from .backward import Cotangent
from .operations import Operations
from .rundown import slot, spread, spread_back, summed_back, undiagonal, undiffed


class Written(Operations):
    """The texts of these functions: `fits_…` says whether a call has one, `of_…` writes it."""

    def _axis(self, s: Step, args: list[str]) -> tuple[Any, Any]:
        """`axis` and `keepdims`, where they are written out."""
        named = dict(zip(s.keywords, args[len(args) - len(s.keywords) :], strict=True))
        free = args[1 : len(args) - len(s.keywords)]
        axis = named.pop("axis", free[0] if free else "=None")
        keep = named.pop("keepdims", "=False")
        if named or len(free) > 1:
            return literal, literal
        return self._axes_in(axis), literal(keep)

    def _axes_in(self, axis: str) -> Any:
        """An axis that is written out, or a tuple of them."""
        maker = next((x for x in self.all_steps if x.target == axis and x.op == "tuple"), None)
        if maker is None or self.definitions[axis] != 1:
            return literal(axis)
        found = tuple(map(literal, maker.args))
        return found if found and all(type(i) is int for i in found) else literal

    def _kinds(self, s: Step) -> list[Any]:
        return [self.inferred.kind(a) for a in s.args[s.op == "call" :]]

    def _bare_array(self, s: Step) -> bool:
        """Whether the only argument is an array."""
        return not s.keywords and len(self._kinds(s)) == 1 and axes(self._kinds(s)[0]) > 0

    def _literals(self, s: Step) -> list[Any]:
        """What stands behind the first argument, as values."""
        return [literal(a) for a in s.args[1 + (s.op == "call") :]]

    def _are_ints(self, s: Step, count: int) -> bool:
        found = self._literals(s)
        return not s.keywords and len(found) == count and all(type(i) is int for i in found)

    # numbers of arrays

    def fits_norm(self, s: Step) -> bool:
        axis, keep = self._axis(s, list(s.args[1:]))
        k = self._kinds(s)[0]
        free = len(s.args) - len(s.keywords) == 2
        return free and is_array(k) and type(keep) is bool and (axis is None or type(axis) is int)

    def of_norm(self, s: Step, args: list[str], c: Cotangent) -> None:
        axis, keep = self._axis(s, args)
        x, y, g = self.primal(s, args[0]), self.value(s), c.text
        if not is_array(self.kinds[s.target]):
            self.put(f"if not {y} > 0.0: {self.given_up()}")
            self.give(args[0], f"{g} / {y} * {x}")
            return
        self.checked = self.singular = True
        n = axes(self.inferred.kind(args[0]))
        at = "" if keep else f"[{', '.join('None' if i == axis % n else ':' for i in range(n))}]"
        self.give(args[0], f"({self._whole_of(s, c)} / {y}){at} * {x}")

    def fits_prod(self, s: Step) -> bool:
        return self._bare_array(s)

    def of_prod(self, s: Step, args: list[str], c: Cotangent) -> None:
        self.put(f"if not {self.value(s)} * {self.value(s)} > 0.0: {self.given_up()}")
        self.give(args[0], f"{c.text} * {self.value(s)} / {self.primal(s, args[0])}")

    def fits_trace(self, s: Step) -> bool:
        return self._bare_array(s) and self._kinds(s) == ["a2"]

    def of_trace(self, s: Step, args: list[str], c: Cotangent) -> None:
        self.give(args[0], f"{c.text} * {self.bind(np.eye)}(*{self.primal(s, args[0])}.shape)")

    def fits_det(self, s: Step) -> bool:
        return self._kinds(s) == ["a2"]

    def of_det(self, s: Step, args: list[str], c: Cotangent) -> None:
        y = self.value(s)
        self.put(f"if not {y} * {y} > 0.0: {self.given_up()}")
        self.give(args[0], f"{c.text} * {y} * {self.bind(np.linalg.inv)}({self.primal(s, args[0])}).T")

    fits_slogdet = fits_det

    def of_slogdet(self, s: Step, args: list[str], c: Any) -> None:
        sign, size = targets(s)
        self.take(sign)
        found = self.take(size)
        if found is not None:
            inverse = f"{self.bind(np.linalg.inv)}({self.primal(s, args[0])}).T"
            self.give(args[0], f"{found.text} * {inverse}", minus=found.minus)

    def fits_solve(self, s: Step) -> bool:
        return not s.keywords and self._kinds(s) in (["a2", "a1"], ["a2", "a2"])

    def of_solve(self, s: Step, args: list[str], c: Cotangent) -> None:
        a, b = args
        solve, x = self.bind(np.linalg.solve), self.value(s)
        g = self.let(f"{solve}({self.primal(s, a)}.T, {self._whole_of(s, c)})")
        vector = axes(self.inferred.kind(b)) == 1
        self.give(a, f"{self.bind(np.outer)}({g}, {x})" if vector else f"{g} @ {x}.T", minus=True)
        self.give(b, g, fresh=False)

    def fits_inner(self, s: Step) -> bool:
        return not s.keywords and self._kinds(s) == ["a1", "a1"]

    def of_inner(self, s: Step, args: list[str], c: Cotangent) -> None:
        for a, b in (args, args[::-1]):
            if self.varied(a):
                self.give(a, f"{c.text} * {self.primal(s, b)}")

    def fits_variance(self, s: Step) -> bool:
        axis, keep = self._axis(s, list(s.args[s.op == "call" :]))
        return is_array(self._kinds(s)[0]) and type(keep) is bool and (axis is None or type(axis) is int)

    fits_deviation = fits_variance

    def of_variance(self, s: Step, args: list[str], c: Cotangent, deviation: str = "") -> None:
        axis, keep = self._axis(s, args)
        g = self._whole_of(s, c) if is_array(self.kinds[s.target]) else c.text
        given = f"{g}, {self.primal(s, args[0])}, {axis}, {keep}{deviation}"
        self.give(args[0], f"{self.bind(spread_back)}({given})")

    def of_deviation(self, s: Step, args: list[str], c: Cotangent) -> None:
        self.checked = self.singular = True
        y = self.value(s)
        if not is_array(self.kinds[s.target]):
            self.put(f"if not {y} > 0.0: {self.given_up()}")
        self.of_variance(s, args, c, f", {y}")

    def fits_least(self, s: Step) -> bool:
        if s.keywords:
            return False
        if self._of_list(s):
            return is_real(self.kinds[s.target]) and self.holds_numbers(s.args[1])
        return len(s.args) > 2 and all(is_real(k) or k == "i" for k in self._kinds(s))

    def _of_list(self, s: Step) -> bool:
        """Whether this is a call with one argument, a list."""
        return s.op == "call" and len(s.args) == 2 and self.inferred.kind(s.args[1]) == "L"

    def born(self, s: Step) -> None:
        if s.active and self._of_list(s) and self.planned(s) == "least":
            s.facts["place"] = self.asked(f"{s.args[1]}.index({s.target})")  # the first, as Python's
        super().born(s)

    def of_least(self, s: Step, args: list[str], c: Cotangent) -> None:
        if self._of_list(s):
            given = f"{s.kept['from'].use()}, {s.facts['place'].use()}, {'-' if self.minus else ''}{c.text}"
            self.put(f"{self.bind(slot)}({given})")
            return
        if len(args) > 2:
            given = ", ".join(self.primal(s, x) for x in args)
            which = self.let(f"({given}).index({self.value(s)})")
            for i, a in enumerate(args):
                self.give(a, f"({c.text} if {which} == {i} else 0.0)")
            return
        a, b = (self.primal(s, x) for x in args)
        sign = "<" if self.inferred.function(s) is min else ">"
        if self.varied(args[0]):
            self.give(args[0], f"(0.0 if {b} {sign} {a} else {c.text})")
        if self.varied(args[1]):
            self.give(args[1], f"({c.text} if {b} {sign} {a} else 0.0)")

    # arrays of arrays

    def fits_cumsum(self, s: Step) -> bool:
        axis = self._axis(s, list(s.args[s.op == "call" :]))[0]
        n = axes(self._kinds(s)[0])
        return "keepdims" not in s.keywords and (type(axis) is int or (axis is None and n == 1))

    def of_cumsum(self, s: Step, args: list[str], c: Cotangent) -> None:
        axis = self._axis(s, args)[0] or 0
        self.give(args[0], f"{self.bind(summed_back)}({self._whole_of(s, c)}, {axis})")

    def fits_diff(self, s: Step) -> bool:
        alone = len(s.args) == 2 + len(s.keywords) and s.keywords in ((), ("axis",))
        return alone and is_array(self._kinds(s)[0]) and type(self._along(s)) is int

    def _along(self, s: Step) -> Any:
        """The axis of differences."""
        axis = literal(s.args[-1]) if s.keywords else -1
        return axis % axes(self._kinds(s)[0]) if type(axis) is int else literal

    def of_diff(self, s: Step, args: list[str], c: Cotangent) -> None:
        self.give(args[0], f"{self.bind(undiffed)}({self._whole_of(s, c)}, {self._along(s)})")

    def fits_diag(self, s: Step) -> bool:
        return self._bare_array(s) and axes(self._kinds(s)[0]) in (1, 2)

    def of_diag(self, s: Step, args: list[str], c: Cotangent) -> None:
        g = self._whole_of(s, c)
        if axes(self.inferred.kind(args[0])) == 1:
            self.give(args[0], f"{g}.diagonal()", fresh=False)
        else:
            self.give(args[0], f"{self.bind(undiagonal)}({g}, {self.primal(s, args[0])}.shape)")

    def fits_swapped(self, s: Step) -> bool:
        return not s.keywords and self._kinds(s)[1:] == ["i", "i"]

    def of_swapped(self, s: Step, args: list[str], c: Cotangent) -> None:
        a, b = (self.primal(s, x) for x in args[1:])
        self.give(args[0], f"{self._whole_of(s, c)}.swapaxes({a}, {b})", fresh=False)

    fits_moved = fits_swapped

    def of_moved(self, s: Step, args: list[str], c: Cotangent) -> None:
        a, b = (self.primal(s, x) for x in args[1:])
        self.give(args[0], f"{self.bind(np.moveaxis)}({self._whole_of(s, c)}, {b}, {a})", fresh=False)

    def fits_flip(self, s: Step) -> bool:
        return self._bare_array(s) or self._are_ints(s, 1)

    def of_flip(self, s: Step, args: list[str], c: Cotangent) -> None:
        axis = literal(args[1]) if len(args) > 1 else None
        self.give(args[0], f"{self.bind(np.flip)}({self._whole_of(s, c)}, {axis})", fresh=False)

    def fits_broadcast(self, s: Step) -> bool:
        return not s.keywords and len(s.args) == 3 and is_array(self._kinds(s)[0])

    def of_broadcast(self, s: Step, args: list[str], c: Cotangent) -> None:
        g = self.let(self._whole_of(s, c))
        self.give(args[0], f"{self.bind(spread)}({g}, {self.primal(s, args[0])}, {g})", fresh=False)

    def fits_filled(self, s: Step) -> bool:
        return not s.keywords and len(s.args) == 3 and is_real(self._kinds(s)[1])

    def of_filled(self, s: Step, args: list[str], c: Cotangent) -> None:
        self.give(args[1], f"{self.bind(np.add.reduce)}({self._whole_of(s, c)}, axis=None)")

    def fits_clip(self, s: Step) -> bool:
        if s.keywords or len(self._kinds(s)) != 3 or not is_array(self._kinds(s)[0]):
            return False
        bounds = s.args[-2:]
        return not any(map(self.varied, bounds)) and all(
            k in ("i", "f", "d", "N") for k in self._kinds(s)[1:]
        )

    def of_clip(self, s: Step, args: list[str], c: Cotangent) -> None:
        x = self.primal(s, args[0])
        pairs = zip(("<", ">"), args[1:], strict=True)
        masks = [f"({x} {sign} {self.primal(s, b)})" for sign, b in pairs if b != "=None"]
        text = self._whole_of(s, c)
        self.give(args[0], f"{text} * ~({' | '.join(masks)})" if masks else text, fresh=bool(masks))

    def fits_where(self, s: Step) -> bool:
        k = self._kinds(s)
        return not s.keywords and len(k) == 3 and k[0][0] in "mb" and is_array(self.kinds[s.target])

    def of_where(self, s: Step, args: list[str], c: Cotangent) -> None:
        mask, g, y = self.primal(s, args[0]), self.let(self._whole_of(s, c)), self.value(s)
        where = self.bind(np.where)
        texts = f"{where}({mask}, {g}, 0.0)", f"{where}({mask}, 0.0, {g})"
        for a, text in zip(args[1:], texts, strict=True):
            if self.varied(a) and is_array(self.kinds[a]):
                self.give(a, f"{self.bind(spread)}({text}, {self.primal(s, a)}, {y})", fresh=False)
            elif self.varied(a):
                self.give(a, f"{self.bind(np.add.reduce)}({text}, axis=None)")

    # complex numbers

    def fits_parts(self, s: Step) -> bool:
        return not s.keywords and len(s.args) == 3 and all(is_real(k) or k == "i" for k in self._kinds(s))

    def of_parts(self, s: Step, args: list[str], c: Cotangent) -> None:
        self.give(args[0], f"({c.text}).real")
        self.give(args[1], f"({c.text}).imag")

    # sums of products

    def _letters(self, s: Step) -> Any:
        """The letters of each operand and of the result, where a cotangent is such a sum as well."""
        text = s.args[1][2:-1] if s.args[1][:1] == "=" and s.args[1][1:2] in "'\"" else ""
        given, arrow, made = text.replace(" ", "").partition("->")
        operands = given.split(",")
        if not arrow or s.keywords or len(operands) != len(s.args) - 2 or not "".join(operands).isalpha():
            return None
        if any(len(set(o)) < len(o) for o in (*operands, made)):
            return None
        for i, o in enumerate(operands):
            others = set(made).union(*operands[:i], *operands[i + 1 :])
            if not set(o) <= others:
                return None
        return operands, made

    def fits_einsum(self, s: Step) -> bool:
        return self._letters(s) is not None and all(map(axes, self._kinds(s)[1:]))

    def of_einsum(self, s: Step, args: list[str], c: Cotangent) -> None:
        operands, made = self._letters(s)
        g = self.let(self._whole_of(s, c) if is_array(self.kinds[s.target]) else c.text)
        for i, a in enumerate(args[1:]):
            if self.varied(a):
                letters = [made, *operands[:i], *operands[i + 1 :]]
                others = [self.primal(s, b) for j, b in enumerate(args[1:]) if j != i]
                rule = f"{','.join(letters)}->{operands[i]}"
                whole = self.let(f"{self.bind(np.einsum)}({rule!r}, {', '.join([g, *others])})")
                self.give(a, f"{self.bind(spread)}({whole}, {self.primal(s, a)}, {whole})", fresh=False)


WRITTEN: dict[Any, str] = {
    np.linalg.norm: "norm",
    np.prod: "prod",
    np.ndarray.prod: "prod",
    np.trace: "trace",
    np.ndarray.trace: "trace",
    np.linalg.det: "det",
    np.linalg.slogdet: "slogdet",
    np.linalg.solve: "solve",
    **dict.fromkeys((np.inner, np.vdot), "inner"),
    **dict.fromkeys((np.cumsum, np.ndarray.cumsum), "cumsum"),
    np.diff: "diff",
    np.diag: "diag",
    np.diagonal: "diag",
    np.swapaxes: "swapped",
    np.ndarray.swapaxes: "swapped",
    np.moveaxis: "moved",
    np.flip: "flip",
    np.broadcast_to: "broadcast",
    np.full: "filled",
    np.full_like: "filled",
    np.clip: "clip",
    np.ndarray.clip: "clip",
    np.einsum: "einsum",
    np.where: "where",
    complex: "parts",
    **dict.fromkeys((np.var, np.ndarray.var), "variance"),
    **dict.fromkeys((np.std, np.ndarray.std), "deviation"),
    min: "least",
    max: "least",
}
"""Which functions have a text here."""
