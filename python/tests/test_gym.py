"""Environments."""

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
    envs, env = make(3), make()
    observations, _ = envs.reset(seed=5)
    assert observations.shape == (3, *env.observation_space.shape) and envs.num_envs == len(envs.batch) == 3
    envs.action_space.seed(1)
    for _ in range(5):
        observations, rewards, ended, cut, info = envs.step(envs.action_space.sample())
    assert rewards.shape == ended.shape == cut.shape == (3,) and info["time"].shape == (3,)
    assert envs.observation_space.contains(observations)


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
