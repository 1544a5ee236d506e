"""Old names of attributes and keywords still work and warn."""

import pickle
import warnings

import pytest

import stiction

FIELDS = [
    (stiction.RigidOptions, "push_out", "penetration_recovery", 0.3),
    (stiction.RigidOptions, "fastest_push_out", "fastest_recovery", 0.7),
    (stiction.ContactMaterial, "cross_friction", "anisotropy_ratio", 0.4),
    (stiction.ContactMaterial, "grain", "friction_direction", [0.0, 1.0, 0.0]),
]


def same(a, b):
    return list(a) == list(b) if hasattr(a, "__len__") else a == b


@pytest.mark.parametrize("c, old, new, value", FIELDS, ids=lambda x: str(getattr(x, "__name__", x)))
class TestFields:
    def test_the_new_name_does_not_warn(self, c, old, new, value):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            made = c(**{new: value})
            setattr(made, new, value)
            assert same(getattr(made, new), value)
            assert new in repr(made) and f"{old}=" not in repr(made)
            assert old not in made.__getstate__()

    def test_the_old_name_reads_and_writes_and_warns_with_the_new_one(self, c, old, new, value):
        made = c()
        with pytest.warns(DeprecationWarning, match=f"{c.__name__}.{old} is deprecated: it is now called {new}"):
            setattr(made, old, value)
        assert same(getattr(made, new), value)
        with pytest.warns(DeprecationWarning, match=new):
            assert same(getattr(made, old), value)

    def test_the_old_keyword_works_and_warns_with_the_new_one(self, c, old, new, value):
        with pytest.warns(DeprecationWarning, match=f"{c.__name__}.{old} is deprecated: it is now called {new}"):
            made = c(**{old: value})
        assert same(getattr(made, new), value)

    def test_old_and_new_keyword_together_are_refused(self, c, old, new, value):
        with pytest.raises(TypeError, match=f"'{old}' is the old name of '{new}': only one of them may be given"):
            c(**{old: value, new: value})

    def test_fields_that_were_pickled_under_the_old_name_are_read(self, c, old, new, value):
        fields = c(**{new: value}).__getstate__()
        fields[old] = fields.pop(new)
        made = c.__new__(c)
        with pytest.warns(DeprecationWarning, match=new):
            made.__setstate__(fields)
        assert same(getattr(made, new), value)
        assert repr(pickle.loads(pickle.dumps(made))) == repr(made)


def test_a_warning_that_is_an_error_is_raised():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(DeprecationWarning):
            stiction.ContactMaterial(grain=[1, 0, 0])


def test_reports_have_the_old_name_of_dropped_stabilisation(slope):
    world = stiction.World(slope(0.0, 0.5))
    report = world.step(steps=50).contact
    with pytest.warns(DeprecationWarning, match="SolveReport.withdrawn is deprecated: it is now called dropped_stab"):
        assert report.withdrawn == report.dropped_stabilisation
    solved = world.saved_problem().solve()
    with pytest.warns(DeprecationWarning, match="IslandReport.withdrawn is deprecated"):
        assert solved.islands[0].withdrawn == solved.islands[0].dropped_stabilisation


def test_the_old_keyword_of_constraint_force_works_and_warns_with_the_new_one():
    builder = stiction.ModelBuilder("rope")
    builder.add_free_body("weight", stiction.translation(0, 0, -1), stiction.solid_sphere(2.0, 0.1))
    builder.add_frame("eye", "weight", stiction.Pose())
    builder.add_constraint(stiction.DistanceConstraint(name="rope", frame1="eye", frame2="", upper=1.0))
    world = stiction.World(builder.build())
    world.simulate(0.1)
    with pytest.warns(DeprecationWarning, match="World.constraint_force.tie is deprecated: it is now called constraint"):
        force = world.constraint_force(tie="rope")
    assert same(force, world.constraint_force(constraint="rope"))
