"""Every class of shape goes to other processes and is copied with all that it holds."""

import copy
import json
import pickle
import re

import numpy as np
import pytest

import stiction

MJCF = """
<mujoco model="ball">
  <worldbody><body name="ball"><freejoint/><geom type="sphere" size=".1"/></body></worldbody>
</mujoco>
"""
CORNERS = [[0, 0, 0], [1 / 3, 0, 0], [0, 0.7, 0], [0, 0, 0.9]]
SIDES = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]]
SHAPES = {
    "sphere": stiction.Sphere(1 / 3),
    "box": stiction.Box([0.1, 0.2, 1 / 3]),
    "cylinder": stiction.Cylinder(0.1, 0.7),
    "capsule": stiction.Capsule(0.1, 0.7),
    "ellipsoid": stiction.Ellipsoid([0.1, 0.2, 1 / 3]),
    "superellipsoid": stiction.Superellipsoid([0.1, 0.2, 1 / 3], 0.3, 0.7),
    "half-space": stiction.HalfSpace(),
    "hull": stiction.convex_hull(np.random.default_rng(3).normal(size=(40, 3)), 12),
    "mesh": stiction.TriangleMesh(CORNERS, SIDES),
    "mesh of tetrahedra": stiction.tet_mesh(CORNERS, [[0, 1, 2, 3]]),
    "height field": stiction.height_field([[0, 1, 2], [0.3, 0.4, 0.5]], 1.0, 2.0, 0.7, 0.1),
}
COPIES = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    **{f"pickle {p}": lambda x, p=p: pickle.loads(pickle.dumps(x, p)) for p in range(2, pickle.HIGHEST_PROTOCOL + 1)},
}


def contents(shape):
    """All that a shape holds, with every bit: as it stands in a model."""
    model = json.loads(stiction.ModelBuilder().add_shape("it", "world", stiction.Pose(), shape).build().to_json())
    return model["shapes"][0]["shape"], model["hulls"], model["meshes"], model["height_fields"]


def test_no_class_of_shape_is_left_out():
    classes = set(re.findall(r"_core\.(\w+)", stiction.volume.__doc__.split("->")[0]))
    assert len(classes) >= 10 and classes == {type(shape).__name__ for shape in SHAPES.values()}


@pytest.mark.parametrize("way", COPIES)
@pytest.mark.parametrize("name", SHAPES)
def test_a_shape_is_copied_with_all_that_it_holds(name, way):
    shape = SHAPES[name]
    twin = COPIES[way](shape)
    assert type(twin) is type(shape) and contents(twin) == contents(shape) and repr(twin) == repr(shape)
    assert stiction.volume(twin) == stiction.volume(shape)


def test_contents_tell_shapes_apart():
    texts = [json.dumps(contents(shape)) for shape in SHAPES.values()]
    assert len(set(texts)) == len(texts)


def test_the_copy_of_a_hull_outlives_it():
    hull = stiction.convex_hull(CORNERS)
    vertices = copy.deepcopy(hull).vertices
    del hull
    np.testing.assert_array_equal(np.sort(vertices, axis=0), np.sort(CORNERS, axis=0))


def test_states_that_are_none_are_refused():
    hull, terrain = SHAPES["hull"], SHAPES["height field"]
    with pytest.raises(stiction.UserError, match="state of a height field"):
        type(hull).__new__(type(hull)).__setstate__(terrain.__getstate__())
    with pytest.raises(stiction.UserError, match="corners"):
        broken = json.loads(hull.__getstate__())
        broken["hulls"][0]["corners"][0]["vertex"] = 12345
        type(hull).__new__(type(hull)).__setstate__(json.dumps(broken))


@pytest.mark.parametrize("way", COPIES)
@pytest.mark.parametrize("rounding", [0.0, 0.02])
@pytest.mark.parametrize("name", SHAPES)
def test_a_shape_made_ready_for_collision_is_copied(name, rounding, way):
    try:
        shape = stiction.CollisionShape(SHAPES[name], rounding)
    except stiction.UserError:
        assert rounding > 0.0 and name in ("half-space", "mesh", "mesh of tetrahedra", "height field")
        return
    twin = COPIES[way](shape)
    assert (twin.kind, twin.rounding, twin.is_convex) == (shape.kind, shape.rounding, shape.is_convex)
    assert twin.thickness == pytest.approx(shape.thickness, rel=1e-15)
    ball, X = stiction.CollisionShape(stiction.Sphere(0.2)), stiction.translation(0.05, 0.1, 0.15)
    points, others = (stiction.collide(one, stiction.Pose(), ball, X, 0.5) for one in (shape, twin))
    assert len(points) == len(others) > 0
    for point, other in zip(points, others):
        np.testing.assert_allclose([*other.p_A, other.distance], [*point.p_A, point.distance], rtol=0, atol=1e-15)


@pytest.mark.parametrize("way", COPIES)
def test_a_model_is_copied_with_its_shapes_and_its_report(way):
    builder = stiction.ModelBuilder("all")
    for name, shape in SHAPES.items():
        builder.add_shape(name, "world", stiction.Pose(), shape)
    model = builder.build()
    assert COPIES[way](model).to_json() == model.to_json() and COPIES[way](model).report is None
    read = stiction.parse(MJCF)
    assert len(read.report) > 0 and COPIES[way](read).report.to_json() == read.report.to_json()


def test_a_pickle_of_a_model_without_a_report_is_read():
    model = stiction.parse(MJCF)
    old = type(model).__new__(type(model))
    old.__setstate__(model.to_json())
    assert old.to_json() == model.to_json() and old.report is None
