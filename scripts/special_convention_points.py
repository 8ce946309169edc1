"""The points of `scipy.special` at which a derivative is a decision: poles, ends of domains, zeros, cuts.

Each is a function of a namespace, `scipy.special` or another engine's module of special functions, and of
numbers, as in `convention_points`, which takes these in.
"""

from __future__ import annotations

from functools import partial

from scripts.convention_point import INF, Point

row = partial(Point, part="special")

POLES = [
    row("gamma(x)", "x = 0", lambda special, x: special.gamma(x), (0.0,)),
    row("gamma(x)", "x = −1", lambda special, x: special.gamma(x), (-1.0,)),
    row("rgamma(x)", "x = −1", lambda special, x: special.rgamma(x), (-1.0,)),
    row("gammaln(x)", "x = 0", lambda special, x: special.gammaln(x), (0.0,)),
    row("gammaln(x)", "x = −1", lambda special, x: special.gammaln(x), (-1.0,)),
    row("digamma(x)", "x = 0", lambda special, x: special.digamma(x), (0.0,)),
    row("digamma(x)", "x = −1", lambda special, x: special.digamma(x), (-1.0,)),
    row("beta(a, b)", "a = 0, b = 2", lambda special, a, b: special.beta(a, b), (0.0, 2.0)),
    row("binom(n, k)", "n = 3, k = 4", lambda special, n, k: special.binom(n, k), (3.0, 4.0)),
    row("zeta(s, q)", "s = 1, q = 2", lambda special, s, q: special.zeta(s, q), (1.0, 2.0)),
    row("y0(x)", "x = 0", lambda special, x: special.y0(x), (0.0,)),
    row("k0(x)", "x = 0", lambda special, x: special.k0(x), (0.0,)),
    row("exp1(x)", "x = 0", lambda special, x: special.exp1(x), (0.0,)),
    row("expi(x)", "x = 0", lambda special, x: special.expi(x), (0.0,)),
    row("expn(2, x)", "x = 0", lambda special, x: special.expn(2, x), (0.0,)),
    row("sici(x)[1]", "x = 0", lambda special, x: special.sici(x)[1], (0.0,)),
    row("hyp2f1(1, 1, 3, x)", "x = 1", lambda special, x: special.hyp2f1(1.0, 1.0, 3.0, x), (1.0,)),
    row("hyp2f1(1, 1, 4, x)", "x = 1", lambda special, x: special.hyp2f1(1.0, 1.0, 4.0, x), (1.0,)),
]  # fmt: skip

ENDS = [
    row("logit(x)", "x = 0", lambda special, x: special.logit(x), (0.0,)),
    row("logit(x)", "x = 1", lambda special, x: special.logit(x), (1.0,)),
    row("ndtri(x)", "x = 0", lambda special, x: special.ndtri(x), (0.0,)),
    row("erfinv(x)", "x = 1", lambda special, x: special.erfinv(x), (1.0,)),
    row("erfcinv(x)", "x = 0", lambda special, x: special.erfcinv(x), (0.0,)),
    row("ndtr(x)", "x = −∞", lambda special, x: special.ndtr(x), (-INF,)),
    row("gammainc(a, x)", "a = 1/2, x = 0", lambda special, a, x: special.gammainc(a, x), (0.5, 0.0)),
    row("gammainc(a, x)", "a = 1, x = 0", lambda special, a, x: special.gammainc(a, x), (1.0, 0.0)),
    row("gammainc(a, x)", "a = 2, x = 0", lambda special, a, x: special.gammainc(a, x), (2.0, 0.0)),
    row("betainc(1, 2, x)", "x = 0", lambda special, x: special.betainc(1.0, 2.0, x), (0.0,)),
    row("betainc(1, 1/2, x)", "x = 1", lambda special, x: special.betainc(1.0, 0.5, x), (1.0,)),
    row("ellipk(m)", "m = 1", lambda special, m: special.ellipk(m), (1.0,)),
    row("ellipe(m)", "m = 1", lambda special, m: special.ellipe(m), (1.0,)),
    row("ellipkinc(φ, m)", "φ = 1, m = 1", lambda special, p, m: special.ellipkinc(p, m), (1.0, 1.0)),
    row("spence(x)", "x = 0", lambda special, x: special.spence(x), (0.0,)),
    row("eval_legendre(5/2, x)", "x = −1", lambda special, x: special.eval_legendre(2.5, x), (-1.0,)),
    row("jv(v, x)", "v = 1/2, x = 0", lambda special, v, x: special.jv(v, x), (0.5, 0.0)),
    row("jv(v, 0)", "v = 0", lambda special, v: special.jv(v, 0.0), (0.0,), forward="NotDifferentiableError"),
    row("elliprf(x, y, z)", "x = 0, y = 1, z = 2", lambda special, x, y, z: special.elliprf(x, y, z),
        (0.0, 1.0, 2.0)),
]  # fmt: skip

ZEROS = [
    row("xlogy(x, y)", "x = 0, y = 1/2", lambda special, x, y: special.xlogy(x, y), (0.0, 0.5)),
    row("xlogy(x, y)", "x = y = 0", lambda special, x, y: special.xlogy(x, y), (0.0, 0.0)),
    row("xlog1py(x, y)", "x = 0, y = −1", lambda special, x, y: special.xlog1py(x, y), (0.0, -1.0)),
    row("entr(x)", "x = 0", lambda special, x: special.entr(x), (0.0,)),
    row("rel_entr(x, y)", "x = y = 0", lambda special, x, y: special.rel_entr(x, y), (0.0, 0.0)),
    row("kl_div(x, y)", "x = 0, y = 1", lambda special, x, y: special.kl_div(x, y), (0.0, 1.0)),
    row("boxcox(x, p)", "x = 2, p = 0", lambda special, x, p: special.boxcox(x, p), (2.0, 0.0)),
    row("exprel(x)", "x = 0", lambda special, x: special.exprel(x), (0.0,)),
    row("spence(x)", "x = 1", lambda special, x: special.spence(x), (1.0,)),
    row("i0e(x)", "x = 0", lambda special, x: special.i0e(x), (0.0,)),
    row("i1e(x)", "x = 0", lambda special, x: special.i1e(x), (0.0,)),
    row("j1(x)", "x = 0", lambda special, x: special.j1(x), (0.0,)),
    row("spherical_jn(1, x)", "x = 0", lambda special, x: special.spherical_jn(1, x), (0.0,)),
    row("owens_t(h, a)", "h = a = 0", lambda special, h, a: special.owens_t(h, a), (0.0, 0.0)),
    row("voigt_profile(x, σ, γ)", "x = 1, σ = 0, γ = 1",
        lambda special, x, s, g: special.voigt_profile(x, s, g), (1.0, 0.0, 1.0)),
    row("lambertw(x).real", "x = 0", lambda special, x: special.lambertw(x).real, (0.0,)),
    row("ellipk(m)", "m = 0", lambda special, m: special.ellipk(m), (0.0,)),
    row("elliprd(x, y, z)", "x = y = z = 1", lambda special, x, y, z: special.elliprd(x, y, z),
        (1.0, 1.0, 1.0)),
    row("kolmogorov(x)", "x = 0", lambda special, x: special.kolmogorov(x), (0.0,)),
    row("huber(d, r)", "d = r = 1", lambda special, d, r: special.huber(d, r), (1.0, 1.0)),
    row("pdtr(k, m)", "k = 2, m = 1", lambda special, k, m: special.pdtr(k, m), (2.0, 1.0)),
    row("logsumexp(x)", "x = (−∞, −∞)", lambda special, x: special.logsumexp(x), ([-INF, -INF],),
        lambda special, x: special.logsumexp(x, 0)),
    row("logsumexp(x)", "x = (∞, 0)", lambda special, x: special.logsumexp(x), ([INF, 0.0],),
        lambda special, x: special.logsumexp(x, 0)),
]  # fmt: skip

CUTS = [
    row("spence(x + 0j).imag", "x = −1", lambda special, x: special.spence(x + 0j).imag, (-1.0,)),
    row("spence(x − 0j).imag", "x = −1",
        lambda special, x: special.spence((x + 0j).conjugate()).imag, (-1.0,)),
    row("lambertw(x + 0j).imag", "x = −1", lambda special, x: special.lambertw(x + 0j).imag, (-1.0,)),
    row("lambertw(x − 0j).imag", "x = −1",
        lambda special, x: special.lambertw((x + 0j).conjugate()).imag, (-1.0,)),
    row("hyp2f1(1, 1, 2, x + 0j).imag", "x = 2",
        lambda special, x: special.hyp2f1(1.0, 1.0, 2.0, x + 0j).imag, (2.0,)),
    row("hyp2f1(1, 1, 2, x − 0j).imag", "x = 2",
        lambda special, x: special.hyp2f1(1.0, 1.0, 2.0, (x + 0j).conjugate()).imag, (2.0,)),
    row("kv(0, x + 0j).imag", "x = −1", lambda special, x: special.kv(0.0, x + 0j).imag, (-1.0,)),
    row("kv(0, x − 0j).imag", "x = −1",
        lambda special, x: special.kv(0.0, (x + 0j).conjugate()).imag, (-1.0,)),
    row("jv(1/2, x + 0j).imag", "x = −1", lambda special, x: special.jv(0.5, x + 0j).imag, (-1.0,)),
    row("hankel1(0, x + 0j).imag", "x = −1",
        lambda special, x: special.hankel1(0.0, x + 0j).imag, (-1.0,)),
    row("loggamma(x + 0j).real", "x = −1.5", lambda special, x: special.loggamma(x + 0j).real, (-1.5,)),
    row("exp1(x + 0j).real", "x = −1", lambda special, x: special.exp1(x + 0j).real, (-1.0,)),
    row("kv(1/2, x)", "x = −1", lambda special, x: special.kv(0.5, x), (-1.0,)),
    row("jv(v, −1)", "v = 1", lambda special, v: special.jv(v, -1.0), (1.0,),
        forward="NotDifferentiableError"),
]  # fmt: skip

SPECIAL_GROUPS = {
    "Special functions: poles and singularities": POLES,
    "Special functions: ends of the domain": ENDS,
    "Special functions: zeros and removable points": ZEROS,
    "Special functions: branch cuts": CUTS,
}
