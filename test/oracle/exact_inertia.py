"""Mass, centre of mass and inertia of the bodies of an MJCF file in extended precision, from the file's own numbers.

MuJoCo parses the file (mjSpec) and places the geoms; everything that is summed or integrated is done here. It shows which
engine is right where two differ: MuJoCo's compiler turns the inertia of a mesh to principal axes by Jacobi's method until the
cosine of a turn is within 1e-12 of 1, which leaves up to 1.4e-6 rad, and keeps no more than these axes. (mju_eig3 itself goes
on to round-off, and so do inertias that a file gives in full.)
"""

import copy
from pathlib import Path

import mujoco
import numpy as np
import scipy.spatial

import meshes
from meshes import Real

PI = Real("3.14159265358979323846264338327950288")
GEOM, MODE = mujoco.mjtGeom, mujoco.mjtMeshInertia
MODES = {MODE.mjMESH_INERTIA_EXACT: "exact", MODE.mjMESH_INERTIA_LEGACY: "legacy", MODE.mjMESH_INERTIA_SHELL: "shell"}
SAME_INERTIA = 1e-13  # relative: one that MuJoCo keeps as well as it can
WEIGHTLESS = (GEOM.mjGEOM_PLANE, GEOM.mjGEOM_HFIELD)


class NotCovered(Exception):
    """A way to weigh a body that is not done here."""


def rotation(quaternion):
    w, x, y, z = np.array(quaternion, Real) / np.sqrt(np.sum(np.array(quaternion, Real) ** 2))
    return np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ])


def box_like(volume, squares, factor):
    """A solid with the moments factor * volume * (b^2 + c^2), ... of the squares a^2, b^2, c^2."""
    a, b, c = squares
    return volume, np.zeros(3, Real), np.diag(factor * volume * np.array([b + c, c + a, a + b]))


def unit_primitive(kind, size):
    x, y, z = np.array(size, Real)
    if kind == GEOM.mjGEOM_SPHERE:
        return box_like(4 * PI * x**3 / 3, (x * x, x * x, x * x), Real(1) / 5)
    if kind == GEOM.mjGEOM_ELLIPSOID:
        return box_like(4 * PI * x * y * z / 3, (x * x, y * y, z * z), Real(1) / 5)
    if kind == GEOM.mjGEOM_BOX:
        return box_like(8 * x * y * z, (x * x, y * y, z * z), Real(1) / 3)
    cylinder = 2 * PI * x * x * y  # radius x, half length y
    across, along = cylinder * (x * x / 4 + y * y / 3), cylinder * x * x / 2
    if kind == GEOM.mjGEOM_CYLINDER:
        return cylinder, np.zeros(3, Real), np.diag([across, across, along])
    if kind != GEOM.mjGEOM_CAPSULE:
        raise NotCovered(kind)
    # Half a ball: its centre is 3/8 r from the flat side, and 83/320 m r^2 its moment across there.
    ball, arm = 4 * PI * x**3 / 3, y + 3 * x / 8
    across += ball * (83 * x * x / 320 + arm * arm)
    along += ball * 2 * x * x / 5
    return cylinder + ball, np.zeros(3, Real), np.diag([across, across, along])


def kept_inertia(model, body):
    """The inertia that MuJoCo's principal moments and axes stand for, in body axes."""
    R = rotation(model.body_iquat[body])
    return np.array(R @ np.diag(model.body_inertia[body]) @ R.T, dtype=float)


def corrected(model, inertias):
    """A copy of MuJoCo's model with these inertias by body, None being as it is; None where nothing changes."""
    changed, is_changed = copy.copy(model), False
    for body in range(1, model.nbody):
        theirs = kept_inertia(model, body)
        inertia = theirs if inertias[body] is None else np.array(inertias[body], dtype=float)
        if np.max(np.abs(inertia - theirs)) <= SAME_INERTIA * np.max(np.abs(theirs)):
            continue
        moments, axes = np.linalg.eigh(inertia)
        axes[:, 2] *= np.sign(np.linalg.det(axes))
        quaternion = np.zeros(4)
        mujoco.mju_mat2Quat(quaternion, axes.flatten())
        changed.body_inertia[body], changed.body_iquat[body] = moments, quaternion
        changed.body_sameframe[body] = 0  # the axes are those of the quaternion, not the body's
        is_changed = True
    return changed if is_changed else None


class ExactInertias:
    def __init__(self, file, spec, model):
        self.folder, self.spec, self.model = Path(file).parent, spec, model
        self.units = {}  # of meshes

    def bodies(self):
        """By body: (mass, centre of mass, inertia about it, where it comes from), or None."""
        out = [None] * self.model.nbody
        for body in self.spec.bodies:
            if body.id > 0:
                try:
                    out[body.id] = self.given(body) if body.explicitinertial else self.of_geoms(body)
                except NotCovered:
                    pass
        return out

    def check_compiler(self):
        options = self.spec.compiler
        if (options.boundmass > 0 or options.boundinertia > 0 or options.balanceinertia or options.settotalmass > 0
                or options.inertiafromgeom != mujoco.mjtInertiaFromGeom.mjINERTIAFROMGEOM_AUTO
                or list(options.inertiagrouprange) != [0, 5]):
            raise NotCovered("compiler")

    def given(self, body):
        self.check_compiler()
        mass, com = Real(body.mass), np.array(self.model.body_ipos[body.id], Real)
        if not np.isnan(body.fullinertia[0]):
            xx, yy, zz, xy, xz, yz = np.array(body.fullinertia, Real)
            return mass, com, np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]), "fullinertia"
        R = rotation(self.model.body_iquat[body.id])
        return mass, com, R @ np.diag(np.array(body.inertia, Real)) @ R.T, "diaginertia"

    def of_geoms(self, body):
        self.check_compiler()
        parts = [self.of_geom(geom) for geom in body.geoms if geom.type not in WEIGHTLESS]
        mass = sum((part[0] for part in parts), Real(0))
        if mass == 0:
            return None
        com = sum(m * p for m, p, _ in parts) / mass
        inertia = np.zeros((3, 3), Real)
        for m, p, I in parts:
            arm = p - com
            inertia += I + m * ((arm @ arm) * np.eye(3, dtype=Real) - np.outer(arm, arm))
        has_mesh = any(geom.type == GEOM.mjGEOM_MESH for geom in body.geoms)
        return mass, com, inertia, "meshes" if has_mesh else "primitives"

    def of_geom(self, geom):
        if geom.typeinertia != mujoco.mjtGeomInertia.mjINERTIA_VOLUME:
            raise NotCovered("shell")
        R, p = rotation(self.model.geom_quat[geom.id]), np.array(self.model.geom_pos[geom.id], Real)
        if geom.type == GEOM.mjGEOM_MESH:
            mesh = self.model.geom_dataid[geom.id]
            volume, com, inertia = self.of_mesh(mesh)
            # The geom's pose is that of MuJoCo's frame of the mesh; com and inertia are in the file's frame.
            R = R @ rotation(self.model.mesh_quat[mesh]).T
            p = p - R @ np.array(self.model.mesh_pos[mesh], Real)
        elif geom.meshname:
            raise NotCovered("a primitive fitted to a mesh")
        else:
            volume, com, inertia = unit_primitive(geom.type, self.model.geom_size[geom.id])
        density = Real(geom.density) if np.isnan(geom.mass) else Real(geom.mass) / volume
        return density * volume, p + R @ com, density * (R @ inertia @ R.T)

    def of_mesh(self, index):
        if index not in self.units:
            mesh = next(mesh for mesh in self.spec.meshes if mesh.id == index)
            if mesh.inertia not in MODES:
                raise NotCovered("convex")
            vertices, triangles = self.surface(mesh)
            # The reference comes first, then the scale.
            moved = (vertices.astype(Real) - np.array(mesh.refpos, Real)) @ rotation(mesh.refquat)
            self.units[index] = meshes.unit_density(moved * np.array(mesh.scale, Real), triangles, MODES[mesh.inertia])
        return self.units[index]

    def surface(self, mesh):
        if mesh.file:
            file = Path(mesh.file.replace("\\", "/"))
            folder = self.spec.compiler.meshdir.replace("\\", "/")
            return meshes.read_mesh(self.folder / folder / (file.name if self.spec.strippath else file))
        vertices = np.array(mesh.uservert, np.float32).reshape(-1, 3)
        if len(vertices) == 0:
            raise NotCovered("a mesh made by MuJoCo")
        if len(mesh.userface) > 0:
            return vertices, np.array(mesh.userface).reshape(-1, 3)
        if mesh.inertia == MODE.mjMESH_INERTIA_EXACT:
            raise NotCovered("the triangles of this hull have no side")
        return vertices, scipy.spatial.ConvexHull(vertices.astype(float)).simplices
