"""A function of a C library that nobody wrote a rule for."""

import ctypes
import ctypes.util

import chainrules as cr

libm = ctypes.CDLL(ctypes.util.find_library("m"))
libm.cbrt.restype, libm.cbrt.argtypes = ctypes.c_double, [ctypes.c_double]


def loss(x):
    return libm.cbrt(x) ** 2


print(cr.grad(loss)(2.0))
