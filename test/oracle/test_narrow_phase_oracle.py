"""Signed distances of pairs of shapes against MuJoCo's mj_geomDistance and Coal's distance, both as third opinions.

The two find distances by iteration with tolerances of their own, so what is compared with us is also compared with each
other: the difference between them is a measure of their errors, and we must be within it of one of them. Ours are held to
1e-9 and better by the C++ tests, against brute force and quadruple precision.
"""

import json
import subprocess

import pytest

np = pytest.importorskip("numpy", reason="the package numpy is not installed")
mujoco = pytest.importorskip("mujoco", reason="the package mujoco is not installed")
coal = pytest.importorskip("coal", reason="the package coal is not installed")

import probe
import report
import states

POSES = states.fewer(200, 10)
SHAPES = {
    "sphere": [0.3],
    "capsule": [0.15, 0.3],
    "ellipsoid": [0.4, 0.3, 0.2],
    "cylinder": [0.25, 0.3],
    "box": [0.3, 0.25, 0.2],
}
PAIRS = [(a, b) for i, a in enumerate(SHAPES) for b in list(SHAPES)[i:]]
# m. Iterations of the others stop at 1e-6 of their sizes.
WITHIN = 2e-5


def random_poses(random):
    for _ in range(POSES):
        q = random.normal(size=4)
        q /= np.linalg.norm(q)
        direction = random.normal(size=3)
        yield q, direction / np.linalg.norm(direction) * random.uniform(0.3, 1.0)


def matrix(q):
    R = np.zeros(9)
    mujoco.mju_quat2Mat(R, q)
    return R.reshape(3, 3)


def our_distances(pairs):
    program = probe.build_folder() / "bin" / "stiction_contact_probe"
    done = subprocess.run([program, "distance"], input=json.dumps({"pairs": pairs}), capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip())
    return json.loads(done.stdout)


def mujoco_model(a, b):
    def geom(kind, size):
        return f'<geom type="{kind}" size="{" ".join(map(str, size))}"/>'

    return mujoco.MjModel.from_xml_string(
        f'<mujoco><option ccd_tolerance="1e-9" ccd_iterations="200"/><worldbody>{geom(a, SHAPES[a])}'
        f'<body mocap="true">{geom(b, SHAPES[b])}</body></worldbody></mujoco>')


def coal_shape(kind):
    size = SHAPES[kind]
    if kind == "sphere":
        return coal.Sphere(size[0])
    if kind == "capsule":
        return coal.Capsule(size[0], 2 * size[1])
    if kind == "cylinder":
        return coal.Cylinder(size[0], 2 * size[1])
    if kind == "ellipsoid":
        return coal.Ellipsoid(*size)
    return coal.Box(*(2 * np.array(size)))


def coal_distance(a, b, R, p):
    request, result = coal.DistanceRequest(), coal.DistanceResult()
    request.enable_signed_distance = True
    request.gjk_tolerance = request.epa_tolerance = 1e-10
    return coal.distance(a, coal.Transform3s.Identity(), b, coal.Transform3s(R, p), request, result)


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: "-".join(pair))
def test_signed_distance_of(pair):
    poses = list(random_poses(np.random.default_rng(3)))
    ours = our_distances([{
        "a": {"kind": pair[0], "size": SHAPES[pair[0]]},
        "b": {"kind": pair[1], "size": SHAPES[pair[1]]},
        "poses": [[*matrix(q).ravel(), *p] for q, p in poses],
    }])[0]
    model = mujoco_model(*pair)
    data = mujoco.MjData(model)
    first, second = (coal_shape(kind) for kind in pair)
    errors = {"mujoco": [], "coal": []}
    apart = []
    for (q, p), mine in zip(poses, ours):
        data.mocap_pos[0], data.mocap_quat[0] = p, q
        mujoco.mj_kinematics(model, data)
        theirs = {"mujoco": mujoco.mj_geomDistance(model, data, 0, 1, 10.0, None),
                  "coal": coal_distance(first, second, matrix(q), p)}
        for name, value in theirs.items():
            errors[name].append(abs(value - mine))
        apart.append(abs(theirs["mujoco"] - theirs["coal"]))
    nearest = max(min(pair_of) for pair_of in zip(errors["mujoco"], errors["coal"]))
    name = "-".join(pair)
    print(f"{name}: mujoco {max(errors['mujoco']):.1e} m, coal {max(errors['coal']):.1e} m from us, "
          f"{max(apart):.1e} m from each other")
    report.add(name, f"mujoco {mujoco.__version__}", {"signed distance, its error (m)": max(errors["mujoco"])})
    report.add(name, f"coal {coal.__version__}", {"signed distance, its error (m)": max(errors["coal"])})
    report.add(name, "mujoco or coal", {"signed distance (m)": nearest}, WITHIN)
    assert nearest <= WITHIN
