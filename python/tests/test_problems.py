"""Contact problems alone."""

import pickle
import re

import numpy as np
import pytest

import stiction


RIGID_LAWS = {name for name, _ in stiction.laws("rigid")}


@pytest.fixture
def problem(slope):
    """That of a cube that lies on a floor."""
    world = stiction.World(slope(0.0, 0.5))
    world.simulate(0.5)
    return world.saved_problem()


def test_the_impulses_of_a_cube_at_rest_carry_it(problem):
    solved = problem.solve()
    # m g h
    np.testing.assert_allclose(solved.impulses.sum(axis=0), [0, 0, 9.81 * problem.h], atol=1e-6)
    assert solved.formulation == problem.formulation == "icf_lagged+newton" and solved.report.status == "converged"
    assert solved.residual.momentum.relative < 1e-5 and "relative" in repr(solved.residual.momentum)
    assert np.abs(solved.v).max() < 1e-3 and solved.row_impulses == [] and np.all(solved.moments == 0.0)
    assert (problem.num_points, problem.num_rows, problem.num_trees) == (4, 0, 1)
    assert problem.v_free[5] == pytest.approx(-9.81 * problem.h, rel=1e-3) and np.all(problem.distances < 0.0)


@pytest.mark.parametrize("formulation", [f for f in stiction.formulations() if not f.startswith("geometric")])
def test_every_formulation_solves_it(problem, formulation):
    solved = problem.solve(formulation)
    assert solved.formulation == formulation and solved.report.status in ("converged", "round_off")
    # Compliant laws carry the weight as it stands; rigid ones take penetration_recovery of the overlap back within
    # the step, of which the regularised cones of Newton's method reach a share.
    weight = 9.81 * problem.h
    pushed = weight + 0.2 * -problem.distances.min() / problem.h
    impulse = solved.impulses.sum(axis=0)[2]
    if formulation.startswith("convex_cone+newton"):
        assert weight < impulse < pushed
    else:
        is_rigid = formulation.split("+")[0] in RIGID_LAWS
        assert impulse == pytest.approx(pushed if is_rigid else weight, rel=1e-5)
    assert [island.status for island in solved.islands] == [solved.report.status]
    island = solved.islands[0]
    assert island.dropped_stabilisation == solved.report.dropped_stabilisation == 0 == island.regularisation


def test_options_of_a_solver_count(problem):
    formulation = stiction.Formulation(contact=stiction.ContactOptions(formulation="coulomb_ncp+pgs"))
    formulation.dual.max_iterations = 1
    formulation.dual.tolerance = 1e-300
    assert problem.solve(formulation).report.status != "converged"
    with pytest.raises(stiction.UserError, match="facets"):
        formulation.dual.facets = 3


def test_a_problem_is_saved_and_loaded_bit_for_bit(problem, tmp_path):
    stiction.save_problem(problem, tmp_path / "p.json")
    for twin in (
        stiction.load_problem(tmp_path / "p.json"),
        stiction.SavedProblem.from_json(problem.to_json()),
        pickle.loads(pickle.dumps(problem)),
    ):
        assert twin.to_json() == problem.to_json()
        np.testing.assert_array_equal(twin.solve().v, problem.solve().v)


# A particle of 1 kg that comes down at 1 m/s and slides at 2 m/s: r_n = 1 N s stops it, friction takes mu r_n.
PARTICLE = {"W": np.eye(3), "q": [-1.0, 2.0, 0.0], "friction": [0.5]}


@pytest.mark.parametrize("formulation", [f for f in stiction.formulations() if f.startswith("coulomb_ncp")])
def test_a_particle_slides_on_with_coulombs_friction(formulation):
    solved = stiction.Fc3dProblem(**PARTICLE).solve(formulation)
    assert solved.formulation == formulation and solved.report.status == "converged"
    # The tolerance of the solvers is 1e-6 of the free velocity.
    np.testing.assert_allclose(solved.r, [[1.0, -0.5, 0.0]], atol=1e-5)
    np.testing.assert_allclose(solved.u, [[0.0, 1.5, 0.0]], atol=1e-5)
    assert solved.residual.natural_map.relative < 1e-5 and solved.report.iterations >= 1


def test_problems_of_collections_are_saved_and_loaded_bit_for_bit(tmp_path):
    problem = stiction.Fc3dProblem(**PARTICLE, name="particle")
    stiction.save_fc3d(problem, tmp_path / "p.json")
    for twin in (
        stiction.load_fc3d(tmp_path / "p.json"),
        stiction.Fc3dProblem.from_json(problem.to_json()),
        pickle.loads(pickle.dumps(problem)),
    ):
        assert twin.to_json() == problem.to_json() and twin.name == "particle" and twin.num_contacts == 1
        np.testing.assert_array_equal(twin.W, np.eye(3))
        assert twin.q.tolist() == [-1.0, 2.0, 0.0] and twin.friction == [0.5]


def test_a_problem_of_a_step_is_one_of_a_collection(problem):
    solved = stiction.Fc3dProblem.from_problem(problem, "cube").solve("coulomb_ncp+admm")
    same = problem.solve("coulomb_ncp+admm")
    # The sum of the normal impulses is that of the weight and of what pushes out, whoever solves it.
    assert solved.r[:, 0].sum() == pytest.approx(same.impulses[:, 2].sum(), rel=1e-5)


def test_what_is_no_problem_of_contact_is_told():
    for wrong in ({"W": np.eye(2)}, {"q": [1.0]}, {"friction": [-1.0]}, {"q": [np.nan, 0.0, 0.0]}):
        with pytest.raises(stiction.UserError):
            stiction.Fc3dProblem(**{**PARTICLE, **wrong})
    with pytest.raises(stiction.UserError, match="impulses"):
        stiction.Fc3dProblem(**PARTICLE).solve("icf_lagged+newton")


@pytest.mark.parametrize("method", re.findall(r"'(\w+)'", stiction.SavedLcp.solve.__doc__.split("] =")[0]))
def test_a_linear_complementarity_problem_has_its_solution(method):
    # Both unknowns are positive: M z = -q.
    problem = stiction.SavedLcp([[2.0, 1.0], [1.0, 2.0]], [-5.0, -6.0])
    solved = problem.solve(method, tolerance=1e-10, start=[0.0, 0.0])
    assert solved.status == "solved" and solved.residual <= 1e-9
    np.testing.assert_allclose(solved.z, [4 / 3, 7 / 3], atol=1e-9)
    np.testing.assert_allclose(solved.w, [0.0, 0.0], atol=1e-9)
    if method != "automatic":
        assert solved.method == method
        used = {"lemke": solved.pivots, "pivoting": solved.pivots, "pgs": solved.sweeps, "newton": solved.newton_steps}
        assert used[method] >= 1


def test_equations_have_free_unknowns():
    M, q = [[2.0, 1.0], [-1.0, 3.0]], [4.0, 1.0]
    free = stiction.SavedLcp(M, q, complementary=[False, False]).solve()
    np.testing.assert_allclose(free.z, np.linalg.solve(M, np.negative(q)), atol=1e-10)
    bound = stiction.SavedLcp(M, q).solve()
    assert bound.z.tolist() == [0.0, 0.0] and bound.w.tolist() == q


def test_a_problem_without_a_solution_is_infeasible():
    assert stiction.SavedLcp([[0.0]], [-1.0]).solve().status == "infeasible"


def test_linear_problems_are_saved_and_loaded_bit_for_bit(tmp_path):
    problem = stiction.SavedLcp([[2.0, 1.0], [1.0, 2.0]], [0.1, -6.0], complementary=[True, False], name="two")
    stiction.save_lcp(problem, tmp_path / "p.json")
    for twin in (
        stiction.load_lcp(tmp_path / "p.json"),
        stiction.SavedLcp.from_json(problem.to_json()),
        pickle.loads(pickle.dumps(problem)),
    ):
        assert twin.to_json() == problem.to_json() and twin.name == "two" and twin.solutions == []
        assert twin.M.tolist() == [[2.0, 1.0], [1.0, 2.0]] and twin.q[0] == 0.1 and twin.complementary == [True, False]
    with pytest.raises(stiction.UserError):
        stiction.SavedLcp([[1.0]], [1.0, 2.0])
    with pytest.raises(stiction.UserError):
        stiction.SavedLcp([[1.0]], [1.0], complementary=[True, True])
