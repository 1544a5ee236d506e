"""Environments for reinforcement learning with the interface of Gymnasium.

An environment is described by functions of a Batch, which has one row for each world, so that the same description
serves one world (Environment) and many that step together on all threads (VectorEnvironment):

    def observation(batch):  # (worlds, numbers)
        return np.hstack([batch.q, batch.v])

    def reward(batch, action):  # (worlds,)
        return -np.square(batch.q[:, 0])

    env = make_env("pendulum", observation, reward, episode_steps=500)
    envs = make_env("pendulum", observation, reward, episode_steps=500, num_envs=64)
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, overload

import gymnasium
import numpy as np
from gymnasium.utils import seeding
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from stiction import _core
from stiction._environments import EPISODE_STEPS
from stiction._view import View, camera_text

__all__ = ["Environment", "Task", "VectorEnvironment", "make_env", "quadruped_velocity", "reach"]

Array = NDArray[np.float64]
Space = gymnasium.spaces.Space[NDArray[np.float32]]
Observation = Callable[[_core.Batch], Array]
Reward = Callable[[_core.Batch, Array], Array]
Ending = Callable[[_core.Batch], NDArray[np.bool_]]
Start = Callable[[_core.Batch, Sequence[int], np.random.Generator], None]


@dataclass
class Task:
    """What an environment is about; all functions take a Batch and answer with one row for each world.

    model: that is simulated.
    observation: (worlds, numbers), what the agent sees.
    reward: (worlds,), of the batch after the step, and the action (worlds, numbers) that was taken.
    terminated: (worlds,), whether an episode has come to its end by what happened; None: never.
    start: puts the worlds of the given numbers to a random start; None: the model's own.
    action: what an action sets, "controls" or "joint_forces".
    action_low, action_high: bounds of the actions, in the unit of what they set; None: the range of the control
        (ctrlrange in MJCF) or the effort limit of the joint, and -1 and 1 where the model has none.
    frame_skip: steps of the simulation for one of the environment.
    episode_steps: steps of the environment until an episode is truncated.
    max_episode_steps: the same by the name that gymnasium.make() has for it.
    threads: that a vector environment steps its worlds on; 0: one per core; None: as set_thread_count() said.
    camera: from where pictures are taken, as of stiction.render(); a view by name goes along with a robot that walks.
    picture_size: width and height of pictures, pixels.
    options: h (s), formulation, scheme, as of World.
    """

    model: _core.Model
    observation: Observation
    reward: Reward
    terminated: Ending | None = None
    start: Start | None = None
    action: Literal["controls", "joint_forces"] = "controls"
    action_low: Array | float | None = None
    action_high: Array | float | None = None
    frame_skip: int = 10
    episode_steps: int = 1000
    max_episode_steps: int | None = None
    threads: int | None = 0
    camera: Any = None
    picture_size: tuple[int, int] = (480, 360)
    options: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Checks the words and numbers."""
        if self.max_episode_steps is not None:
            self.episode_steps = self.max_episode_steps
        if self.action not in ("controls", "joint_forces"):
            raise _core.UserError(f"an action sets 'controls' or 'joint_forces', not '{self.action}'")
        for name in ("frame_skip", "episode_steps"):
            if getattr(self, name) < 1:
                raise _core.UserError(f"{name} must be positive, not {getattr(self, name)}")


def _bounds(model: _core.Model, action: str) -> tuple[Array, Array]:
    """The model's own bounds of what an action sets; -1 and 1 where it has none."""
    if action == "controls":
        ranges = [(a.control.lower, a.control.upper) if a.control.limited else (-1.0, 1.0) for a in model.actuators]
        return np.array([low for low, _ in ranges]), np.array([high for _, high in ranges])
    high = np.ones(model.num_v)
    for joint in model.joints:
        if 0.0 < joint.effort_limit < np.inf:
            high[model.v_slice(joint.name)] = joint.effort_limit
    return -high, high


@contextlib.contextmanager
def _on_threads(count: int | None) -> Iterator[None]:
    before = _core.thread_count()
    if count is not None:
        _core.set_thread_count(count)
    try:
        yield
    finally:
        _core.set_thread_count(before)


class _Worlds:
    """A batch with its task: the part that both kinds of environments have in common."""

    def __init__(self, task: Task, count: int):
        self.task = task
        self.batch = _core.Batch(task.model, count, **task.options)
        self.inputs = self.batch.controls if task.action == "controls" else self.batch.joint_forces
        width = self.inputs.shape[1]
        if width == 0:
            raise _core.UserError(f"model '{task.model.name}' has no {task.action.replace('_', ' ')} to act with")
        low, high = _bounds(task.model, task.action)
        self.low = self._bound("action_low", low if task.action_low is None else task.action_low, width)
        self.high = self._bound("action_high", high if task.action_high is None else task.action_high, width)
        self.action_space = gymnasium.spaces.Box(self.low.astype(np.float32), self.high.astype(np.float32))
        numbers = np.asarray(task.observation(self.batch))
        if numbers.ndim != 2 or numbers.shape[0] != count:
            raise _core.UserError(f"observation() must answer ({count}, numbers), not {numbers.shape}")
        self.observation_space = gymnasium.spaces.Box(-np.inf, np.inf, (numbers.shape[1],), np.float32)
        self.steps = np.zeros(count, np.int64)
        self._shown: _core.World | None = None
        self._view: View | None = None
        self._seen_from: tuple[Array, Array, Array] | None = None

    @staticmethod
    def _bound(name: str, numbers: Array | float, width: int) -> Array:
        bound = np.asarray(numbers, np.float64)
        if bound.shape not in ((), (1,), (width,)):
            raise _core.UserError(f"{name} has the shape {bound.shape}, but an action has {width} numbers")
        return np.broadcast_to(bound, (width,))

    def start(self, world: int, random: np.random.Generator) -> None:
        self.batch.reset([world])
        if self.task.start is not None:
            self.task.start(self.batch, [world], random)
        self.steps[world] = 0

    def observation(self) -> NDArray[np.float32]:
        return np.asarray(self.task.observation(self.batch)).astype(np.float32)

    def step(self, action: Array) -> tuple[Array, NDArray[np.bool_], NDArray[np.bool_]]:
        """Rewards, which episodes have ended, which were cut off. A world that failed has ended without a reward."""
        if action.shape != self.inputs.shape:
            raise _core.UserError(
                f"an action has {self.inputs.shape[1]} numbers for each of {self.inputs.shape[0]} worlds;"
                f" this one has the shape {action.shape[1:] if len(action) == 1 else action.shape}"
            )
        if np.isnan(action).any():
            raise _core.UserError("an action is not a number")
        bounded = np.clip(action, self.low, self.high)
        self.inputs[:] = bounded
        self.batch.step(self.task.frame_skip)
        self.steps += 1
        failed = self.batch.failed > 0
        reward = np.where(failed, 0.0, self.task.reward(self.batch, bounded))
        ended = failed.copy()
        if self.task.terminated is not None:
            ended |= np.asarray(self.task.terminated(self.batch), bool)
        return reward, ended, self.steps >= self.task.episode_steps

    def _shown_world(self) -> _core.World:
        """A world for pictures, put where the first one of the batch is."""
        if self._shown is None:
            self._shown = _core.World(self.task.model, **self.task.options)
        self._shown.state = self.batch.state(0)
        return self._shown

    def picture(self, world: int = 0) -> NDArray[np.uint8]:
        drawn: NDArray[np.uint8] = _core._draw_of_batch(  # type: ignore[attr-defined]
            self.batch, world, self._camera(world), *self.task.picture_size
        )
        return drawn

    def _camera(self, world: int) -> str:
        """From where a world is seen. A view by name is that of the first picture, so that a film does not tremble,
        and goes along with a free body that everything hangs on."""
        if self.task.camera is not None and not isinstance(self.task.camera, str):
            return camera_text(self.task.camera)
        place = self._place(world)
        if self._seen_from is None:
            eye, target = _core._camera_of_batch(  # type: ignore[attr-defined]
                self.batch, world, self.task.camera or "home"
            )
            self._seen_from = (np.asarray(eye), np.asarray(target), place)
        eye, target, first = self._seen_from
        return camera_text((eye + place - first, target + place - first))

    def _place(self, world: int) -> Array:
        """Level place (m) of the first joint, if it is a free one."""
        joint = next(iter(self.task.model.joints), None)
        if joint is None or joint.type != "free":
            return np.zeros(3)
        x, y, _ = self.batch.q[world, self.task.model.q_slice(joint.name)][4:7]
        return np.array([x, y, 0.0])

    def show(self) -> None:
        """In the live viewer, which opens with the first call."""
        world = self._shown_world()
        if self._view is None:
            self._view = View(world)
            self._view.open_browser()
        self._view.sync()

    def close(self) -> None:
        if self._view is not None:
            self._view.close()
        self._view = None


class Environment(gymnasium.Env[NDArray[np.float32], NDArray[np.float32]]):
    """One world as an environment of Gymnasium."""

    metadata: dict[str, Any] = {"render_modes": ["rgb_array", "human"], "render_fps": 50}
    render_mode: str | None
    action_space: Space
    observation_space: Space

    def __init__(self, task: Task, render_mode: str | None = None):
        """Of a task. render_mode: "rgb_array", render() draws a picture; "human": the live viewer shows every step."""
        if render_mode not in (None, "rgb_array", "human"):
            raise _core.UserError(f"render_mode is None, 'rgb_array' or 'human', not '{render_mode}'")
        self._worlds = _Worlds(task, 1)
        self.render_mode = render_mode
        # One step of the environment is one picture.
        self.metadata = {**self.metadata, "render_fps": round(1.0 / (task.frame_skip * self._worlds.batch.h))}
        self.action_space = self._worlds.action_space
        self.observation_space = self._worlds.observation_space

    @property
    def batch(self) -> _core.Batch:
        """The batch of one world behind the environment."""
        return self._worlds.batch

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Begins an episode; the same seed, the same start."""
        super().reset(seed=seed)
        self._worlds.start(0, self.np_random)
        self._show()
        return self._worlds.observation()[0], {}

    def step(
        self, action: NDArray[np.float32]
    ) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        """Observation, reward, terminated, truncated, and the time (s) as information."""
        reward, ended, cut = self._worlds.step(np.asarray(action, np.float64)[None])
        info = {"time": float(self.batch.time[0])}
        self._show()
        return self._worlds.observation()[0], float(reward[0]), bool(ended[0]), bool(cut[0]), info

    def _show(self) -> None:
        if self.render_mode == "human":
            self._worlds.show()

    def render(self) -> NDArray[np.uint8] | None:  # type: ignore[override]
        """A picture (height, width, 3) where render_mode is "rgb_array"; None otherwise."""
        return self._worlds.picture() if self.render_mode == "rgb_array" else None

    def close(self) -> None:
        """Shows the world no longer."""
        self._worlds.close()


class VectorEnvironment(gymnasium.vector.VectorEnv[NDArray[np.float32], NDArray[np.float32], Any]):
    """Many worlds as one environment of Gymnasium; they step together on the threads of the task, all cores unless set.

    An episode that has ended begins anew in the next step, whose action does not count (Gymnasium's NEXT_STEP). Every
    world has random numbers of its own, those of an Environment with the same seed.
    """

    metadata: dict[str, Any] = {
        "render_modes": ["rgb_array"],
        "render_fps": 50,
        "autoreset_mode": gymnasium.vector.AutoresetMode.NEXT_STEP,
    }
    render_mode: str | None
    single_action_space: Space
    single_observation_space: Space
    action_space: Space
    observation_space: Space

    def __init__(self, task: Task, num_envs: int, render_mode: str | None = None):
        """Of a task; num_envs worlds. render_mode: "rgb_array", render() draws a picture of each."""
        if render_mode not in (None, "rgb_array"):
            raise _core.UserError(f"render_mode of many worlds is None or 'rgb_array', not '{render_mode}'")
        self.num_envs = num_envs
        self._worlds = _Worlds(task, num_envs)
        self.render_mode = render_mode
        self.metadata = {**self.metadata, "render_fps": round(1.0 / (task.frame_skip * self._worlds.batch.h))}
        self.single_action_space = self._worlds.action_space
        self.single_observation_space = self._worlds.observation_space
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self._over = np.zeros(num_envs, bool)
        self._randoms = [np.random.default_rng() for _ in range(num_envs)]

    @property
    def batch(self) -> _core.Batch:
        """The batch behind the environment."""
        return self._worlds.batch

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Begins an episode in all worlds; the same seed, the same starts.

        seed: a number, to which every world adds its own, or one for each world; None: random numbers go on.
        """
        if isinstance(seed, (int, np.integer)):
            super().reset(seed=seed)
            seed = [seed + world for world in range(self.num_envs)]
        if seed is not None:
            if len(seed) != self.num_envs:
                raise _core.UserError(f"there are {self.num_envs} worlds, but {len(seed)} seeds")
            for world, one in enumerate(seed):
                if one is not None:
                    self._randoms[world] = seeding.np_random(one)[0]
        for world in range(self.num_envs):
            self._worlds.start(world, self._randoms[world])
        self._over[:] = False
        return self._worlds.observation(), {}

    def step(
        self, actions: NDArray[np.float32]
    ) -> tuple[NDArray[np.float32], Array, NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Observations, rewards, terminated, truncated, and times (s) as information."""
        anew = np.flatnonzero(self._over)
        with _on_threads(self._worlds.task.threads):
            reward, ended, cut = self._worlds.step(np.asarray(actions, np.float64))
        if anew.size > 0:
            for world in anew:
                self._worlds.start(int(world), self._randoms[world])
            reward[anew], ended[anew], cut[anew] = 0.0, False, False
        self._over = ended | cut
        return self._worlds.observation(), reward, ended, cut, {"time": self.batch.time.copy()}

    def render(self) -> tuple[NDArray[np.uint8], ...] | None:
        """A picture (height, width, 3) of each world where render_mode is "rgb_array"; None otherwise."""
        if self.render_mode is None:
            return None
        return tuple(self._worlds.picture(world) for world in range(self.num_envs))


def _model_of(scene: str | Path | _core.Model) -> _core.Model:
    if isinstance(scene, _core.Model):
        return scene
    known = [name for name, _ in _core.scenes()]
    if str(scene) in known or not Path(scene).suffix:
        return _core.make_scene(str(scene))
    return _core.load(scene)


@overload
def make_env(
    scene: str | Path | _core.Model, observation: Observation, reward: Reward, *, num_envs: None = None, **task: Any
) -> Environment: ...
@overload
def make_env(
    scene: str | Path | _core.Model, observation: Observation, reward: Reward, *, num_envs: int, **task: Any
) -> VectorEnvironment: ...
def make_env(
    scene: str | Path | _core.Model,
    observation: Observation,
    reward: Reward,
    *,
    num_envs: int | None = None,
    render_mode: str | None = None,
    **task: Any,
) -> Environment | VectorEnvironment:
    """An environment of a scene (its name, a model file or a Model), seen and rewarded by two functions.

    num_envs: None: one world; otherwise so many that step together. render_mode: "rgb_array", or "human" of one world.
    Further keywords are the fields of Task.
    """
    made = Task(_model_of(scene), observation, reward, **task)
    if num_envs is None:
        return Environment(made, render_mode)
    return VectorEnvironment(made, num_envs, render_mode)


def _with_servos(arm: _core.Model, kp_per_effort: float, kv_per_kp: float) -> _core.Model:
    """The model with a position servo on every hinge that has none; a control is an angle (rad)."""
    builder = _core.ModelBuilder(arm.name).attach(arm)
    for joint in arm.joints:
        if joint.type == "revolute":
            kp = kp_per_effort * joint.effort_limit
            builder.add_actuator(_core.position_servo(joint.name, joint.name, kp, kv_per_kp * kp, joint.effort_limit))
    return builder.build()


def reach(num_envs: int | None = None, *, model: str = "arm", **task: Any) -> Environment | VectorEnvironment:
    """An arm brings its tool to a place that is drawn anew for every episode.

    Seen: positions, velocities, the place and the way to it (m). Rewarded: minus the distance (m), and 1 within
    3 cm. model: "arm", our own, or "panda", Franka's of the shared models (STICTION_SHARED).
    """
    if model == "panda":
        arm = _core.load(_core.shared_file("models/franka_emika_panda/panda.xml"))
        point = ("body", "hand")
    elif model == "arm":
        arm, point = _with_servos(_core.make_scene("arm"), 8.0, 0.1), ("frame", "tool")
    else:
        raise _core.UserError(f"there is no arm '{model}'; there are 'arm' and 'panda'")
    low, high = _bounds(arm, "controls")
    if model == "arm":
        # Its servos have no range of their own.
        low, high = 2.0 * low, 2.0 * high
    targets = np.zeros((num_envs or 1, 3))

    def tool(batch: _core.Batch) -> Array:
        return batch.frame_positions(point[1]) if point[0] == "frame" else batch.body_positions(point[1])

    def observation(batch: _core.Batch) -> Array:
        return np.hstack([batch.q, batch.v, targets, targets - tool(batch)])

    def reward(batch: _core.Batch, action: Array) -> Array:
        distance = np.linalg.norm(targets - tool(batch), axis=1)
        return np.asarray(-distance + (distance < 0.03), np.float64)

    def start(batch: _core.Batch, worlds: Sequence[int], random: np.random.Generator) -> None:
        # A ring in front of and beside the base that both arms can reach.
        radius, angle = random.uniform(0.35, 0.6, len(worlds)), random.uniform(-1.5, 1.5, len(worlds))
        targets[worlds] = np.column_stack(
            [radius * np.cos(angle), radius * np.sin(angle), random.uniform(0.2, 0.7, len(worlds))]
        )
        held = np.array([arm.q0[arm.q_slice(a.target)][0] if a.target in arm.joint_names else 0.0 for a in arm.actuators])
        batch.controls[worlds] = held

    fields: dict[str, Any] = {
        "start": start,
        "action_low": low,
        "action_high": high,
        "episode_steps": EPISODE_STEPS["Reach"],
        **task,
    }
    return make_env(arm, observation, reward, num_envs=num_envs, **fields)


def quadruped_velocity(num_envs: int | None = None, **task: Any) -> Environment | VectorEnvironment:
    """A quadruped follows a level velocity that is drawn anew for every episode.

    Seen: height (m), attitude, velocities, angles of the legs (rad) and the velocity that is asked for (m/s). Acts:
    angles (rad) by which servos leave the standing pose. Rewarded: for the velocity, for standing level, and minus a
    little for large angles. Ends when the trunk falls.
    """
    model = _core.make_scene("quadruped_standing")
    legs_q = slice(7, model.num_q)
    asked = np.zeros((num_envs or 1, 2))

    def up(batch: _core.Batch) -> Array:
        """The third row of the rotation of the trunk: the world's z in its axes."""
        w, x, y, z = batch.body_quaternions("trunk").T
        return np.column_stack([2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)])

    def observation(batch: _core.Batch) -> Array:
        height = batch.body_positions("trunk")[:, 2:]
        return np.hstack([height, up(batch), batch.v[:, :6], batch.q[:, legs_q], batch.v[:, 6:], asked])

    def reward(batch: _core.Batch, action: Array) -> Array:
        error = np.sum(np.square(batch.body_velocities("trunk")[:, 3:5] - asked), axis=1)
        effort = np.sum(np.square(action), axis=1)
        return np.asarray(np.exp(-4.0 * error) + 0.2 * up(batch)[:, 2] - 0.01 * effort, np.float64)

    def terminated(batch: _core.Batch) -> NDArray[np.bool_]:
        fallen: NDArray[np.bool_] = (batch.body_positions("trunk")[:, 2] < 0.15) | (up(batch)[:, 2] < 0.5)
        return fallen

    def start(batch: _core.Batch, worlds: Sequence[int], random: np.random.Generator) -> None:
        asked[worlds] = random.uniform([-0.3, -0.2], [0.8, 0.2], (len(worlds), 2))

    fields: dict[str, Any] = {
        "terminated": terminated,
        "start": start,
        "action_low": -0.6,
        "action_high": 0.6,
        "episode_steps": EPISODE_STEPS["QuadrupedVelocity"],
        **task,
    }
    return make_env(model, observation, reward, num_envs=num_envs, **fields)
