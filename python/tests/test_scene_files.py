"""Scenes in TOML files."""

from pathlib import Path

import numpy as np
import pytest

import stiction

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.toml"))

TEXT = """
[[ground]]

[[object]]
name = "ball"
shape = "sphere"
radius = 0.1
mass = 2.0
position = [0, 0, 1]
"""


def run(scene, steps):
    """The world of a scene after so many steps under its schedule."""
    world = scene.make_world()
    for _ in range(steps):
        world.apply(scene.schedule)
        world.step()
    return world


def test_a_ball_of_a_text_falls():
    scene = stiction.parse_scene(TEXT)
    assert scene.model.inertia("ball").mass == pytest.approx(2.0) and "Scene(" in repr(scene)
    scene.options.h = 1e-3
    scene.options.formulation.scheme = "midpoint"
    world = scene.make_world()
    world.simulate(0.3)
    # z = z0 - g t^2/2, exact of the midpoint rule.
    assert world.body("ball").pose.p[2] == pytest.approx(1.0 - 0.5 * 9.81 * 0.3**2, abs=1e-9)


def test_joints_and_pairs_start_as_they_are_told():
    scene = stiction.Scene(stiction.make_scene("pendulum"))
    scene.positions, scene.velocities = {"hinge": [0.25]}, {"hinge": [-1.5]}
    assert scene.positions == {"hinge": [0.25]} and scene.velocities == {"hinge": [-1.5]}
    world = scene.make_world()
    assert world.q[0] == 0.25 and world.v[0] == -1.5 and scene.keyframe == "" and scene.threads == 1
    with pytest.raises(stiction.UserError, match="did you mean 'hinge'"):
        scene.positions = {"hing": [0.0]}


def test_friction_of_a_pair_counts(slope):
    scene = stiction.Scene(slope(0.3, 1.0))
    scene.pairs = [stiction.ScenePair(shape1="floor", shape2="cube", friction=0.0)]
    world = scene.make_world()
    world.simulate(0.5)
    # g sin(angle) t: nothing holds it.
    assert world.body("cube").velocity[3] == pytest.approx(9.81 * np.sin(0.3) * 0.5, rel=1e-3)


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.stem)
def test_what_is_saved_moves_with_the_same_bits(file, tmp_path):
    scene = stiction.load_scene(file)
    assert scene.time > 0.0 and scene.record_every >= 1
    beside = stiction.save_scene(scene, tmp_path / "copy.toml")
    assert beside is None or Path(beside).exists()
    copy = stiction.load_scene(tmp_path / "copy.toml")
    assert run(copy, 20).state == run(scene, 20).state
    assert stiction.load(file).to_json() == scene.model.to_json()


def test_a_scene_is_written_as_text():
    scene = stiction.parse_scene(TEXT)
    text = stiction.write_scene(scene)
    assert stiction.write_scene(stiction.parse_scene(text)) == text and "[[object]]" in text
    arm = stiction.Scene(stiction.make_scene("arm"))
    assert 'arm.json' in stiction.write_scene(arm, "arm.json")
    with pytest.raises(stiction.UserError):
        stiction.write_scene(arm)


def test_a_wrong_key_is_told_with_its_place():
    with pytest.raises(stiction.UserError, match=r"scene.toml:7:1: .*did you mean 'radius'"):
        stiction.parse_scene(TEXT.replace("radius =", "radios ="))
