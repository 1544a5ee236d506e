"""Our reading of mesh files and their mass properties on the meshes of real robots: against sums in extended precision over
the file's own triangles, and against MuJoCo in its four modes.

MuJoCo keeps vertices in single precision, so ours are rounded for the comparison. STL files go to both as they are. OBJ files
go to MuJoCo in a binary file of its own with the vertices and triangles read here in Python; of its own reading the area is
compared.

Its compiler turns the inertia of a mesh to principal axes by Jacobi's method until no term beside the diagonal is larger than
2^-23 of the largest term, and drops what is left: moments that nearly agree are off by up to that, their axes by any angle.
Here ours are turned as far before the moments are compared with it, and the whole matrix up to what is dropped; the sums in
extended precision have no such limit.
"""

import json
import struct
import subprocess

import pytest

np = pytest.importorskip("numpy", reason="the package numpy is not installed")
mujoco = pytest.importorskip("mujoco", reason="the package mujoco is not installed")

import meshes
import probe
import report

MODES = ["exact", "legacy", "convex", "shell"]
SCALE = 1024.0
WITHIN = 1e-10  # relative: content, centre (to the radius of gyration)
MOMENTS_WITHIN = 1e-10
DROPPED = 2.0**-23  # of the largest term
MATRIX_WITHIN = 6**0.5 * DROPPED + 1e-10  # six terms in all, turned
EXACT_WITHIN = 1e-12  # of the sums in extended precision, all of the matrix
SINGLE = 2e-6  # of the area from MuJoCo's own reading of an OBJ file


def shared_meshes():
    shared = probe.shared_models()
    files = [file for file in shared.rglob("*") if file.suffix.lower() in (".stl", ".obj")]
    return [pytest.param(file, id=str(file.relative_to(shared))) for file in sorted(files)]


MESHES = shared_meshes() or [
    pytest.param(None, marks=pytest.mark.skip(reason="there are no meshes in STICTION_SHARED/models or ../shared/models"))
]


def our_answer(file, single_precision):
    program = probe.build_folder() / "bin" / "stiction_mesh_probe"
    question = [{"file": str(file), "modes": MODES, "single_precision": single_precision}]
    done = subprocess.run([program], input=json.dumps(question), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)[0]


def msh_of(vertices, triangles):
    return struct.pack("<4i", len(vertices), 0, 0, len(triangles)) + vertices.tobytes() + triangles.tobytes()


def their_answer(name, content, mode):
    """Volume or area, centre and inertia about it at unit density, or None where MuJoCo refuses the mesh."""
    xml = f"""<mujoco><asset><mesh name="m" file="{name}" inertia="{mode}" scale="{SCALE} {SCALE} {SCALE}"/></asset>
      <worldbody><body><geom type="mesh" mesh="m" density="1"/></body></worldbody></mujoco>"""
    try:
        model = mujoco.MjModel.from_xml_string(xml, {name: content})
    except ValueError:
        return None
    R = np.zeros(9)
    mujoco.mju_quat2Mat(R, model.body_iquat[1])
    R = R.reshape(3, 3)
    power = 2 if mode == "shell" else 3
    inertia = R @ np.diag(model.body_inertia[1]) @ R.T
    return model.body_mass[1] / SCALE**power, model.body_ipos[1] / SCALE, inertia / SCALE ** (power + 2)


def moments_of_mujoco(inertia):
    """The diagonal to which Jacobi's method turns a matrix until what is left is no larger than what MuJoCo drops."""
    turned, least = inertia.copy(), DROPPED * np.max(np.abs(inertia))
    for _ in range(100):
        i, j = max([(0, 1), (0, 2), (1, 2)], key=lambda place: abs(turned[place]))
        if abs(turned[i, j]) <= least:
            break
        # The smaller of the two angles that remove the term.
        angle = 0.5 * np.arctan(2.0 * turned[i, j] / (turned[j, j] - turned[i, i])) if turned[i, i] != turned[j, j] else np.pi / 4
        R = np.eye(3)
        R[i, i] = R[j, j] = np.cos(angle)
        R[i, j], R[j, i] = np.sin(angle), -np.sin(angle)
        turned = R.T @ turned @ R
    return np.sort(np.diag(turned))


@pytest.mark.parametrize("file", MESHES)
def test_mass_properties_agree_with_mujoco(file):
    name, content = file.name, file.read_bytes()
    is_obj = file.suffix.lower() == ".obj"
    if is_obj:
        # The name is new for every mesh: MuJoCo keeps what it has read by name.
        name, content = "_".join(file.parts[1:]) + ".msh", msh_of(*meshes.read_obj(file))
    ours = our_answer(file, single_precision=True)
    for mode in MODES:
        theirs = their_answer(name, content, mode)
        if theirs is None:
            continue
        volume, centre, inertia = theirs
        answer = ours["modes"][mode]
        assert "error" not in answer, mode
        size = np.sqrt(np.trace(inertia) / volume)
        our_inertia = np.array(answer["inertia"])
        moments, our_moments = np.linalg.eigvalsh(inertia), moments_of_mujoco(our_inertia)
        assert abs(answer["content"] / volume - 1.0) < WITHIN, mode
        assert np.linalg.norm(np.array(answer["com"]) - centre) < WITHIN * size, mode
        assert np.max(np.abs(our_moments - moments)) < MOMENTS_WITHIN * moments[-1], mode
        assert np.max(np.abs(our_inertia - inertia)) < MATRIX_WITHIN * moments[-1], mode


@pytest.mark.parametrize("file", MESHES)
def test_mass_properties_are_sums_over_the_triangles_of_the_file(file):
    vertices, triangles = meshes.read_mesh(file)
    worst = {}
    for mode, answer in our_answer(file, single_precision=True)["modes"].items():
        if mode == "convex" or "error" in answer:
            continue
        content, com, inertia = meshes.unit_density(vertices, triangles, mode)
        # A surface that is inside out is turned by our reader.
        content, inertia = abs(content), inertia * np.sign(content)
        scale = np.max(np.abs(inertia))
        errors = {"content": abs(answer["content"] / content - 1),
                  "centre": np.max(np.abs(answer["com"] - com)) / np.sqrt(scale / content),
                  "inertia": np.max(np.abs(np.array(answer["inertia"]) - inertia)) / scale}
        for key, error in errors.items():
            worst[key] = max(worst.get(key, 0.0), error)
    report.add(file.name, "us - exact, mesh files", worst, EXACT_WITHIN)
    assert not {key: error for key, error in worst.items() if not error <= EXACT_WITHIN}


@pytest.mark.parametrize("file", [mesh for mesh in MESHES if str(mesh.id).lower().endswith(".obj")] or MESHES[:1])
def test_an_obj_file_has_the_area_that_mujoco_reads(file):
    theirs = their_answer("_".join(file.parts[1:]), file.read_bytes(), "shell")
    if theirs is None:
        pytest.skip("MuJoCo refuses this mesh")
    ours = our_answer(file, single_precision=False)["modes"]["shell"]["content"]
    assert abs(ours / theirs[0] - 1.0) < SINGLE
