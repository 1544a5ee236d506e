"""Added mass of ellipsoids in extended precision, for MuJoCo's models: its compiler integrates it with 15 points."""

import mujoco
import numpy as np
from scipy.special import elliprd

ADDED_MASS, ADDED_MOMENT = slice(6, 9), slice(9, 12)  # in mjModel.geom_fluid


def semi_axes(model, geom):
    size, kind = model.geom_size[geom], model.geom_type[geom]
    if kind == mujoco.mjtGeom.mjGEOM_SPHERE:
        return np.repeat(size[0], 3)
    if kind == mujoco.mjtGeom.mjGEOM_CAPSULE:
        return np.array([size[0], size[0], size[0] + size[1]])
    if kind == mujoco.mjtGeom.mjGEOM_CYLINDER:
        return np.array([size[0], size[0], size[1]])
    return size.copy()


def added_mass(r):
    """Per density: along and about the axes (Lamb 1932, chapter 5)."""
    volume, r2 = 4.0 / 3.0 * np.pi * r.prod(), r**2
    kappa = np.array([2.0 / 3.0 * r.prod() * elliprd(r2[i - 2], r2[i - 1], r2[i]) for i in range(3)])
    moments = np.zeros(3)
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        below = 2.0 * (r2[j] - r2[k]) + (r2[j] + r2[k]) * (kappa[j] - kappa[k])
        if below != 0.0:
            moments[i] = volume / 5.0 * (r2[j] - r2[k])**2 * (kappa[k] - kappa[j]) / below
    return volume * kappa / (2.0 - kappa), moments


def set_exact_added_mass(model):
    for geom in np.flatnonzero(model.geom_fluid[:, 0]) if model.ngeom else []:
        model.geom_fluid[geom, ADDED_MASS], model.geom_fluid[geom, ADDED_MOMENT] = added_mass(semi_axes(model, geom))
