"""A pullback that `vjp` returned fails: shown is the line that it undoes, and the rule."""

import ctypes
import ctypes.util

import chainrules as cr

libm = ctypes.CDLL(ctypes.util.find_library("m"))
libm.cbrt.restype, libm.cbrt.argtypes = ctypes.c_double, [ctypes.c_double]
cr.scalar_rule(libm.cbrt, lambda y, x: 1.0 / (3.0 * y**2), signature="x")


def loss(x):
    y = libm.cbrt(x)
    return y * y


y, pullback = cr.vjp(loss, 0.0)
print(pullback(1.0))
