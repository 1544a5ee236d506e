"""Gathers small inputs for the fuzzers to start from. Usage: make_seeds.py FOLDER [PATH_OF_STICTION]

Every fuzzer gets a folder of its own name in FOLDER: files of the repository and, where it is there, of the shared
folder; the scenes of the catalog, if the program is given; and meshes and pictures that are made here.
"""

import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib

ROOT = pathlib.Path(__file__).resolve().parent.parent
SHARED = pathlib.Path(os.environ.get("STICTION_SHARED", ROOT.parent / "shared"))
LARGEST = 12_000  # bytes; a small input is changed in more places than a large one in the same time
ENDINGS = {".xml": "mjcf", ".mjcf": "mjcf", ".urdf": "urdf", ".obj": "mesh_obj", ".stl": "mesh_stl", ".msh": "mesh_msh", ".vtk": "mesh_vtk",
           ".dae": "dae", ".png": "height_field", ".toml": "scene_file"}

TETRAHEDRON = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
FACES = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]


def stl_text():
    facets = ["facet normal 0 0 0 outer loop " + " ".join("vertex %g %g %g" % TETRAHEDRON[i] for i in face) +
              " endloop endfacet" for face in FACES]
    return ("solid tetrahedron\n" + "\n".join(facets) + "\nendsolid tetrahedron\n").encode()


def stl_binary():
    triangles = [struct.pack("<12fH", 0, 0, 0, *(x for i in face for x in TETRAHEDRON[i]), 0) for face in FACES]
    return b"tetrahedron".ljust(80) + struct.pack("<I", len(triangles)) + b"".join(triangles)


def msh():
    numbers = struct.pack("<4i", len(TETRAHEDRON), 0, 0, len(FACES))
    numbers += struct.pack("<12f", *(x for vertex in TETRAHEDRON for x in vertex))
    return numbers + struct.pack("<12i", *(i for face in FACES for i in face))


def vtk(binary, new):
    """Two tetrahedra and a triangle; `new` with offsets and connectivity."""
    cells = [(0, 1, 2), (0, 1, 2, 3), (1, 2, 3, 4)]
    points = TETRAHEDRON + [(1, 1, 1)]

    def numbers(kind, values):
        return struct.pack(">%d%s" % (len(values), kind), *values) if binary else " ".join(map(str, values)).encode()

    out = b"# vtk DataFile Version %s\nseed\n%s\nDATASET UNSTRUCTURED_GRID\nPOINTS 5 float\n" % (
        b"5.1" if new else b"3.0", b"BINARY" if binary else b"ASCII")
    out += numbers("f", [x for point in points for x in point])
    flat = [i for cell in cells for i in cell]
    if new:
        out += b"\nCELLS 4 11\nOFFSETS vtktypeint64\n" + numbers("q", [0, 3, 7, 11])
        out += b"\nCONNECTIVITY vtktypeint64\n" + numbers("q", flat)
    else:
        out += b"\nCELLS 3 14\n" + numbers("i", [i for cell in cells for i in (len(cell),) + cell])
    return out + b"\nCELL_TYPES 3\n" + numbers("i", [5, 10, 10]) + b"\n"


def gmsh(binary, new):
    points = TETRAHEDRON + [(1, 1, 1)]
    tets = [(1, 2, 3, 4), (2, 3, 4, 5)]

    def numbers(kinds, *values):
        return struct.pack("<" + kinds, *values) if binary else (" ".join(map(str, values)) + "\n").encode()

    out = b"$MeshFormat\n%s %d 8\n" % (b"4.1" if new else b"2.2", binary)
    out += (struct.pack("<i", 1) + b"\n" if binary else b"") + b"$EndMeshFormat\n$Nodes\n"
    if new:
        out += numbers("4Q", 1, 5, 1, 5) + numbers("3iQ", 3, 1, 0, 5) + numbers("5Q", 1, 2, 3, 4, 5)
        out += b"".join(numbers("3d", *point) for point in points)
        out += b"\n$EndNodes\n$Elements\n" + numbers("4Q", 1, 2, 1, 2) + numbers("3iQ", 3, 1, 4, 2)
        out += b"".join(numbers("5Q", i + 1, *tet) for i, tet in enumerate(tets))
    else:
        out += b"5\n" + b"".join(numbers("i3d", i + 1, *point) for i, point in enumerate(points))
        out += b"\n$EndNodes\n$Elements\n2\n" + (struct.pack("<3i", 4, 2, 1) if binary else b"")
        kind = () if binary else (4, 1)
        out += b"".join(numbers("6i", i + 1, *kind, 7, *tet) for i, tet in enumerate(tets))
    return out + b"\n$EndElements\n"


def obj():
    lines = ["v %g %g %g" % vertex for vertex in TETRAHEDRON] + ["vn 0 0 1", "vt 0 0"]
    lines += ["f " + " ".join("%d/1/1" % (i + 1) for i in face) for face in FACES] + ["f -4 -3 -2"]
    return ("\n".join(lines) + "\n").encode()


def dae():
    numbers = " ".join("%g" % x for vertex in TETRAHEDRON for x in vertex)
    corners = " ".join("%d" % i for face in FACES for i in face)
    return ("""<COLLADA version="1.4.1"><asset><unit meter="0.01"/><up_axis>Y_UP</up_axis></asset>
<library_geometries><geometry id="g"><mesh>
<source id="s"><float_array id="f" count="12">%s</float_array><technique_common>
<accessor source="#f" count="4" stride="3"><param name="X" type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#s"/></vertices>
<triangles count="4"><input semantic="VERTEX" source="#v" offset="0"/><p>%s</p></triangles>
<polylist count="4"><input semantic="VERTEX" source="#v" offset="0"/><vcount>3 3 3 3</vcount><p>%s</p></polylist>
</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="scene"><node id="n"><translate>1 2 3</translate><rotate>0 0 1 90</rotate>
<scale>1 2 1</scale><matrix>1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1</matrix><instance_geometry url="#g"/>
<node id="inner"><instance_geometry url="#g"/></node></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#scene"/></scene></COLLADA>
""" % (numbers, corners, corners)).encode()


def urdf():
    mass = '<inertial><origin xyz="0 0 0.1"/><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial>'
    shape = '<collision><origin rpy="0 1 0"/><geometry>%s</geometry></collision>'
    shapes = [shape % form for form in ('<box size="1 1 1"/>', '<sphere radius="1"/>', '<cylinder radius="1" length="2"/>')]
    links = "".join('<link name="l%d">%s%s</link>' % (i, mass, shapes[i % 3]) for i in range(6))
    joints = "".join('<joint name="j%d" type="%s"><parent link="l%d"/><child link="l%d"/><axis xyz="0 0 1"/>'
                     '<limit lower="-1" upper="1" effort="1" velocity="1"/><dynamics damping="1" friction="1"/></joint>' %
                     (i, kind, i, i + 1) for i, kind in enumerate(("revolute", "prismatic", "continuous", "fixed", "planar")))
    mimic = '<joint name="m" type="continuous"><parent link="l0"/><child link="l6"/><mimic joint="j0" multiplier="2"/></joint>'
    return ('<robot name="seed">%s<link name="l6">%s</link>%s%s</robot>' % (links, mass, joints, mimic)).encode()


def png(depth, color, width=4, height=3):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    channels = {0: 1, 2: 3, 4: 2, 6: 4}[color]
    row = bytes([0]) + bytes(i * 37 % 256 for i in range(width * channels * depth // 8))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">2I5B", width, height, depth, color, 0, 0, 0)) +
            chunk(b"IDAT", zlib.compress(row * height)) + chunk(b"IEND", b""))


def mcap():
    """A scene, a model and a state in a chunk that is neither compressed nor checked, so that changes get through."""
    def text(value):
        return struct.pack("<I", len(value)) + value

    def record(kind, content):
        return struct.pack("<BQ", kind, len(content)) + content

    topics = (b"/scene", b"/model", b"/state", b"/input", b"/snapshot", b"/contacts", b"/residual")
    channels = b"".join(record(4, struct.pack("<HH", i, 0) + text(topic) + text(b"json") + text(b""))
                        for i, topic in enumerate(topics))
    scene = (b'{"format": "stiction_recording", "version": 1, "program": "", "scene": "", "command_line": [], "h": 0.1, '
             b'"stages": "a,b", "pair_overrides": [], "formulation": "{}"}')
    numbers = struct.pack("<Bd2BBB2d", 9, 0.5, 16, 3, 26, 16, 1.0, 2.0)  # time, step, two positions
    messages = b"".join(record(5, struct.pack("<HIQQ", i, 0, 1, 1) + (scene if i == 0 else b"{}" if i == 1 else numbers))
                        for i in range(len(topics)))
    chunk = record(6, struct.pack("<QQQI", 0, 1, len(messages), 0) + text(b"") + struct.pack("<Q", len(messages)) + messages)
    magic = b"\x89MCAP0\r\n"
    return magic + record(1, text(b"") + text(b"seed")) + channels + chunk + record(15, bytes(4)) + record(2, bytes(20)) + magic


def made_here():
    yield "recording", "file", mcap()
    yield "recording", "message", struct.pack("<Bd2BBB2d", 9, 0.5, 16, 3, 26, 16, 1.0, 2.0)
    yield "mesh_stl", "text", stl_text()
    yield "mesh_stl", "binary", stl_binary()
    yield "mesh_msh", "tetrahedron", msh()
    for binary in (False, True):
        for new in (False, True):
            name = "%s_%s" % ("binary" if binary else "text", "new" if new else "old")
            yield "mesh_vtk", name, vtk(binary, new)
            yield "mesh_gmsh", name, gmsh(binary, new)
    yield "mesh_obj", "tetrahedron", obj()
    yield "dae", "tetrahedron", dae()
    yield "urdf", "chain", urdf()
    for depth in (8, 16):
        for color in (0, 2, 4, 6):
            yield "height_field", "depth%d_color%d" % (depth, color), png(depth, color)
    yield "height_field", "binary", struct.pack("<2i6f", 2, 3, *range(6))
    yield "lcp_file", "mixed", (b'{"format": "lcp-json/1", "name": "mixed", "n": 2, "M": [[2, 1], [1, 2.5]], "q": [-5, -6], '
                                b'"comp": [0, 1]}')
    yield "convex_hull", "grid", bytes(range(48))
    yield "convex_hull", "plane", bytes(i if i % 3 else 0 for i in range(48))


def from_files():
    for folder in (ROOT / "test" / "data", ROOT / "examples", SHARED / "models"):
        for file in sorted(folder.rglob("*")):
            fuzzer = ENDINGS.get(file.suffix.lower())
            if fuzzer and file.is_file() and file.stat().st_size <= LARGEST:
                yield fuzzer, "%s_%s" % (file.parent.name, file.stem), file.read_bytes()


def from_collections():
    for fuzzer, folder in (("fc3d_file", SHARED / "data" / "fc3d"), ("lcp_file", SHARED / "data" / "lcp")):
        for file in sorted(folder.glob("*.json")):
            if file.stat().st_size <= LARGEST:
                yield fuzzer, file.stem, file.read_bytes()


def from_scenes(program):
    names = [line.split()[0] for line in subprocess.run([program, "list", "scenes"], capture_output=True,
                                                        text=True).stdout.splitlines() if line.startswith("  ")]
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            for ending, fuzzer in ((".xml", "mjcf"), (".json", "model_json"), (".toml", "scene_file")):
                file = pathlib.Path(folder, name + ending)
                subprocess.run([program, "convert", name, str(file), "--quiet"], capture_output=True)
                if file.exists() and file.stat().st_size <= 4 * LARGEST:
                    yield fuzzer, "scene_" + name, file.read_bytes()
        for file in sorted((ROOT / "test" / "data").rglob("*.xml")) + sorted((ROOT / "test" / "data").rglob("*.urdf")):
            converted = pathlib.Path(folder, "converted.json")
            converted.unlink(missing_ok=True)
            subprocess.run([program, "convert", str(file), str(converted), "--quiet"], capture_output=True)
            if converted.exists() and converted.stat().st_size <= 4 * LARGEST:
                yield "model_json", file.stem, converted.read_bytes()


# A sled with a motor, a limit, dry friction and a rope to a ball: rows of one tree and of two beside contacts.
TIED = """<mujoco><worldbody><geom type="plane" size="1 1 1"/>
<body name="sled" pos="0 0 0.1"><joint name="rails" type="slide" axis="1 0 0" range="0 1" frictionloss="1"/>
<geom type="box" size="0.1 0.1 0.1" contype="0" conaffinity="0"/><site name="hook"/></body>
<body name="ball" pos="0.4 0 0.1"><freejoint/><geom size="0.1" condim="6"/><site name="eye"/></body></worldbody>
<tendon><spatial name="rope" limited="true" range="0 0.3"><site site="hook"/><site site="eye"/></spatial></tendon>
<actuator><position joint="rails" kp="100" kv="10"/></actuator></mujoco>
"""


def from_problems(program):
    with tempfile.TemporaryDirectory() as folder:
        tied = pathlib.Path(folder, "tied.xml")
        tied.write_text(TIED)
        for scene in ("slope", str(tied)):
            problems = pathlib.Path(folder, "problems")
            subprocess.run([program, "run", scene, "--time", "0.01", "--dump-problems", str(problems), "--quiet"],
                           capture_output=True)
            for file in sorted(problems.glob("*.json"))[-1:]:
                yield "problem_file", pathlib.Path(scene).stem, file.read_bytes()
                written = pathlib.Path(folder, "written.json")
                subprocess.run([program, "solve", str(file), "--formulation", "coulomb_ncp", "--write", str(written)],
                               capture_output=True)
                if written.exists():
                    yield "fc3d_file", pathlib.Path(scene).stem, written.read_bytes()
                    written.unlink()
            shutil.rmtree(problems, ignore_errors=True)


def main():
    target = pathlib.Path(sys.argv[1])
    program = sys.argv[2] if len(sys.argv) > 2 and shutil.which(sys.argv[2]) else None
    for source in (made_here(), from_files(), from_collections(), *((from_scenes(program), from_problems(program)) if program else ())):
        for fuzzer, name, data in source:
            folder = target / (fuzzer + "_fuzzer")
            folder.mkdir(parents=True, exist_ok=True)
            (folder / ("seed_" + name)).write_bytes(data)


if __name__ == "__main__":
    main()
