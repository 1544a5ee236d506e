"""Environments."""

import os
import subprocess
import sys
import time
import warnings

import numpy as np
import pytest

import stiction

gymnasium = pytest.importorskip("gymnasium")
from gymnasium.utils.env_checker import check_env  # noqa: E402

from stiction import gym  # noqa: E402


def hinge_observation(batch):
    return np.hstack([np.sin(batch.q), np.cos(batch.q), batch.v])


def hinge_reward(batch, action):
    return np.cos(batch.q[:, 0])


def pendulum(num_envs=None, **task):
    return gym.make_env(
        "pendulum", hinge_observation, hinge_reward, num_envs=num_envs, action="joint_forces", **task
    )


@pytest.mark.parametrize("make", [pendulum, gym.reach, gym.quadruped_velocity])
def test_environments_pass_gymnasiums_check(make):
    with warnings.catch_warnings():
        # Observations without bounds are what they are.
        warnings.simplefilter("ignore")
        check_env(make(), skip_render_check=True)


@pytest.mark.parametrize("make", [pendulum, gym.reach, gym.quadruped_velocity])
def test_many_worlds_at_once_are_each_one_alone(make):
    envs = make(3)
    envs.action_space.seed(1)
    actions = [envs.action_space.sample() for _ in range(5)]
    together = [envs.reset(seed=5)[0]] + [envs.step(action)[0] for action in actions]
    rewards = envs.step(actions[0])[1]
    assert envs.num_envs == len(envs.batch) == 3 and envs.observation_space.contains(together[-1])
    for world in range(3):
        env = make()
        alone = [env.reset(seed=5 + world)[0]] + [env.step(action[world])[0] for action in actions]
        np.testing.assert_array_equal(np.array(together)[:, world], alone)
        assert env.step(actions[0][world])[1] == rewards[world]


def test_every_world_may_have_a_seed_of_its_own():
    envs = gym.reach(3)
    first, _ = envs.reset(seed=[7, 8, 7])
    assert np.array_equal(first[0], first[2]) and not np.array_equal(first[0], first[1])
    again, _ = envs.reset(seed=[7, None, None])
    assert np.array_equal(again[0], first[0]) and not np.array_equal(again[2], first[2])
    with pytest.raises(stiction.UserError, match="2 seeds"):
        envs.reset(seed=[1, 2])


def test_an_action_that_is_no_number_is_told():
    env = pendulum()
    env.reset(seed=0)
    with pytest.raises(stiction.UserError, match="not a number"):
        env.step(np.array([np.nan], np.float32))
    # What is out of bounds is taken to them.
    env.step(np.array([np.inf], np.float32))
    assert env.batch.joint_forces[0, 0] == 1.0


def test_the_same_seed_gives_the_same_episode():
    env = gym.quadruped_velocity()
    episodes = []
    for _ in range(2):
        first, _ = env.reset(seed=3)
        env.action_space.seed(3)
        rows = [first] + [env.step(env.action_space.sample())[0] for _ in range(20)]
        episodes.append(np.array(rows))
    np.testing.assert_array_equal(episodes[0], episodes[1])


def test_episodes_are_cut_off_and_begin_anew():
    envs = pendulum(2, episode_steps=3)
    envs.reset(seed=0)
    action = np.zeros((2, 1), np.float32)
    cuts = [envs.step(action)[3].tolist() for _ in range(5)]
    assert cuts == [[False] * 2, [False] * 2, [True] * 2, [False] * 2, [False] * 2]
    assert envs.batch.time[0] == pytest.approx(envs.batch.h * 10)


def test_a_quadruped_that_stands_still_stays_up():
    env = gym.quadruped_velocity()
    env.reset(seed=0)
    for _ in range(50):
        _, reward, ended, cut, _ = env.step(np.zeros(12, np.float32))
        assert not ended and not cut and np.isfinite(reward)


def test_the_package_alone_makes_its_environments_known():
    program = "import stiction, gymnasium; print(gymnasium.make('stiction/Reach-v0').spec.max_episode_steps)"
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == "200"


def test_an_action_of_the_wrong_shape_is_told():
    env = gym.quadruped_velocity()
    env.reset(seed=0)
    for wrong in (np.zeros(3), np.zeros((12, 1)), np.zeros(())):
        with pytest.raises(stiction.UserError, match="an action has 12 numbers"):
            env.step(wrong.astype(np.float32))
    envs = pendulum(3)
    envs.reset(seed=0)
    for wrong in (np.zeros(1), np.zeros((2, 1)), np.zeros((3, 2))):
        with pytest.raises(stiction.UserError, match="for each of 3 worlds"):
            envs.step(wrong.astype(np.float32))
    with pytest.raises(stiction.UserError, match=r"action_low has the shape \(2,\)"):
        pendulum(action_low=np.zeros(2))


def test_actions_are_bounded_as_the_model_says():
    model = stiction.parse(
        """<mujoco><worldbody><body><joint name="a" axis="0 1 0"/><geom size=".1"/>
        <body pos="0 0 1"><joint name="b" axis="0 1 0"/><geom size=".1"/></body></body></worldbody>
        <actuator><position joint="a" ctrllimited="true" ctrlrange="-0.5 0.25"/><motor joint="b"/></actuator></mujoco>"""
    )
    space = gym.make_env(model, hinge_observation, hinge_reward).action_space
    assert space.low.tolist() == [-0.5, -1.0] and space.high.tolist() == [0.25, 1.0]


@pytest.mark.parametrize("many", [False, True])
def test_max_episode_steps_of_gymnasium_cuts_episodes_off(many):
    name, keywords = "stiction/QuadrupedVelocity-v0", {"max_episode_steps": 2}
    env = gymnasium.make_vec(name, num_envs=2, vectorization_mode="vector_entry_point", **keywords) if many else \
        gymnasium.make(name, **keywords)
    env.reset(seed=0)
    cuts = [bool(np.all(env.step(np.zeros(env.action_space.shape, np.float32))[3])) for _ in range(2)]
    assert cuts == [False, True]


def test_a_vector_environment_uses_the_threads_of_its_task():
    seen = []

    def reward(batch, action):
        seen.append(stiction.thread_count())
        return np.zeros(len(batch))

    for threads, expected in ((3, 3), (None, stiction.thread_count())):
        envs = gym.make_env("pendulum", hinge_observation, reward, num_envs=2, action="joint_forces", threads=threads)
        envs.reset(seed=0)
        envs.step(np.zeros((2, 1), np.float32))
        assert seen[-1] == expected
    assert stiction.thread_count() == 1


def test_fields_of_a_task_are_in_its_help():
    import dataclasses

    text = gym.Task.__doc__
    assert all(f"{field.name}:" in text or f"{field.name}," in text for field in dataclasses.fields(gym.Task))


def test_the_live_viewer_follows_an_environment():
    env = pendulum(render_mode="human")
    env.reset(seed=0)
    view = env._worlds._view
    assert not view.is_closed and env.render() is None
    env.step(np.zeros(1, np.float32))
    assert env._worlds._shown.time == env.batch.time[0] > 0
    env.close()
    assert view.is_closed
    with pytest.raises(stiction.UserError, match="'rgb_array' or 'human'"):
        pendulum(render_mode="ansi")
    with pytest.raises(stiction.UserError, match="many worlds is None or 'rgb_array'"):
        pendulum(2, render_mode="human")


def test_pictures_follow_an_environment():
    env = gymnasium.make("stiction/QuadrupedVelocity-v0", render_mode="rgb_array")
    env.reset(seed=0)
    first = env.render()
    assert first.shape == (360, 480, 3) and first.dtype == np.uint8
    np.testing.assert_array_equal(env.render(), first)
    for _ in range(5):
        env.step(env.action_space.high)
    moved = np.abs(env.render().astype(int) - first).max(axis=2) > 10
    # The camera goes along with the trunk: what is behind the robot stays where it is.
    assert moved.any() and moved.mean() < 0.5
    assert env.metadata["render_fps"] == 50
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_env(pendulum(render_mode="rgb_array", picture_size=(64, 48)))


def test_a_picture_of_a_robot_takes_less_than_a_third_of_a_second():
    env = gymnasium.make("stiction/QuadrupedVelocity-v0", render_mode="rgb_array")
    env.reset(seed=0)
    # Processor time of all threads, the least of several: whatever else the machine does takes no part in it.
    times = []
    for _ in range(5):
        begin = time.process_time()
        picture = env.render()
        times.append(time.process_time() - begin)
    assert picture.shape == (360, 480, 3)
    assert min(times) < 0.3 * float(os.environ.get("STICTION_TEST_SLOWDOWN", "1"))


def test_every_world_of_a_vector_environment_has_a_picture():
    envs = gymnasium.make_vec("stiction/Reach-v0", num_envs=2, vectorization_mode="vector_entry_point",
                              render_mode="rgb_array", picture_size=(64, 48))
    envs.reset(seed=0)
    for _ in range(3):
        envs.step(np.array([envs.single_action_space.low, envs.single_action_space.high]))
    pictures = envs.render()
    assert len(pictures) == 2 and pictures[0].shape == (48, 64, 3) and not np.array_equal(*pictures)
    assert pendulum(2).render() is None


def test_environments_are_registered():
    assert gymnasium.make("stiction/QuadrupedVelocity-v0").action_space.shape == (12,)
    assert gymnasium.make_vec("stiction/Reach-v0", num_envs=2, vectorization_mode="vector_entry_point").num_envs == 2


def test_what_is_no_environment_is_told():
    with pytest.raises(stiction.UserError, match="no controls"):
        gym.make_env("pendulum", hinge_observation, hinge_reward)
    with pytest.raises(stiction.UserError, match="must answer"):
        gym.make_env("pendulum", lambda batch: batch.q[0], hinge_reward, action="joint_forces")
    with pytest.raises(stiction.UserError, match="no arm"):
        gym.reach(model="crane")


def test_reaching_with_the_panda():
    try:
        env = gym.reach(model="panda")
    except stiction.UserError as error:
        pytest.skip(str(error))
    env.reset(seed=0)
    assert np.isfinite(env.step(env.action_space.sample())[0]).all()
