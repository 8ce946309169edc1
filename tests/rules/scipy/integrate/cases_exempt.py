"""Rules for SciPy's integrals that no case can show, each with the reason."""

from scipy import integrate

from chainrules.rules.scipy import results
from chainrules.rules.scipy.integrate.boxes import over_box
from chainrules.rules.scipy.integrate.flow import flow, pulled
from chainrules.rules.scipy.integrate.integral import integral
from chainrules.testing import exempt

EXEMPT = [
    *(
        exempt(f, why="right to the solver's tolerance alone; test_initial_values has programs")
        for f in (flow, pulled, integrate.solve_ivp, integrate.odeint)
    ),
    exempt(integrate.solve_bvp, why="returns an object with counts; test_boundary_values has programs"),
    exempt(integrate.nsum, why="its estimate of the error has no derivative; test_sums has programs"),
    exempt(integral, why="takes its value from others; test_quadrature has programs"),
    *(
        exempt(f, why="its estimate of the error has no derivative; test_quadrature has programs")
        for f in (integrate.quad, integrate.quad_vec, integrate.dblquad, integrate.nquad)
    ),
    exempt(results.with_attributes, why="takes what others found; test_boxes has programs"),
    exempt(integrate.tplquad, why="its estimate of the error has no derivative; test_triple has programs"),
    exempt(over_box, why="takes its value from others; test_boxes has programs"),
    *(
        exempt(f, why="the result has an estimate of the error without a derivative; test_boxes has programs")
        for f in (integrate.cubature, integrate.qmc_quad)
    ),
    exempt(
        integrate.tanhsinh, why="its estimate of the error has no derivative; test_elementwise has programs"
    ),
    exempt(integrate.fixed_quad, why="returns None beside its value; test_quadrature has programs"),
]
