"""Systems as objects: made, converted, in discrete time; what is computed of them is in test_followed."""

import numpy as np
import pytest
from scipy import signal
from scipy.signal import StateSpace, TransferFunction, ZerosPolesGain, dlti, lti
from tests.rules.cases import case, normal

import chainrules as cr
from chainrules.testing import check_grads, check_rule

SS = (normal(2, 2), normal(2, 1, seed=1), normal(1, 2, seed=2), np.array([[0.3]]))
TF, ZPK = (np.array([0.7, 0.2]), np.array([2.0, 0.7, 0.4])), (np.array([-0.4]), np.array([-0.8, -1.3]), 1.3)
FORMS = {TransferFunction: TF, ZerosPolesGain: ZPK, StateSpace: SS}
T, W, U = np.linspace(0.0, 2.0, 5), np.array([0.2, 1.1]), normal(5, seed=3)
MANY = (normal(2, 2), normal(2, 2, seed=1), normal(1, 2, seed=2), normal(1, 2, seed=3))
CASES = [
    *(case(P, *arrays) for P, arrays in FORMS.items()),
    *(case(P, *arrays, dt=0.3) for P, arrays in FORMS.items()),
    *(case(lti, *arrays) for arrays in FORMS.values()),
    *(case(dlti, *arrays, dt=0.3) for arrays in FORMS.values()),
    case(TransferFunction, np.array([[0.3, 0.2], [0.1, 0.7]]), TF[1], why="two outputs"),
    *(case(P, Q(*FORMS[Q])) for P in FORMS for Q in FORMS),
    *(
        case(getattr(P, name), P(*FORMS[P], **time))
        for P in (TransferFunction, ZerosPolesGain)
        for name in ("to_tf", "to_zpk", "to_ss")
        for time in ({}, {"dt": 0.3})
    ),
    *(case(f, StateSpace(*MANY), input=1) for f in (StateSpace.to_tf, StateSpace.to_zpk)),
    case(StateSpace.to_ss, StateSpace(*SS)),
    *(
        case(type(P(*arrays)).to_discrete, P(*arrays), 0.3, "bilinear")
        for P, arrays in FORMS.items()
    ),
    *(case(getattr, P(*arrays), "poles") for P, arrays in FORMS.items() if P is ZerosPolesGain),
    *(case(getattr, P(*arrays, dt=0.3), "dt") for P, arrays in FORMS.items()),
    *(case(getattr, lti(*TF), name) for name in ("num", "den")),
    *(case(getattr, lti(*ZPK), name) for name in ("zeros", "gain")),
    *(case(getattr, lti(*SS), name) for name in "ABCD"),
    *(case(f, lti(*arrays), W) for f in (signal.bode, signal.freqresp) for arrays in FORMS.values()),
    *(case(f, dlti(*a, dt=0.3), W) for f in (signal.dbode, signal.dfreqresp) for a in FORMS.values()),
    case(signal.cont2discrete, lti(*SS), 0.3, "foh"),
    case(signal.impulse, lti(*SS), T=T),
    case(signal.step, lti(*TF), T=T),
    *(case(signal.dlsim, dlti(*arrays, dt=0.5), U) for arrays in FORMS.values()),
    case(signal.dimpulse, dlti(*SS, dt=0.5), n=4),
    case(signal.dstep, dlti(*TF, dt=0.5), n=4),
]  # fmt: skip


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
@pytest.mark.filterwarnings("ignore::scipy.signal.BadCoefficients")
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_second_derivatives_of_programs():
    check_grads(lambda b, a: signal.step(TransferFunction(b, a).to_ss(), T=T)[1], *TF)


def by_the_matrix(a):
    matrix = a * 1.0
    system = StateSpace(matrix, *SS[1:])
    matrix[0, 0] = matrix[0, 1] ** 2
    return system.A


def by_the_system(a):
    system = StateSpace(a * 1.0, *SS[1:])
    system.A[1, 0] = system.A[0, 0] * 2.0
    return system.A


@pytest.mark.parametrize("program", [by_the_matrix, by_the_system])
def test_a_change_of_an_array_that_a_system_holds_is_refused(program):
    for differentiate in (cr.jacobian, lambda f: lambda x: cr.jvp(f, (x,), (x,))):
        with pytest.raises(cr.AliasedMutationError, match="StateSpaceContinuous"):
            differentiate(program)(SS[0])


def test_discrete_and_continuous_systems_are_not_mistaken_for_one_another():
    """A discrete system of two polynomials holds three numbers, as zeros, poles and a gain are."""
    with pytest.raises(cr.UnsupportedArgument, match="TransferFunctionDiscrete"):
        cr.vjp(lambda b: signal.lsim(dlti(b, TF[1]), U, T)[1], TF[0])
    with pytest.raises(cr.UnsupportedArgument, match="TransferFunctionContinuous"):
        cr.vjp(lambda b: signal.dlsim(lti(b, TF[1]), U)[1], TF[0])
    with pytest.raises(TypeError, match="TransferFunctionDiscrete"):  # which SciPy says
        cr.vjp(lambda b: signal.cont2discrete(dlti(b, TF[1]), 0.3).num, TF[0])


def test_setting_what_a_system_holds_is_refused():
    def program(b):
        system = lti(b, TF[1])
        system.num = 2.0 * b
        return system.num

    with pytest.raises(cr.AliasedMutationError, match="`num`"):
        cr.vjp(program, TF[0])
