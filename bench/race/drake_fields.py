#!/usr/bin/env python3
"""Drake's side of the race with pressure fields (hydroelastic contact): prints what it measured as JSON.

usage: drake_fields.py SCENES.json      (bench/race/field_race.cpp writes and reads both)

{"pairs": [...]}   the contact surface of two shapes at rest: processor time of ComputeContactSurfaces, its force and faces
{"scenes": [...]}  processor time of AdvanceTo by one step, from the start: the median of its second half; where it ends, and
                   the forces between its shapes there, of the pressure alone
"""
import importlib.metadata
import json
import logging
import statistics
import sys
import time

import numpy as np
from pydrake.common.eigen_geometry import Quaternion
from pydrake.common.value import Value
from pydrake.geometry import (AddCompliantHydroelasticProperties, AddCompliantHydroelasticPropertiesForHalfSpace,
                              AddContactMaterial, AddRigidHydroelasticProperties, Box, Capsule, Cylinder, Ellipsoid,
                              FramePoseVector, GeometryInstance, GeometryFrame, HalfSpace, HydroelasticContactRepresentation, Mesh,
                              ProximityProperties, SceneGraph, Sphere)
from pydrake.math import RigidTransform
from pydrake.multibody.math import SpatialVelocity
from pydrake.multibody.plant import AddMultibodyPlant, CoulombFriction, MultibodyPlantConfig
from pydrake.multibody.tree import FixedOffsetFrame, PrismaticJoint, SpatialInertia, UnitInertia
from pydrake.systems.analysis import ApplySimulatorConfig, Simulator, SimulatorConfig
from pydrake.systems.framework import DiagramBuilder, LeafSystem


def pose(quaternion, position):
    return RigidTransform(Quaternion(np.array(quaternion) / np.linalg.norm(quaternion)), position)


def geometry_of(shape):
    kind, size = shape["kind"], shape["size"]
    return {"sphere": lambda: Sphere(*size), "box": lambda: Box(*size), "capsule": lambda: Capsule(*size),
            "cylinder": lambda: Cylinder(*size), "ellipsoid": lambda: Ellipsoid(*size), "half_space": HalfSpace,
            "mesh": lambda: Mesh(shape["file"])}[kind]()


def properties_of(shape):
    properties = ProximityProperties()
    AddContactMaterial(dissipation=shape["dissipation"], friction=CoulombFriction(shape["friction"], shape["friction"]),
                       properties=properties)
    if shape["modulus"] == 0.0:
        if shape["kind"] == "half_space":
            AddRigidHydroelasticProperties(properties=properties)
        else:
            AddRigidHydroelasticProperties(resolution_hint=shape["hint"], properties=properties)
    elif shape["kind"] == "half_space":
        AddCompliantHydroelasticPropertiesForHalfSpace(slab_thickness=shape["depth"], hydroelastic_modulus=shape["modulus"],
                                                       properties=properties)
    else:
        AddCompliantHydroelasticProperties(resolution_hint=shape["hint"], hydroelastic_modulus=shape["modulus"],
                                           properties=properties)
    return properties


def force_of(surface):
    """N, of the pressure of a contact surface, on its first geometry, towards which its normals point."""
    force, field = np.zeros(3), surface.poly_e_MN()
    for i in range(surface.num_faces()):
        force += surface.area(i) * field.EvaluateCartesian(i, surface.centroid(i)) * np.asarray(surface.face_normal(i))
    return force


def processor_time(work, at_least):
    """Seconds of one call: the least of some batches."""
    work()
    best, calls = float("inf"), 1
    while True:
        start = time.thread_time()
        for _ in range(calls):
            work()
        took = time.thread_time() - start
        if took > 2e-3:
            best = min(best, took / calls)
            at_least -= took
            if at_least <= 0.0:
                return best
        else:
            calls *= 2


class Pair:
    """Two shapes in a scene graph."""

    def __init__(self, shapes):
        builder = DiagramBuilder()
        self.scene_graph = builder.AddSystem(SceneGraph())
        source = self.scene_graph.RegisterSource("pair")
        # One is anchored, the other moves: two anchored ones are never asked for.
        moving = self.scene_graph.RegisterFrame(source, GeometryFrame("moving"))
        for i, shape in enumerate(shapes):
            instance = GeometryInstance(pose(shape["quaternion"], shape["position"]), geometry_of(shape), f"shape{i}")
            instance.set_proximity_properties(properties_of(shape))
            if i == 0:
                self.scene_graph.RegisterAnchoredGeometry(source, instance)
            else:
                self.scene_graph.RegisterGeometry(source, moving, instance)
        port = self.scene_graph.get_source_pose_port(source)
        self.diagram = builder.Build()
        self.root = self.diagram.CreateDefaultContext()
        context = self.scene_graph.GetMyMutableContextFromRoot(self.root)
        poses = FramePoseVector()
        poses.set_value(moving, RigidTransform())
        port.FixValue(context, Value(poses))
        self.query = self.scene_graph.get_query_output_port().Eval(context)

    def surfaces(self):
        return self.query.ComputeContactSurfaces(HydroelasticContactRepresentation.kPolygon)

    def figures(self):
        force, faces = np.zeros(3), 0
        for surface in self.surfaces():
            force += force_of(surface)
            faces += surface.num_faces()
        return {"s": processor_time(self.surfaces, 0.4), "force": float(np.linalg.norm(force)), "faces": faces}


class Grip(LeafSystem):
    """Forces on two slides, opposite to each other: a square wave."""

    def __init__(self, grip):
        LeafSystem.__init__(self)
        self.grip = grip
        self.DeclareVectorOutputPort("force", 2, self.force)

    def force(self, context, output):
        grip = self.grip
        phase = (context.get_time() % grip["period"]) / grip["period"]
        f = grip["firm"] if phase < grip["duty"] else grip["loose"]
        output.SetFromVector([f, -f])


class Run:
    def __init__(self, scene):
        builder = DiagramBuilder()
        is_continuous = scene["law"] == "cenic"
        config = MultibodyPlantConfig(time_step=0.0 if is_continuous else scene["h"], contact_model="hydroelastic_with_fallback",
                                      contact_surface_representation="polygon", stiction_tolerance=1e-4)
        if not is_continuous:
            config.discrete_contact_approximation = scene["law"]
        self.plant, _ = AddMultibodyPlant(config, builder)
        self.order = {}  # of the shapes, by the ids of their geometries
        for i, shape in enumerate(scene["fixed"]):
            self.add_shape(self.plant.world_body(), shape, f"fixed{i}")
        self.bodies, self.free, slides = [], [], []
        for body in scene["bodies"]:
            inertia = SpatialInertia(body["mass"], np.zeros(3), UnitInertia(*(np.array(body["moments"]) / body["mass"])))
            added = self.plant.AddRigidBody(body["name"], inertia)
            for i, shape in enumerate(body["shapes"]):
                self.add_shape(added, shape, f"{body['name']}{i}")
            self.bodies.append(added)
            if "axis" in body:
                base = self.plant.AddFrame(FixedOffsetFrame(body["name"] + "_base", self.plant.world_frame(),
                                                            RigidTransform(body["origin"])))
                joint = self.plant.AddJoint(PrismaticJoint(body["name"], base, added.body_frame(), body["axis"]))
                slides.append((joint, body))
                self.plant.AddJointActuator(body["name"], joint)
            else:
                self.free.append((added, body))
        self.plant.Finalize()
        if slides:
            grip = builder.AddSystem(Grip(scene["grip"]))
            builder.Connect(grip.get_output_port(), self.plant.get_actuation_input_port())
        self.simulator = Simulator(builder.Build())
        if is_continuous:
            ApplySimulatorConfig(SimulatorConfig(integration_scheme="cenic", max_step_size=scene["h"], use_error_control=False),
                                 self.simulator)
        self.context = self.plant.GetMyMutableContextFromRoot(self.simulator.get_mutable_context())
        for added, body in self.free:
            self.plant.SetFreeBodyPose(self.context, added, pose(body["quaternion"], body["position"]))
        self.simulator.Initialize()
        self.h, self.steps = scene["h"], 0

    def add_shape(self, body, shape, name):
        geometry = self.plant.RegisterCollisionGeometry(body, pose(shape["quaternion"], shape["position"]), geometry_of(shape), name,
                                                        properties_of(shape))
        self.order[geometry] = len(self.order)

    def surfaces(self):
        """Pairs of shapes with the force on the second one, at the end of the last step."""
        query = self.plant.get_geometry_query_input_port().Eval(self.context)
        surfaces, _ = query.ComputeContactSurfacesWithFallback(HydroelasticContactRepresentation.kPolygon)
        return [(self.order[surface.id_N()], self.order[surface.id_M()], force_of(surface).tolist()) for surface in surfaces]

    def poses(self):
        poses = [self.plant.EvalBodyPoseInWorld(self.context, body) for body in self.bodies]
        return [[*X.rotation().ToQuaternion().wxyz(), *X.translation()] for X in poses]

    def step(self):
        self.steps += 1
        start = time.thread_time()
        self.simulator.AdvanceTo(self.steps * self.h)
        return time.thread_time() - start


def run(scene):
    simulated = Run(scene)
    times = []
    while len(times) < scene["steps"] and sum(times) < scene["most_s"]:
        times.append(simulated.step())
    half = times[len(times) // 2:]
    results = simulated.plant.get_contact_results_output_port().Eval(simulated.context)
    faces = sum(results.hydroelastic_contact_info(i).contact_surface().num_faces()
                for i in range(results.num_hydroelastic_contacts()))
    speeds = [np.linalg.norm(body.EvalSpatialVelocityInWorld(simulated.context).translational()) for body, _ in simulated.free]
    return {"median_s": statistics.median(half), "mean_s": statistics.mean(half), "steps": len(times), "faces": faces,
            "points": results.num_point_pair_contacts(), "fastest": float(max(speeds, default=0.0)),
            "poses": simulated.poses(), "surfaces": simulated.surfaces()}


def main():
    logging.getLogger("drake").setLevel(logging.ERROR)
    with open(sys.argv[1]) as file:
        asked = json.load(file)
    print(json.dumps({"version": importlib.metadata.version("drake"),
                      "pairs": [Pair(pair["shapes"]).figures() for pair in asked["pairs"]],
                      "scenes": [run(scene) for scene in asked["scenes"]]}))


if __name__ == "__main__":
    main()
