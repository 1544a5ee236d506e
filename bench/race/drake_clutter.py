#!/usr/bin/env python3
"""Drake's side of the race with contact: simulates a scene that stiction_race wrote, prints what it measured as JSON.

usage: drake_clutter.py SCENE.json      (bench/race/contact_peers_drake.cpp writes and reads both)

The scene falls from its start for fall_steps; then the pile that is given as "rest" is taken over, settles, and is timed.
Times are processor times of AdvanceTo by one step; reading contacts and velocities is outside.
"""
import importlib.metadata
import json
import logging
import statistics
import sys
import time

import numpy as np
from pydrake.common.eigen_geometry import Quaternion
from pydrake.geometry import AddContactMaterial, Box, HalfSpace, ProximityProperties, Sphere
from pydrake.math import RigidTransform
from pydrake.multibody.math import SpatialVelocity
from pydrake.multibody.plant import AddMultibodyPlant, CoulombFriction, MultibodyPlantConfig
from pydrake.multibody.tree import SpatialInertia, UnitInertia
from pydrake.systems.analysis import Simulator
from pydrake.systems.framework import DiagramBuilder

STICTION_TOLERANCE = 1e-4  # m/s, as ours


def pose(quaternion, position):
    return RigidTransform(Quaternion(np.array(quaternion) / np.linalg.norm(quaternion)), position)


def register(plant, body, shape):
    properties = ProximityProperties()
    AddContactMaterial(dissipation=shape["dissipation"], point_stiffness=shape["stiffness"],
                       friction=CoulombFriction(shape["friction"], shape["friction"]), properties=properties)
    properties.AddProperty("material", "relaxation_time", shape["relaxation_time"])
    if "radius" in shape:
        geometry = Sphere(shape["radius"])
    elif "edges" in shape:
        geometry = Box(*shape["edges"])
    else:
        geometry = HalfSpace()
    plant.RegisterCollisionGeometry(body, pose(shape["quaternion"], shape["position"]), geometry, shape["name"], properties)


class Pile:
    """A scene in one of its states."""

    def __init__(self, scene, state):
        builder = DiagramBuilder()
        config = MultibodyPlantConfig(time_step=scene["h"], discrete_contact_approximation=scene["law"], contact_model="point",
                                      stiction_tolerance=STICTION_TOLERANCE)
        self.plant, _ = AddMultibodyPlant(config, builder)
        for shape in scene["fixed"]:
            register(self.plant, self.plant.world_body(), shape)
        self.bodies = []
        for body in scene["bodies"]:
            unit = UnitInertia(*(np.array(body["moments"]) / body["mass"]))
            self.bodies.append(self.plant.AddRigidBody(body["name"], SpatialInertia(body["mass"], np.zeros(3), unit)))
            for shape in body["shapes"]:
                register(self.plant, self.bodies[-1], shape)
        self.plant.Finalize()
        self.simulator = Simulator(builder.Build())
        self.context = self.plant.GetMyMutableContextFromRoot(self.simulator.get_mutable_context())
        for body, numbers in zip(self.bodies, state):
            self.plant.SetFreeBodyPose(self.context, body, pose(numbers[:4], numbers[4:7]))
            self.plant.SetFreeBodySpatialVelocity(context=self.context, body=body,
                                                  V_JpJc=SpatialVelocity(np.array(numbers[7:10]), np.array(numbers[10:13])))
        self.simulator.Initialize()
        self.h, self.steps = scene["h"], 0

    def step(self):
        """One step; returns its processor time (s)."""
        self.steps += 1
        start = time.thread_time()
        self.simulator.AdvanceTo(self.steps * self.h)
        return time.thread_time() - start

    def times(self, steps, most_s, look=lambda: None):
        """Processor times of some steps, fewer if they take more than most_s; looks at the pile after each."""
        times = []
        while len(times) < steps and (sum(times) < most_s or not times):
            times.append(self.step())
            look()
        return times

    def contacts(self):
        """Number of points and the deepest overlap (m)."""
        results = self.plant.get_contact_results_output_port().Eval(self.context)
        count = results.num_point_pair_contacts()
        return count, max((results.point_pair_contact_info(i).point_pair().depth for i in range(count)), default=0.0)

    def speeds(self):
        """Of the bodies' origins (m/s)."""
        return np.array([np.linalg.norm(body.EvalSpatialVelocityInWorld(self.context).translational()) for body in self.bodies])


def main():
    logging.getLogger("drake").setLevel(logging.ERROR)  # half-spaces and deformable bodies, of which there are none
    with open(sys.argv[1]) as file:
        scene = json.load(file)
    fall = Pile(scene, scene["start"]).times(scene["fall_steps"], scene["fall_s"]) if scene["fall_steps"] > 0 else []
    pile = Pile(scene, scene["rest"])
    pile.times(scene["settle_steps"], scene["settle_s"])
    speed_sums, counts, depths = np.zeros(len(scene["bodies"])), [], []

    def look():
        nonlocal speed_sums
        speed_sums += pile.speeds()
        count, depth = pile.contacts()
        counts.append(count)
        depths.append(depth)

    times = pile.times(scene["rest_steps"], scene["rest_s"], look)
    print(json.dumps({"version": importlib.metadata.version("drake"), "fall_s": fall, "rest_steps": len(times),
                      "step_s": times, "deepest_m": statistics.median(depths), "contacts": statistics.mean(counts),
                      "speed_sums": speed_sums.tolist()}))


if __name__ == "__main__":
    main()
