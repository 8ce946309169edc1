"""Methods of arrays, lists and dicts, where a class in sight has methods of those names that change things.

The call may write, so far as its text tells, and does not. What it was given is changed afterwards: the
derivative is that of what it was at the call, in both modes and of second order, with and without the class.
"""

import importlib.util
from typing import Any

import numpy as np
import pytest

import chainrules as cr

X = np.array([0.3, 0.8, 0.55])
HEAD = (
    "import numpy as np\nM = np.arange(9.0).reshape(3, 3) / 7 + 1\ndef helper(a, w):\n    return a.dot(w)\n"
)
PROGRAMS = {
    "dot": "a = M * x; w = np.sin(x); m = a.dot(w); w[0] = 7.0; return (m * m).sum()",
    "dot_constant": "a = M * x; w = np.ones(3); m = a.dot(w); w[0] = 7.0; return (m * m).sum()",
    "dot_owner": "a = M * x; w = np.sin(x); m = a.dot(w); a[0] = 3.0; return (m * m + a * x).sum()",
    "dot_list": "a = M * x; w = [1.0, 2.0, 3.0]; m = a.dot(w); w.append(7.0); return (m * m).sum()",
    "dot_view": "a = M * x; w = np.arange(6.0); m = a.dot(w[::2]); w[0] = 7.0; return (m * m).sum()",
    "dot_star": "a = M * x; ws = [np.sin(x)]; m = a.dot(*ws); ws[0][0] = 7.0; return (m * m).sum()",
    "dot_bound": "a = M * x; g = a.dot; w = np.ones(3); m = g(w); w[0] = 7.0; return (m * m).sum()",
    "dot_helper": "a = M * x; w = np.ones(3); m = helper(a, w); w[0] = 7.0; return (m * m).sum()",
    "dot_part": "d = {'w': np.ones(3)}; m = (M * x).dot(d['w']); d['w'][0] = 7.0; return (m * m).sum()",
    "take": "a = x * x; i = np.array([0, 2, 1]); m = a.take(i); i[0] = 1; return (m * m).sum()",
    "take_list": "a = x * x; i = [0, 2, 1]; m = a.take(indices=i); i[0] = 1; return (m * m).sum()",
    "repeat": "a = x * x; r = np.array([1, 2, 1]); m = a.repeat(r); r[0] = 5; return (m * m).sum()",
    "compress": "a = x * x; r = [True, False, True]; m = a.compress(r); r[0] = False; return (m * m).sum()",
    "clip": (
        "a = x * x; hi = np.array([0.1, 9.0, 9.0]); m = a.clip(0.0, hi); hi[0] = 9.0; return (m * m).sum()"
    ),
    "prod": "a = x * x; m = a.prod(0); a[0] = 1.0; return (m * m + a).sum()",
    "cumprod": "a = x * x; m = a.cumprod(0); a[0] = 1.0; return (m * m + a).sum()",
    "var": "a = x * x; m = a.var(0); a[0] = 1.0; return (m * m + a).sum()",
    "astype": "a = x * x; m = a.astype(float); a[0] = 1.0; return (m * m + a).sum()",
    "astype_itself": (
        "a = x * x; m = a.astype(float, copy=False); q = m * m; a[0] = 9.0; return (q * m).sum()"
    ),
    "astype_back": "a = x * x; m = a.astype(float, copy=False); m[0] = 9.0; return (a * a * x).sum()",
    "astype_by_place": (
        "a = x * x; m = a.astype(float, 'K', 'unsafe', True, False); q = m * m; a[0] = 9.0; "
        "return (q * m).sum()"
    ),
    "astype_by_words": (
        "a = x * x; k = {'copy': False}; m = a.astype(float, **k); q = m * m; a[0] = 9.0; "
        "return (q * m).sum()"
    ),
    "append": "a = []; w = x * x; a.append(w); w[0] = 9.0; return (a[0] * a[0] * x).sum()",
    "extend": "a = []; w = [x * x]; a.extend(w); w[0] = 9.0 * x; return (a[0] * a[0] * w[0]).sum()",
    "pop": "a = [x, x * x]; w = a.pop(0); w = w * w; a[0][1] = 4.0; return (a[0] * a[0] * w).sum()",
    "index": "a = ['p', 'q']; m = a.index('q'); a[0] = 'q'; return (x ** (m + 2)).sum()",
    "copy_of_list": "a = [x * x, x * 2.0]; b = a.copy(); a[0][0] = 5.0; return (a[0] * b[0] * b[1]).sum()",
    "copy_of_dict": (
        "d = {'k': x * x, 'j': x * 3}; e = d.copy(); d['k'][0] = 9.0; d['j'] = x; "
        "return (e['k'] * e['j'] * d['j']).sum()"
    ),
    "get": "d = {'k': x * x}; w = d.get('k', x); m = w * x; w[0] = 9.0; return (d['k'] * m * w).sum()",
    "setdefault": (
        "d = {'k': x * x}; w = x * 2; m = d.setdefault('j', w); w[1] = 7.0; "
        "return (d['k'] * d['j'] * m).sum()"
    ),
    "update": (
        "d = {'k': x * x}; e = {'j': x}; d.update(e); e['j'] = 7 * x; return (d['k'] * d['j'] * e['j']).sum()"
    ),
}
INTO = {  # refused by name inside another derivative, where the class is in sight
    "dot": "w = np.ones(3); m = np.empty(3); (M * x).dot(w, out=m); w[0] = 7.0; return (m * m).sum()",
    "take": (
        "i = np.array([0, 2, 1]); m = np.empty(3); (x * x).take(i, out=m, mode='clip'); i[0] = 1; "
        "return (m * m).sum()"
    ),
    "clip": (
        "lo = x * 0.9; m = np.empty(3); (x * x).clip(lo, 9.0, out=m); lo[0] = 50.0; return (m * m * lo).sum()"
    ),
}
NAMES = sorted({k.partition("_")[0] for k in (*PROGRAMS, *INTO)})
WRITER = "".join(
    f"    def {n}(self, w=None, *more, **words):\n        w[0] = 5.0\n"
    "        self.z = w\n        return self\n"
    for n in NAMES
)


@pytest.fixture(scope="module")
def modules(tmp_path_factory: Any) -> dict[str, Any]:
    """The programs alone, and beside the class."""
    found: dict[str, Any] = {}
    for kind, more in (("alone", ""), ("in_sight", f"class Writer:\n{WRITER}")):
        path = tmp_path_factory.mktemp("names") / f"names_{kind}.py"
        programs = [(f"f_{k}", b) for k, b in PROGRAMS.items()] + [(f"into_{k}", b) for k, b in INTO.items()]
        lines = (f"def {k}(x):\n    " + b.replace("; ", "\n    ") + "\n" for k, b in programs)
        path.write_text(HEAD + more + "".join(lines))
        spec = importlib.util.spec_from_file_location(path.stem, path)
        assert spec is not None
        assert spec.loader is not None
        found[kind] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(found[kind])
    return found


def differences(f: Any, step: float) -> Any:
    return np.array([(f(X + step * e) - f(X - step * e)) / (2 * step) for e in np.eye(3)])


ORDERS = {
    "jacobian": lambda f: cr.jacobian(cr.grad(f))(X),
    "hessian": lambda f: cr.hessian(f)(X),
    "forward over reverse": lambda f: cr.jvp(cr.grad(f), (X,), (X,)),
    "reverse over forward": lambda f: cr.grad(lambda x: cr.jvp(f, (x,), (X,))[1])(X),
    "third order": lambda f: cr.jacobian(cr.hessian(f))(X),
}


def refused(f: Any, method: str) -> None:
    """That every way to differentiate it again is refused, and that the message has its four beats."""
    for way in ORDERS.values():
        with pytest.raises(cr.HigherOrderError) as caught:
            way(f)
        error = caught.value
        assert error.what.startswith(f"{method}, where a class has a method of that name"), error
        assert "changes more than the rule says, inside a derivative" in error.what
        assert error.where.startswith(f"at {f.__code__.co_filename}:"), error
        assert "out=" in error.where, error
        assert "without `out=`" in error.closest, error
        assert "differentiate once" in error.next, error


@pytest.mark.parametrize("kind", ["alone", "in_sight"])
@pytest.mark.parametrize("name", [*(f"f_{k}" for k in PROGRAMS), *(f"into_{k}" for k in INTO)])
def test_what_is_changed_after_a_method(modules: dict[str, Any], kind: str, name: str) -> None:
    f = getattr(modules[kind], name)
    expected = differences(f, 1e-6)
    np.testing.assert_allclose(cr.grad(f)(X), expected, rtol=1e-6, atol=1e-6)
    forward = [cr.jvp(f, (X,), (e,))[1] for e in np.eye(3)]
    np.testing.assert_allclose(forward, expected, rtol=1e-6, atol=1e-6)
    second = np.array(differences(lambda y: cr.grad(getattr(modules["alone"], name))(y), 1e-5))
    np.testing.assert_allclose(cr.jacobian(cr.grad(f))(X), second, rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(
        [cr.jvp(cr.grad(f), (X,), (e,))[1] for e in np.eye(3)], second, rtol=1e-5, atol=1e-5
    )
