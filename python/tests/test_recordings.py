"""Recordings: written, read, simulated again."""

import numpy as np
import pytest

import stiction


@pytest.fixture
def recorded(slope, tmp_path):
    """The file of 50 recorded steps of a cube on a slope, what is recorded of the last, and the statistics."""
    world = stiction.World(slope(0.3, 0.1), formulation="coulomb_ncp+pgs")
    with stiction.Recorder(world, tmp_path / "run.mcap", scene="slope") as recorder:
        recorder.log("it begins")
        for i in range(5):
            world.joint_forces[0] = 0.01 * i
            report = recorder.step(steps=10)
        assert report.ok and recorder.steps == 50
    return tmp_path / "run.mcap", world, recorder.close()


def test_every_step_is_in_the_file(recorded):
    file, world, statistics = recorded
    assert statistics.steps == 50 and statistics.states == 51 and statistics.waits >= 0
    assert statistics.file_bytes == file.stat().st_size and statistics.message_bytes > 0
    recording = stiction.read_recording(file)
    states = recording.tables["states"]
    assert states["q"].shape == (51, 7) and recording.ending == "" and "slope" in recording.title
    np.testing.assert_array_equal(states["q"][-1], world.q)
    np.testing.assert_array_equal(states["v"][-1], world.v)
    np.testing.assert_allclose(states["time"], np.arange(51) * recording.h, atol=1e-12)
    assert len(recording.columns["states"]["q"]) == 7 and "Recording(" in repr(recording)


def test_a_recording_tells_what_was_simulated_and_how(recorded):
    file, world, _ = recorded
    recording = stiction.read_recording(file)
    assert recording.model.to_json() == world.model.to_json()
    assert recording.formulation.contact.formulation == "coulomb_ncp+pgs" and recording.h == world.options.h
    assert recording.bodies == world.model.body_names and recording.shapes == ["floor", "cube"]
    assert len(recording.joints) == 1


def test_a_replay_finds_every_bit_again(recorded):
    file, world, _ = recorded
    result = stiction.replay(file)
    assert result.is_the_same and result.difference is None and result.ending == ""
    assert result.steps == 50 and result.compared >= 50 and result.hash == world.state.hash()
    assert result.begin == 0.0 and result.end == pytest.approx(world.time)


def test_a_replay_begins_at_a_snapshot(recorded, tmp_path):
    world = stiction.World(stiction.make_scene("pendulum"))
    with stiction.Recorder(world, tmp_path / "p.mcap", snapshot_every=10) as recorder:
        recorder.simulate(0.1)
    result = stiction.replay(tmp_path / "p.mcap", begin=0.05)
    # Snapshots are 10 steps of 2 ms apart.
    assert result.begin == pytest.approx(0.04) and result.end == pytest.approx(0.1) and result.is_the_same


def test_what_is_done_to_a_world_behind_its_recorder_is_found(tmp_path):
    world = stiction.World(stiction.make_scene("pendulum"))
    with stiction.Recorder(world, tmp_path / "p.mcap") as recorder:
        recorder.step(steps=5)
        world.q = [0.5]
        recorder.step(steps=5)
    difference = stiction.replay(tmp_path / "p.mcap").difference
    assert difference.step == 6 and difference.time == pytest.approx(6 * 2e-3) and difference.joint == "hinge"
    assert difference.body == "rod" and "hinge" in difference.what and difference.recorded != difference.replayed


def test_a_recorder_that_was_closed_steps_no_more(recorded, pendulum, tmp_path):
    recorder = stiction.Recorder(pendulum, tmp_path / "r.mcap", every=2, foxglove=True)
    recorder.step(steps=4)
    assert recorder.close().states == recorder.close().states == 3
    for call in (recorder.step, lambda: recorder.simulate(0.1), lambda: recorder.log("x")):
        with pytest.raises(stiction.UserError, match="closed"):
            call()
    pendulum.step()


def test_files_that_cannot_be_are_told(pendulum, tmp_path):
    with pytest.raises(stiction.UserError):
        stiction.Recorder(pendulum, tmp_path / "nowhere" / "r.mcap")
    for wrong in ({"every": 0}, {"snapshot_every": 0}):
        with pytest.raises(stiction.UserError):
            stiction.Recorder(pendulum, tmp_path / "r.mcap", **wrong)
    (tmp_path / "no.mcap").write_text("nothing of the kind")
    for call in (stiction.read_recording, stiction.replay):
        with pytest.raises(stiction.UserError):
            call(tmp_path / "no.mcap")
