"""Resolver: what can be told of a function's calls before it runs.

A global name such as `np.argmax` or `len` is taken for what it is now.
"""

from __future__ import annotations

import ast
import builtins
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from inspect import getattr_static
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

import numpy as np

from ....core.callables import call_operator, unbind
from ....core.changes import changes_first
from ....core.registry import rules_of
from ..syntax.codes import ByCode
from ..syntax.scopes import base
from .callees import JOINING, WRITING, functions_run, may_pass_on, only_computes
from .passed import ITSELF, at_places, given_to, mutated, slots_changed

# fmt: off
CHANGING = frozenset((
    "__delitem__", "__iadd__", "__iand__", "__ifloordiv__", "__imatmul__", "__imod__", "__imul__", "__ior__",
    "__ipow__", "__isub__", "__itruediv__", "__ixor__", "__setitem__", "add", "append", "appendleft",
    "byteswap", "clear", "difference_update", "discard", "eliminate_zeros", "extend",
    "extendleft", "fill", "insert", "intersection_update", "itemset", "move_to_end", "partition", "pop",
    "popitem", "popleft", "put", "remove", "resize", "reverse", "rotate", "setdefault", "setdiag", "setfield",
    "sort", "sort_indices", "subtract", "sum_duplicates", "update",
))
# fmt: on
"""Methods that change their object."""

# fmt: off
VIEWS = frozenset((
    "array_split", "as_strided", "asanyarray", "asarray", "ascontiguousarray", "asfortranarray",
    "atleast_1d", "atleast_2d", "atleast_3d", "broadcast_arrays", "broadcast_to", "diag", "diagonal",
    "dsplit", "einsum", "expand_dims", "flip", "fliplr", "flipud", "frombuffer", "getattr", "hsplit", "imag",
    "itemgetter", "attrgetter", "getitem", "matrix_transpose", "meshgrid", "moveaxis", "nan_to_num",
    "permute_dims", "ravel", "real", "real_if_close", "require", "reshape", "rollaxis", "rot90",
    "sliding_window_view", "split", "squeeze", "swapaxes", "transpose", "trim_zeros", "unstack", "vsplit",
))
"""Functions of NumPy and of `operator` whose result may share memory with what they are given."""

HARMLESS = frozenset((
    "all", "any", "argmax", "argmin", "argsort", "astype", "clip", "compress",
    "copy", "cumprod", "cumsum", "dot", "flatten", "item", "keys", "max", "mean", "min", "nonzero",
    "prod", "ptp", "repeat", "round", "searchsorted", "std", "sum", "take", "tobytes", "tolist",
    "trace", "var", "format", "join", "split", "strip", "lower", "upper", "startswith", "endswith",
    "count", "index",
))
"""Methods of arrays and text that keep nothing and return something new."""
# fmt: on

_KNOWN = HARMLESS | CHANGING
_MAKING = HARMLESS - {"copy"}
"""Those whose result holds nothing of theirs: the copy of a list holds its items."""

SETTERS: ByCode[bool] = ByCode()
"""The functions that set properties, which reading the property does not give."""
OF_CONTAINERS = frozenset(n for P in (np.ndarray, list, dict, str, set, deque) for n in dir(P))
_FRESH_BUILTINS: tuple[Any, ...] = (
    *(abs, all, any, complex, float, int, len, pow),
    *(range, round, str, bool, sum, divmod),
)
_FRESH_CLASSES: tuple[Any, ...] = (float, int, complex, str, bool, range, bytes, np.ndindex)


_WRITTEN = (FunctionType, type)


def _is_none(e: ast.expr) -> bool:
    return isinstance(e, ast.Constant) and e.value is None


class Resolver:
    """What a global expression such as `np.argmax` or `len` means, where it can be told before running."""

    def __init__(
        self,
        namespace: Mapping[str, Any],
        local: Iterable[str],
        load: Callable[[Iterable[Any]], bool],
        writes: Callable[[FunctionType], frozenset[int]] = lambda f: frozenset(),
        methods: Callable[[str, Any], Iterable[FunctionType]] = lambda name, resolver: (),
        deeply: Callable[[FunctionType], bool] = lambda f: True,
    ) -> None:
        self.deeply = deeply
        self.words = " "  # the name of `**kwargs`
        self.own: tuple[str, type] = "", object  # of a method, the name of its object and the class
        self.defined: dict[str, tuple[int, ...]] = {}  # local functions, and what they change
        self.cells: dict[str, FunctionType] = {}  # functions that this one captured
        self.imported: dict[str, Any] = {}  # what its own imports bind
        self.made: dict[str, type] = {}  # the classes of what it makes
        self.held: frozenset[int] = frozenset()  # at which places functions that are values change something
        self.writes = writes
        self.methods = methods
        self.namespace = namespace
        self.local = frozenset(local)
        self._load = load
        self._loaded: dict[int, Any] = {}
        self._computing: dict[ast.Call, bool] = {}
        self._known: dict[ast.expr, tuple[bool, Any]] = {}
        self.changing: dict[ast.Call, list[ast.expr]] = {}  # what calls change, once callees are known
        self._by_rule: dict[ast.Call, list[ast.expr]] = {}  # the same, as far as rules say it
        self.is_held: Callable[[ast.expr], bool] = lambda e: False  # see held
        self._values: dict[str, frozenset[str]] = {}
        self.containers: frozenset[str] = frozenset()
        self.floats: frozenset[str] = frozenset()
        self.shared: dict[ast.expr, frozenset[str]] = {}  # see sharing

    def computes(self, call: ast.Call) -> bool:
        """Whether a call is known to give a value and to do nothing else, as `np.exp(x)` does."""
        known = self._computing.get(call)
        if known is None:
            found, f = self.value(call.func)
            words = tuple([k.arg for k in call.keywords])
            plain = found and None not in words and ast.Starred not in map(type, call.args)
            plain = plain and not functions_run(call)
            known = plain and only_computes(f, len(call.args), words, self.load)  # type: ignore[arg-type]  # no None
            self._computing[call] = known
        return known

    def is_inert(self, function: ast.expr) -> bool:
        """Whether this callee is declared non-differentiable."""
        found, value = self.value(function)
        if not found or not callable(value) or not base(function).isdisjoint(self.imported):
            return False
        self.load(value)
        rules = rules_of(value)
        return value is int or (rules is not None and rules.non_differentiable is not None)

    def load(self, value: Any) -> None:
        """See to it that the rules of what is called are there."""
        if id(value) not in self._loaded:
            self._loaded[id(value)] = value
            self._load((value,))

    def changed(self, call: ast.Call) -> list[ast.expr]:
        """What a call changes in place: by the names that Python and NumPy use, or by a function's source."""
        known = self.changing.get(call)
        if known is None:
            known = self.changing[call] = [] if self.computes(call) else self._changed(call)
        return known

    def _changed(self, call: ast.Call) -> list[ast.expr]:
        found = [k.value for k in call.keywords if k.arg == "out" and not _is_none(k.value)]
        known, value = self.value(call.func)
        if isinstance(value, FunctionType | type):
            self.load(value)  # what of a library has rules changes what these say
        by_code = isinstance(value, type) and rules_of(value) is None
        if by_code:
            init = getattr(value, "__init__", None)
            if isinstance(init, FunctionType):
                found += given_to(call, init, {i for i in self.writes(init) if i}, 1)
            if self._calls_change(value):  # as if the object were called
                found += [*call.args, *(k.value for k in call.keywords)]
        elif isinstance(value, FunctionType) and rules_of(value) is None:
            found += given_to(call, value, self.writes(value), 0)
        elif known and self._changes_first(value):
            found += call.args[:1]
        elif isinstance(call.func, ast.Name) and call.func.id in self.defined:
            found += at_places(call, self.defined[call.func.id])
        elif isinstance(call.func, ast.Name) and call.func.id in self.cells:
            inner = self.cells[call.func.id]
            by_source = rules_of(inner) is None
            found += (
                given_to(call, inner, self.writes(inner), 0) if by_source else self._by_rules(call, inner)
            )
        elif isinstance(call.func, ast.Attribute):
            owner = self.value(call.func.value)[1]
            if isinstance(value, np.ufunc):
                found += call.args[value.nin :]
            elif isinstance(owner, ModuleType | np.ufunc):
                found += call.args[:1] if call.func.attr in WRITING else []
            elif not known:
                found += self._by_method(call, call.func)
        if known and self._is_of_a_changer(value):
            found.append(call.func)
        if self.held and known and any(map(self.is_held, functions_run(call))):
            found += call.args
        if self.is_of_a_value(call):
            found += [call.func] * (ITSELF in self.held) + at_places(call, self.held - {ITSELF})
            found += [k.value for k in call.keywords] if self.held - {ITSELF} else []
        return found if not known or by_code else found + self._by_rules(call, value)

    def _is_of_a_changer(self, value: Any) -> bool:
        """Whether an object of the module is called that changes itself by that."""
        method = call_operator(value)
        return type(method) is FunctionType and not rules_of(method) and 0 in self.writes(method)

    def _calls_change(self, P: type) -> bool:
        """Whether calling an object of P changes it."""
        call = getattr(P, "__call__", None)  # noqa: B004  # the method is wanted, not whether there is one
        return isinstance(call, FunctionType) and not rules_of(call) and 0 in self.writes(call)

    def changes_itself(self, e: ast.Attribute) -> bool:
        """Whether reading an attribute may change its object, or it is a method that does."""
        methods = () if self.value(e)[0] or not isinstance(e.ctx, ast.Load) else self.methods_of(e)
        return any(m.__code__ not in SETTERS and 0 in self.writes(m) for m in methods)

    def is_of_a_value(self, call: ast.Call) -> bool:
        """Whether what is called may be a function that something holds, which changes what it is given."""
        f = call.func
        if not self.held or self.value(f)[0]:
            return False
        if isinstance(f, ast.Name):
            return not (f.id in self.defined or f.id in self.cells)
        if isinstance(f, ast.Attribute):
            return f.attr not in OF_CONTAINERS and not any(True for _ in self.methods_of(f))
        return True

    def _by_rules(self, call: ast.Call, value: Any) -> list[ast.expr]:
        """What a call changes by the rules of what is called, which say what they mutate."""
        known = self._by_rule.get(call)
        if known is None:
            known = self._by_rule[call] = self._changed_by_rules(call, value)
        return known

    def _changed_by_rules(self, call: ast.Call, value: Any) -> list[ast.expr]:
        bound = unbind(value)
        self.load(value)
        rules = rules_of(value if bound is None else bound[0])
        if rules is None:
            return []
        before = int(bound is not None)
        words = tuple([k.arg for k in call.keywords if k.arg is not None])
        if len(words) < len(call.keywords) or any(type(a) is ast.Starred for a in call.args):
            return call.args[:1] if before in mutated(rules) and rules.split is not None else []
        form = rules, before + len(call.args), words
        slots = slots_changed(*form)
        if not slots:
            return []
        values = [*call.args, *(k.value for k in call.keywords)]
        return [values[slot - before] for slot in slots if slot >= before]

    def put_into(self, call: ast.Call) -> ast.expr | None:
        """What may hold, after a call that changes it, what else the call was given; None for other calls."""
        if self.computes(call):
            return None
        if call.args and self._changes_first(self.value(call.func)[1]):
            return call.args[0]
        return call.func.value if isinstance(call.func, ast.Attribute) and self.changed(call) else None

    def _changes_first(self, value: Any) -> bool:
        """Whether a function of Python's library changes its first argument, by a rule that says so."""
        if not isinstance(value, BuiltinFunctionType):
            return False
        self.load(value)
        return changes_first(value)

    def is_deep(self, call: ast.Call) -> bool:
        """Whether a call may change what is inside the objects that it changes, not themselves alone."""
        if any(isinstance(a, ast.Starred) for a in call.args) or any(k.arg is None for k in call.keywords):
            return True
        inside = any(f is None or self.deeply(f) for f in self.python(call))
        changer = self._is_of_a_changer(self.value(call.func)[1])
        return inside or changer or self.is_of_a_value(call) or bool(functions_run(call))

    def methods_of(self, e: ast.Attribute) -> Iterable[FunctionType]:
        """The methods that may be meant; none of the function's `**kwargs`, which is a dict."""
        name = getattr(e.value, "id", "")
        own = getattr_static(self.made.get(name), e.attr, None)  # a descriptor is not asked
        known = (own,) if type(own) is FunctionType else self.methods(e.attr, self)
        return () if name == self.words else known

    def python(self, call: ast.Call) -> Iterable[FunctionType | None]:
        """The functions written in Python that a call may call; None for those not looked into."""
        value = self.value(call.func)[1]
        if isinstance(call.func, ast.Name) and (call.func.id in self.defined or call.func.id in self.cells):
            return (None,)
        if isinstance(call.func, ast.Attribute) and not isinstance(value, _WRITTEN):
            return self.methods_of(call.func)
        if isinstance(value, FunctionType):
            return (value,)
        return (None,) if isinstance(value, type) else ()

    def _by_method(self, call: ast.Call, f: Any) -> list[ast.expr]:
        found = [f.value] if f.attr in CHANGING else []
        for method in self.methods_of(f):
            positions = self.writes(method)
            found += [f.value] if 0 in positions else []
            found += given_to(call, method, {i for i in positions if i}, 1)
        return found

    def may_hold(self, call: ast.Call) -> bool:
        """Whether, after a call, one of its arguments may hold another of them."""
        found, value = self.value(call.func)
        if found and not isinstance(value, _WRITTEN):
            return False
        if isinstance(call.func, ast.Attribute) and isinstance(self.value(call.func.value)[1], np.ufunc):
            return False
        if isinstance(call.func, ast.Attribute) and call.func.attr in _KNOWN:
            return any(True for _ in self.python(call)) and (not found or bool(self.changed(call)))
        return not found or bool(self.changed(call))

    def is_fresh(self, call: ast.Call) -> bool:
        """Whether what a call returns shares memory with nothing that it was given."""
        found, value = self.value(call.func)
        if any(k.arg in ("copy", "out") for k in call.keywords) or may_pass_on(call):
            return False
        if found and not self.computes(call) and self._by_rules(call, value):
            return False
        if found:
            if isinstance(value, np.ufunc) or value in _FRESH_BUILTINS:
                return True
            library = (getattr(value, "__module__", "") or "").partition(".")[0]
            if isinstance(value, type) or (isinstance(value, FunctionType) and library != "numpy"):
                return value in _FRESH_CLASSES
            known = library in ("numpy", "math", "_operator")
            return known and getattr(value, "__name__", "") not in VIEWS and value not in JOINING
        if not isinstance(call.func, ast.Attribute) or call.func.attr not in _MAKING:
            return False
        return not any(True for _ in self.methods_of(call.func))  # a class of the user's has another

    def is_local(self, name: str) -> bool:
        """Whether a name is a variable of the function, or of one around it."""
        return name in self.local

    def is_value(self, name: str) -> bool:
        """Whether a name may stand for data: it is not a module, class or function as far as can be told."""
        _, value = self._named(name)
        return not (isinstance(value, ModuleType) or callable(value))

    def as_value(self, name: str) -> frozenset[str]:
        """The name, if it may stand for data."""
        found = self._values.get(name)
        if found is None:
            found = self._values[name] = frozenset((name,) if self.is_value(name) else ())
        return found

    def _named(self, name: str) -> tuple[bool, Any]:
        if name in self.local:
            return name in self.imported, self.imported.get(name)
        if name in self.namespace:
            return True, self.namespace[name]
        return hasattr(builtins, name), getattr(builtins, name, None)

    def value(self, node: ast.expr) -> tuple[bool, Any]:
        """Whether it is known what an expression stands for, and that."""
        if type(node) is ast.Name:
            return self._named(node.id)
        known = self._known.get(node)
        if known is None:
            known = self._known[node] = self._attribute(node)
        return known

    def _attribute(self, node: ast.expr) -> tuple[bool, Any]:
        if isinstance(node, ast.Attribute):
            found, owner = self.value(node.value)
            if found and type(owner).__name__ in ("module", "type"):
                return hasattr(owner, node.attr), getattr(owner, node.attr, None)
        return False, None
