"""Small MJCF models, each with one feature of the format, as our loader reads them against MuJoCo: bodies, joints, geoms,
actuators and keyframes as in test_mjcf_oracle.py, and here everything that the model keeps beside them."""

import json
import subprocess

import pytest

np = pytest.importorskip("numpy", reason="the package numpy is not installed")
mujoco = pytest.importorskip("mujoco", reason="the package mujoco is not installed")

import mjcf_oracle
import mjcf_snippets
import probe
import test_mjcf_oracle as whole

WITHIN = 1e-9  # relative: MuJoCo's principal axes of meshes are off by up to 1e-6 rad, which enters moments squared
# MuJoCo's shell of an ellipsoid is 1e-6 m thick, ours has no thickness: relative to the radii of the snippets.
ELLIPSOID_SHELL_WITHIN = 2e-5
# It subdivides built-in spheres in single precision.
BUILT_IN_WITHIN = 1e-7
GEOMS = {"plane": "half_space", "hfield": "height_field", "mesh": "hull"}
DISABLED = {"gravity": mujoco.mjtDisableBit.mjDSBL_GRAVITY}


class Pair:
    """One snippet loaded by both: our description and our model in JSON, their model."""

    def __init__(self, files, folder):
        for name, text in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(text if isinstance(text, bytes) else text.encode())
        self.file = folder / "model.xml"
        self.description = probe.describe({"file": str(self.file)})
        self.oracle = mjcf_oracle.MjcfOracle(self.file, self.description)
        self.model = self.oracle.model
        self.oracle.rotor = self.rotor
        saved = folder / "model.json"
        done = subprocess.run([probe.build_folder() / "bin" / "stiction", "convert", self.file, saved], capture_output=True,
                              text=True, check=False)
        assert done.returncode == 0, done.stderr
        self.ours = json.loads(saved.read_text())
        self.elements = self.ours["elements"]

    def rotor(self, joint):
        """Armature and damping that actuators, which may have several controls, add to a joint."""
        model = self.model
        sums = np.zeros(2)
        for index in range(model.nactuator):
            if model.actuator_trntype[index] == mujoco.mjtTrn.mjTRN_JOINT and model.actuator_trnid[index][0] == joint:
                gear = model.actuator_gear[model.actuator_outadr[index]][0]
                sums += gear**2 * np.array([model.actuator_armature[index], np.ravel(model.actuator_damping)[index]])
        return sums

    def whole(self):
        return self.file, self.description, self.oracle

    def name(self, kind, index):
        return mujoco.mj_id2name(self.model, kind, index) or ""

    def body(self, index):
        return self.ours["bodies"][index]["name"]

    def joint(self, index):
        return next(joint["name"] for joint, theirs in self.oracle.joints if theirs == index)


def near(ours, theirs, what, within=WITHIN):
    theirs = np.array(theirs, dtype=float)
    assert np.array(ours, dtype=float) == pytest.approx(theirs, rel=within, abs=within), what


def same_pose(pose, position, quaternion, what):
    near(pose["p"], position, what, whole.POSE_WITHIN)
    near(pose["R"], mjcf_oracle.rotation(quaternion), what, whole.POSE_WITHIN)


def same_range(ours, limited, theirs, what):
    limited = bool(limited) and np.isfinite(theirs).any()  # a range without finite ends is none
    assert ours["limited"] == limited, what
    if limited:
        near([ours["lower"], ours["upper"]], theirs, what)


def check_bodies(pair):
    model = pair.model
    for index, body in enumerate(pair.ours["bodies"]):
        assert body["parent"] == model.body_parentid[index] or index == 0
        same_pose(body["X_PB"], model.body_pos[index], model.body_quat[index], body["name"])
    compensated = {item["body"]: item["fraction"] for item in pair.elements["gravity_compensation"]}
    near([compensated.get(body["name"], 0.0) for body in pair.ours["bodies"]], model.body_gravcomp, "gravcomp")
    mocap = [pair.body(index) for index in range(model.nbody) if model.body_mocapid[index] >= 0]
    assert pair.elements["mocap_bodies"] == mocap


def half_sizes(shape):
    kind = shape["type"]
    if kind == "sphere":
        return [shape["radius"], 0, 0]
    if kind in ("capsule", "cylinder"):
        return [shape["radius"], shape["length"] / 2, 0]
    return shape["half_extents"] if kind == "box" else shape["radii"]


def check_geoms(pair):
    model = pair.model
    theirs = [index for body in range(model.nbody) for index in range(model.ngeom) if model.geom_bodyid[index] == body]
    ours = sorted(zip(pair.ours["shapes"], pair.elements["shapes"]), key=lambda item: item[0]["body"])
    for (placed, properties), index in zip(ours, theirs):
        shape, what = placed["shape"], placed["name"]
        kind = mujoco.mjtGeom(model.geom_type[index]).name[len("mjGEOM_"):].lower()
        expected = GEOMS.get(kind, kind)
        assert shape["type"] == ("mesh" if expected == "hull" and not properties["collides"] else expected), what
        if kind not in GEOMS:
            used = {"sphere": 1, "capsule": 2, "cylinder": 2}.get(kind, 3)
            near(half_sizes(shape)[:used], model.geom_size[index][:used], what)
        for key in ("contype", "conaffinity", "condim", "priority", "solmix", "solref", "solimp", "margin", "gap", "group",
                    "friction", "rgba"):
            near(properties[key], getattr(model, "geom_" + key)[index], f"{what}: {key}", 1e-6 if key == "rgba" else WITHIN)
        assert (properties["fluid_shape"] == "ellipsoid") == bool(model.geom_fluid[index][0])
        if model.geom_fluid[index][0]:
            near(properties["fluid_coefficients"], model.geom_fluid[index][1:6], what)
    for index, field in enumerate(pair.ours["height_fields"]):
        begin = model.hfield_adr[index]
        rows, cols = model.hfield_nrow[index], model.hfield_ncol[index]
        heights = np.array(field["heights"])
        # MuJoCo keeps elevations of 0 to 1 in single precision and their scale apart.
        near(heights.flatten(), model.hfield_size[index][2] * model.hfield_data[begin:begin + rows * cols], "heights", 1e-6)


def check_fitted(pair):
    """Principal axes have no direction, and boxes, capsules and the like are the same both ways round."""
    ours, (_, (R, p)) = pair.description["shapes"][0], pair.oracle.geoms()[1][0]
    near(ours["X_BS"]["p"], p, "place")
    near(np.abs(np.diag(np.array(ours["X_BS"]["R"]).T @ R)), np.ones(3), "axes")


def check_meshes(pair):
    """Vertices of collision hulls lie among MuJoCo's vertices, and display meshes are its meshes."""
    model = pair.model
    for mesh in range(model.nmesh):
        begin, count = model.mesh_vertadr[mesh], model.mesh_vertnum[mesh]
        R, p = mjcf_oracle.rotation(model.mesh_quat[mesh]), model.mesh_pos[mesh]
        theirs = model.mesh_vert[begin:begin + count] @ R.T + p
        for placed in pair.ours["shapes"]:
            kind = placed["shape"]["type"]
            if kind in ("hull", "mesh") and model.nmesh == 1:
                ours = np.array(pair.ours[kind + ("s" if kind == "hull" else "es")][placed["shape"][kind]]["vertices"])
                distances = np.linalg.norm(ours[:, None, :] - theirs[None, :, :], axis=2)
                assert np.max(np.min(distances, axis=1)) < 1e-6  # single precision
                if kind == "mesh":
                    assert np.max(np.min(distances, axis=0)) < 1e-6


def check_sites(pair):
    model = pair.model
    frames = {frame["name"]: frame for frame in pair.ours["frames"]}
    assert len(pair.elements["sites"]) == model.nsite
    for index in range(model.nsite):
        name = pair.name(mujoco.mjtObj.mjOBJ_SITE, index)
        site = next(site for site in pair.elements["sites"] if site["frame"] == name)
        frame = frames[name]
        assert frame["body"] == model.site_bodyid[index]
        same_pose(frame["X_BF"], model.site_pos[index], model.site_quat[index], name)
        kind = mujoco.mjtGeom(model.site_type[index]).name[len("mjGEOM_"):].lower()
        used = {"sphere": 1, "capsule": 2, "cylinder": 2}.get(kind, 3)
        assert site["type"] == kind
        near(site["size"][:used], model.site_size[index][:used], name)


def check_display(pair):
    model = pair.model
    assert [camera["name"] for camera in pair.elements["cameras"]] == [camera.name for camera in map(model.cam, range(model.ncam))]
    for index, camera in enumerate(pair.elements["cameras"]):
        same_pose(camera["X_BC"], model.cam_pos[index], model.cam_quat[index], camera["name"])
        near(camera["field_of_view"], np.radians(model.cam_fovy[index]), camera["name"])
    for index, light in enumerate(pair.elements["lights"]):
        near(light["position"], model.light_pos[index], light["name"])
        direction = np.array(light["direction"])
        near(direction / np.linalg.norm(direction), model.light_dir[index], light["name"])


def check_contacts(pair):
    model = pair.model
    excludes = sorted((e["body1"], e["body2"]) for e in pair.elements["excludes"])
    signatures = [(pair.body(s >> 16), pair.body(s & 0xFFFF)) for s in model.exclude_signature]
    assert sorted(map(sorted, excludes)) == sorted(map(sorted, signatures))
    assert len(pair.elements["pairs"]) == model.npair
    for index, ours in enumerate(pair.elements["pairs"]):
        names = {pair.name(mujoco.mjtObj.mjOBJ_GEOM, geom) for geom in (model.pair_geom1[index], model.pair_geom2[index])}
        assert {ours["shape1"], ours["shape2"]} == names
        assert ours["condim"] == model.pair_dim[index]
        for key, theirs in (("friction", "friction"), ("solref", "solref"), ("solref_friction", "solreffriction"),
                            ("solimp", "solimp"), ("margin", "margin"), ("gap", "gap")):
            near(ours[key], getattr(model, "pair_" + theirs)[index], f"pair {index}: {key}")


def check_equalities(pair):
    model = pair.model
    kinds = {"connect": mujoco.mjtEq.mjEQ_CONNECT, "weld": mujoco.mjtEq.mjEQ_WELD, "joint": mujoco.mjtEq.mjEQ_JOINT,
             "tendon": mujoco.mjtEq.mjEQ_TENDON}
    assert len(pair.elements["equalities"]) == model.neq
    for index, ours in enumerate(pair.elements["equalities"]):
        kind, data = ours["kind"], model.eq_data[index]
        what = f"equality {index}"
        assert model.eq_type[index] == kinds[kind], what
        assert ours["active"] == bool(model.eq_active0[index]), what
        near(ours["solref"], model.eq_solref[index], what)
        near(ours["solimp"], model.eq_solimp[index], what)
        is_body = kind in ("connect", "weld") and not ours["between_sites"]
        object_type = (mujoco.mjtObj.mjOBJ_JOINT if kind == "joint" else mujoco.mjtObj.mjOBJ_TENDON if kind == "tendon"
                       else mujoco.mjtObj.mjOBJ_BODY if is_body else mujoco.mjtObj.mjOBJ_SITE)
        for name, theirs in ((ours["object1"], model.eq_obj1id[index]), (ours["object2"], model.eq_obj2id[index])):
            expected = pair.name(object_type, theirs) if theirs >= 0 else ""
            assert (name or ("world" if is_body else "")) == expected, what
        if kind in ("joint", "tendon"):
            near(ours["polynomial"], data[:5], what)
        elif kind == "connect" and is_body:
            near(ours["anchor"], data[:3], what)
        elif kind == "weld":
            near(ours["torque_scale"], data[10], what)
            if is_body:
                near(ours["anchor"], data[:3], what)
            if is_body and any(ours["relative_quaternion"]):
                near(ours["relative_position"], data[3:6], what)
                near(ours["relative_quaternion"], data[6:10], what)


def check_tendons(pair):
    model = pair.model
    assert len(pair.elements["tendons"]) == model.ntendon
    if model.ntendon == 0:
        return
    question = json.dumps({"file": str(pair.file), "states": [pair.ours["q0"]]})
    done = subprocess.run([probe.build_folder() / "bin" / "stiction_transmission_probe"], input=question, capture_output=True,
                          text=True, check=False)
    assert done.returncode == 0, done.stderr
    lengths = [tendon["length"] for tendon in json.loads(done.stdout)["states"][0]["tendons"]]
    near(lengths, model.tendon_length0, "tendon lengths", whole.DYNAMICS_WITHIN)
    for index, ours in enumerate(pair.elements["tendons"]):
        what = ours["name"]
        assert what == pair.name(mujoco.mjtObj.mjOBJ_TENDON, index)
        same_range(ours["range"], model.tendon_limited[index], model.tendon_range[index], what)
        same_range(ours["force_range"], model.tendon_actfrclimited[index], model.tendon_actfrcrange[index], what)
        for key, theirs in (("stiffness", "stiffness"), ("damping", "damping"), ("friction_loss", "frictionloss"),
                            ("armature", "armature"), ("margin", "margin"), ("solref_limit", "solref_lim"),
                            ("solimp_limit", "solimp_lim"), ("solref_friction", "solref_fri"),
                            ("solimp_friction", "solimp_fri"), ("width", "width")):
            near(ours[key], getattr(model, "tendon_" + theirs)[index], f"{what}: {key}")
        spring = [length if length >= 0 else lengths[index] for length in ours["spring_length"]]
        near(spring, model.tendon_lengthspring[index], what)


def check_law(ours, model, index, what):
    assert model.actuator_gaintype[index] == getattr(mujoco.mjtGain, "mjGAIN_" + ours["gain"].upper()), what
    assert model.actuator_biastype[index] == getattr(mujoco.mjtBias, "mjBIAS_" + ours["bias"].upper()), what
    assert model.actuator_dyntype[index] == getattr(mujoco.mjtDyn, "mjDYN_" + ours["dynamics"].upper()), what
    near(ours["gain_parameters"], model.actuator_gainprm[index], what)
    near(ours["bias_parameters"], model.actuator_biasprm[index], what)
    near(ours["dynamics_parameters"], model.actuator_dynprm[index], what)


def check_actuators(pair):
    model = pair.model
    kinds = {"joint": "JOINT", "joint_in_parent": "JOINTINPARENT", "site": "SITE", "tendon": "TENDON", "body": "BODY",
             "slider_crank": "SLIDERCRANK"}
    assert len(pair.elements["actuators"]) == model.nactuator
    for index, ours in enumerate(pair.elements["actuators"]):
        what = f"actuator {index}"
        out, ctrl = model.actuator_outadr[index], model.actuator_ctrladr[index]
        assert ours["name"] == pair.name(mujoco.mjtObj.mjOBJ_ACTUATOR, index)
        check_law(ours, model, index, what)
        if ours["gain"] == "so3":
            continue  # MuJoCo has a transmission of its own for them
        assert model.actuator_trntype[index] == getattr(mujoco.mjtTrn, "mjTRN_" + kinds[ours["transmission"]]), what
        first, second = model.actuator_trnid[index]
        target = {"joint": lambda: pair.joint(first), "joint_in_parent": lambda: pair.joint(first),
                  "tendon": lambda: pair.name(mujoco.mjtObj.mjOBJ_TENDON, first), "body": lambda: pair.body(first)}.get(
                      ours["transmission"], lambda: pair.name(mujoco.mjtObj.mjOBJ_SITE, first))()
        assert ours["target"] == target, what
        if second >= 0:
            assert (ours["reference_site"] or ours["slider_site"]) == pair.name(mujoco.mjtObj.mjOBJ_SITE, second), what
        near(ours["gear"], model.actuator_gear[out], what)
        same_range(ours["force"], model.actuator_forcelimited[index], model.actuator_forcerange[index], what)
        if model.actuator_ctrlnum[index] > 0:
            same_range(ours["control"], model.actuator_ctrllimited[ctrl], model.actuator_ctrlrange[ctrl], what)
        if any(ours["length_range"]):
            near(ours["length_range"], model.actuator_lengthrange[out], what)
        near(ours["crank_length"], model.actuator_cranklength[index], what)
        same_range(ours["activation"], model.actuator_actlimited[index], model.actuator_actrange[index], what)
        near(ours["early_activation"], model.actuator_actearly[index], what)
        near(ours["armature"], model.actuator_armature[index], what)
        near(ours["damping"], np.ravel(model.actuator_damping)[index], what)
        assert ours["group"] == model.actuator_group[index], what


def check_joint_actuation(pair):
    model = pair.model
    ours = {item["joint"]: item for item in pair.elements["joint_actuation"]}
    for joint, index in pair.oracle.joints:
        item = ours.get(joint["name"], {"force": {"limited": False}, "compensates_gravity": False})
        same_range(item["force"], model.jnt_actfrclimited[index], model.jnt_actfrcrange[index], joint["name"])
        assert item["compensates_gravity"] == bool(model.jnt_actgravcomp[index])


def check_sensors(pair):
    model = pair.model
    theirs = sorted(pair.name(mujoco.mjtObj.mjOBJ_SENSOR, index) for index in range(model.nsensor))
    assert sorted(sensor["name"] for sensor in pair.elements["sensors"]) == theirs
    for sensor in pair.elements["sensors"]:
        near([sensor["cutoff"], sensor["noise"]],
             [float(model.sensor(sensor["name"]).cutoff[0]), float(model.sensor(sensor["name"]).noise[0])], sensor["name"])


def check_keyframes(pair):
    model = pair.model
    assert [key["name"] for key in pair.elements["keyframes"]] == [model.key(index).name for index in range(model.nkey)]
    for index, ours in enumerate(pair.elements["keyframes"]):
        near(ours["time"], model.key_time[index], "time")
        assert whole.same_positions(pair.oracle, pair.oracle.positions(np.array(ours["q"])), model.key_qpos[index])
        T = pair.oracle.basis.T(np.array(ours["q"]))
        near(T @ np.array(ours["v"]), model.key_qvel[index], "qvel")
        if ours["activations"]:
            near(ours["activations"], model.key_act[index], "act")
        near(ours["controls"] or model.key_ctrl[0] * 0.0, model.key_ctrl[index], "ctrl")
        if ours["mocap_positions"]:
            near(ours["mocap_positions"], np.ravel(model.key_mpos[index]), "mpos")
        if ours["mocap_quaternions"]:
            near(ours["mocap_quaternions"], np.ravel(model.key_mquat[index]), "mquat")


def check_options(pair):
    model, options = pair.model, pair.elements["options"]
    for key in ("timestep", "iterations", "tolerance", "impratio", "density", "viscosity", "wind", "magnetic"):
        near(options[key], getattr(model.opt, key), key)
    for word, kind in (("integrator", "INT"), ("cone", "CONE"), ("solver", "SOL")):
        names = getattr(mujoco, {"INT": "mjtIntegrator", "CONE": "mjtCone", "SOL": "mjtSolver"}[kind])
        assert getattr(names, f"mj{kind}_{options[word].upper()}") == getattr(model.opt, word)
    for index, numbers in enumerate(pair.elements["numbers"]):
        begin = model.numeric_adr[index]
        near(numbers["data"], model.numeric_data[begin:begin + model.numeric_size[index]], numbers["name"])


CHECKS = [check_bodies, check_geoms, check_meshes, check_sites, check_display, check_contacts, check_equalities, check_tendons,
          check_actuators, check_joint_actuation, check_sensors, check_keyframes, check_options]


@pytest.mark.parametrize("name", mjcf_snippets.SNIPPETS)
def test_a_feature_means_what_it_means_to_mujoco(name, tmp_path, monkeypatch):
    if name.startswith("shell of an ellipsoid"):
        monkeypatch.setattr(whole, "INERTIA_WITHIN", ELLIPSOID_SHELL_WITHIN)
    if name.startswith("built-in"):
        monkeypatch.setattr(whole, "INERTIA_WITHIN", BUILT_IN_WITHIN)
        monkeypatch.setattr(whole, "DYNAMICS_WITHIN", BUILT_IN_WITHIN)
    pair = Pair(mjcf_snippets.SNIPPETS[name], tmp_path)
    whole.test_bodies_weigh_the_same(pair.whole())
    if not any(DISABLED[flag] & pair.model.opt.disableflags for flag in DISABLED):
        whole.test_joints_have_the_same_numbers(pair.whole())
    if "fitted" in name:
        check_fitted(pair)
    else:
        whole.test_geoms_stand_at_the_same_places(pair.whole())
    for check in CHECKS:
        check(pair)
    # Tendons have no inertia here, and MuJoCo's product with the mass matrix leaves rotors out.
    if not (pair.model.tendon_armature.any() or pair.model.actuator_armature.any()):
        whole.test_dynamics_agree_in_random_states(pair.whole())
