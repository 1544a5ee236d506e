"""Every public name has a docstring and a test."""

import inspect
import pickle
import re
from pathlib import Path

import numpy as np
import pytest

import stiction
from stiction import _core

TESTS = "\n".join(file.read_text() for file in Path(__file__).parent.glob("*.py"))


def public(owner):
    return [name for name in dir(owner) if not name.startswith("_")]


CLASSES = [getattr(_core, name) for name in public(_core) if inspect.isclass(getattr(_core, name))]
# Structs whose fields are keywords of the constructor; test_every_field_keeps_what_is_written tests each of them.
STRUCTS = [c for c in CLASSES if hasattr(c, "__setstate__") and "Every field is a keyword" in (c.__init__.__doc__ or "")]


def members(c):
    """Names that a class itself has."""
    return [name for name in public(c) if name in vars(c)]


@pytest.mark.parametrize("name", public(stiction))
def test_every_name_of_the_package_is_described(name):
    thing = getattr(stiction, name)
    if inspect.ismodule(thing):
        pytest.skip("a module")
    assert (thing.__doc__ or "").strip()


@pytest.mark.parametrize("c", CLASSES, ids=lambda c: c.__name__)
def test_every_member_is_described(c):
    missing = [name for name in members(c) if not (inspect.getdoc(getattr(c, name)) or "").strip()]
    assert missing == []


def test_every_function_is_described_and_tested():
    for name in public(_core):
        thing = getattr(_core, name)
        if not inspect.isclass(thing):
            text = inspect.getdoc(thing) or ""
            assert len(text.splitlines()) > 1 or "." in text, name
            assert re.search(rf"stiction\.{name}\(", TESTS), f"{name}() has no test"


@pytest.mark.parametrize("c", CLASSES, ids=lambda c: c.__name__)
def test_every_member_has_a_test(c):
    if c in STRUCTS:
        return
    if not issubclass(c, Exception):
        untested = [name for name in members(c) if not re.search(rf"\b{name}\b", TESTS)]
        assert untested == []


UNITS = re.compile(r"\b(m|s|kg|N|J|W|Pa|rad|sqrt\(J\)|m\^2|m\^3|1/kg|unit|units)\b")


def test_lengths_times_and_forces_have_units():
    """Names that can only be a physical number say their unit."""
    physical = re.compile(r"(radius|length$|mass$|force$|velocity$|damping$|stiffness$|time$|half_extents|radii|margin)")
    unsaid = [
        f"{c.__name__}.{name}"
        for c in CLASSES
        for name in members(c)
        if physical.search(name) and isinstance(vars(c)[name], property) and not UNITS.search(inspect.getdoc(vars(c)[name]) or "")
    ]
    # Intervals and options in words.
    allowed = {"Actuator.force", "Actuator.dissipation", "TendonWrap.velocity", "Tendon.spring_length"}
    assert set(unsaid) - allowed == set()


def other(value):
    """Another value of the same kind."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 2
    if isinstance(value, float):
        return value + 0.5
    if isinstance(value, np.ndarray):
        return value + 0.5 if value.size > 0 else np.array([0.5])
    if isinstance(value, list):
        return [other(one) for one in value] if value else value
    return value


@pytest.mark.parametrize("c", STRUCTS, ids=lambda c: c.__name__)
def test_every_field_keeps_what_is_written(c):
    made = c()
    fields = made.__getstate__()
    for name, value in fields.items():
        setattr(made, name, other(value))
        np.testing.assert_equal(getattr(made, name), other(value)) if not hasattr(value, "__getstate__") or isinstance(
            value, (int, float, str, list, np.ndarray, type(None))
        ) else None
    twin = pickle.loads(pickle.dumps(made))
    assert repr(twin) == repr(made) == repr(c(**made.__getstate__()))
    assert c.__name__ in repr(made)


def test_the_structs_are_all_there():
    names = {c.__name__ for c in STRUCTS}
    assert {"Joint", "Mimic", "ContactMaterial", "Actuator", "Sensor", "Tendon", "Formulation", "WorldOptions",
            "NewtonOptions", "DualOptions", "RigidOptions", "ConstraintOptions", "GeometricOptions", "Box", "Sphere",
            "Cylinder", "Capsule", "Ellipsoid", "Superellipsoid", "HalfSpace", "Keyframe", "Range", "Bushing", "SupportFriction"} <= names


def test_signatures_say_their_defaults():
    text = stiction.Joint.__init__.__doc__
    assert "type: typing.Literal[" in text and "= 'revolute'" in text and "axis: numpy.typing.ArrayLike = [0.0, 0.0, 1.0]" in text
    assert "pitch: float = 0.0" in text and "mimic: Mimic | None = None" in text
    assert "control: Range = Range()" in stiction.Actuator.__init__.__doc__
    assert "steps: int = 1" in stiction.World.step.__doc__
    for name, thing in vars(stiction).items():
        if isinstance(thing, type) and "Every field is a keyword" in (thing.__init__.__doc__ or ""):
            assert "= ..." not in thing.__init__.__doc__, name
