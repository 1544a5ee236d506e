"""Two fingers drag a cube over a floor: what the solvers of rigid laws may differ by, and why raisim drifts (docs/compare.md)."""

import numpy as np
import pytest

import stiction

# The cube weighs 4.9 N and each finger presses with 20 N; the hand is driven along x.
GRASP = """<mujoco><option timestep="0.002"/><worldbody>
<geom name="floor" type="plane" size="5 5 1" friction="0.5"/>
<body name="cube" pos="0 0 0.03"><freejoint name="free"/>{inertial}
<geom name="cube" type="box" size=".03 .03 .03" mass="0.5" friction="0.5"/></body>
<body name="hand" pos="0 0 0.03"><joint name="drag" type="slide" axis="1 0 0"/>
<geom type="sphere" size=".01" mass="1" pos="0 0 .2" contype="0" conaffinity="0"/>
<body name="first" pos="0 {side} 0"><joint name="a" type="slide" axis="0 {inwards} 0"/>
<geom name="first" type="box" size=".015 .01 .015" mass="0.1" friction="1"/></body>
<body name="second" pos="0 {other_side} 0"><joint name="b" type="slide" axis="0 {outwards} 0"/>
<geom name="second" type="box" size=".015 .01 .015" mass="0.1" friction="1"/></body></body></worldbody>
<contact><pair geom1="first" geom2="cube" friction="1 1 .005 .0001 .0001"/>
<pair geom1="second" geom2="cube" friction="1 1 .005 .0001 .0001"/></contact>
<actuator><velocity joint="drag" kv="2000"/><motor joint="a"/><motor joint="b"/></actuator></mujoco>"""


def grasp(formulation, first_is_left=True, inertia=None):
    """A world; the fingers are mirrored where the first one is the right one."""
    sign = 1 if first_is_left else -1
    inertial = "" if inertia is None else f'<inertial pos="0 0 0" mass="0.5" diaginertia="{inertia} {inertia} {inertia}"/>'
    text = GRASP.format(side=0.045 * sign, other_side=-0.045 * sign, inwards=-sign, outwards=sign, inertial=inertial)
    world = stiction.World(stiction.parse(text), formulation=formulation)
    world.controls = [0.2, 20.0, 20.0]
    return world


def test_solvers_of_one_law_share_loads_in_other_ways_and_all_obey_the_law():
    floor, way = {}, {}
    for solver in ("admm", "semismooth_newton"):
        world = grasp(f"coulomb_ncp+{solver}")
        world.options.formulation.certifies = True
        loads = []
        for _ in range(100):
            report = world.step()
            assert report.status == "done"
            assert report.certificate.dual.law.relative < 1e-4
            loads.append(world.contact_force("cube", "world")[2])
            # Whoever carries it, the cube is carried.
            if len(loads) > 50:
                assert world.contact_force("cube")[2] == pytest.approx(0.5 * 9.81, rel=1e-3)
        floor[solver], way[solver] = np.mean(loads[50:]), world.body("cube").pose.p
    # More impulses than motions: which fingers press it down is not determined, and friction of the floor follows from it.
    assert abs(floor["admm"] - floor["semismooth_newton"]) > 0.5
    assert abs(way["admm"][0] - way["semismooth_newton"][0]) > 5e-5
    for p in way.values():
        assert abs(p[1]) < 1e-7


def test_raisim_pushes_a_symmetric_grasp_aside_unless_nothing_couples():
    def side(**how):
        world = grasp("raisim", **how)
        iterations = 0
        for _ in range(100):
            iterations += world.step().contact.iterations
        return world.body("cube").pose.p[1], iterations / 100

    left, many = side()
    right, _ = side(first_is_left=False)
    # Nothing but the order in which sweeps take the contacts tells the sides apart.
    assert abs(left) > 1e-3 and abs(left - right) > 1e-3 and many > 100
    # Friction is turned by the part of the mobility that couples normal and tangential motion. A cube that hardly turns has
    # none, and nothing drifts or cycles.
    still, few = side(inertia=1e6)
    assert abs(still) < 1e-7 and few < 5
