"""Mesh files read in Python, and their mass properties in extended precision: a reference that shares no code with any
engine.

The formulas are those of stiction/geometry/shape/mass_properties.h; numbers have 64 bits of mantissa (x86), so that sums over
100 000 triangles are good to 1e-16 or better.
"""

import numpy as np

Real = np.longdouble
STL_TRIANGLE = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])


def diagonal_cut(corners, vertices):
    """A fan; four corners, which need not lie in a plane, are cut along the shorter diagonal."""
    if len(corners) == 4:
        a, b, c, d = (np.array(vertices[corner]) for corner in corners)
        if np.sum((b - d) ** 2) < np.sum((a - c) ** 2):
            corners = corners[1:] + corners[:1]
    return [(corners[0], corners[i], corners[i + 1]) for i in range(1, len(corners) - 1)]


def read_obj(file):
    vertices, triangles = [], []
    for line in file.read_text(errors="replace").splitlines():
        words = line.split()
        if words[:1] == ["v"]:
            vertices.append([float(word) for word in words[1:4]])
        elif words[:1] == ["f"]:
            corners = [int(word.split("/")[0]) for word in words[1:]]
            corners = [corner - 1 if corner > 0 else len(vertices) + corner for corner in corners]
            triangles += diagonal_cut(corners, vertices)
    return np.array(vertices, np.float32), np.array(triangles, np.int32)


def read_stl(file):
    content = file.read_bytes()
    count = int.from_bytes(content[80:84], "little")
    assert len(content) >= 84 + 50 * count, f"{file} is not a binary STL file"
    corners = np.frombuffer(content, STL_TRIANGLE, count, 84)["corners"].reshape(-1, 3)
    return corners, np.arange(3 * count, dtype=np.int32).reshape(-1, 3)


def read_mesh(file):
    """Vertices, in single precision as all engines with such files keep them, and triangles."""
    return read_obj(file) if file.suffix.lower() == ".obj" else read_stl(file)


def cross(a, b):
    return np.stack([a[:, 1] * b[:, 2] - a[:, 2] * b[:, 1], a[:, 2] * b[:, 0] - a[:, 0] * b[:, 2],
                     a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]], axis=1)


def second_moment(weights, corners):
    """Sum of weight (x x' + y y' + z z' + s s') over triangles (x, y, z) with s = x + y + z."""
    vectors = [*corners, sum(corners)]
    return sum(np.stack([(weights * v[:, i])[:, None] * v for i in range(3)], axis=1).sum(axis=0) for v in vectors)


def inertia_of(second):
    return np.trace(second) * np.eye(3, dtype=Real) - second


def unit_density(vertices, triangles, mode):
    """Volume (or area of a shell), centre, and inertia about it; modes exact, legacy and shell."""
    a, b, c = (vertices.astype(Real)[triangles[:, k]] for k in range(3))
    normal = cross(b - a, c - a)
    areas = np.sqrt((normal * normal).sum(axis=1)) / 2
    centre = (areas[:, None] * (a + b + c)).sum(axis=0) / (3 * areas.sum())
    if mode == "shell":
        corners = [a - centre, b - centre, c - centre]
        return areas.sum(), centre, inertia_of(second_moment(areas / 12, corners))

    def volumes(origin):
        volume = ((a - origin) * cross(b - origin, c - origin)).sum(axis=1) / 6
        return np.abs(volume) if mode == "legacy" else volume

    volume = volumes(centre)
    com = centre + (volume[:, None] * (a + b + c - 3 * centre)).sum(axis=0) / (4 * volume.sum())
    volume = volumes(com)
    return volume.sum(), com, inertia_of(second_moment(volume / 20, [a - com, b - com, c - com]))
