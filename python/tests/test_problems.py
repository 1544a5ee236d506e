"""Contact problems alone."""

import pickle

import numpy as np
import pytest

import stiction


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
    # Laws push a cube that has sunk in out at different speeds: not more than fastest_push_out.
    assert solved.impulses.sum(axis=0)[2] == pytest.approx(9.81 * problem.h, rel=0.2, abs=0.01)


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
