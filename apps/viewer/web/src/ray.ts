// Which body lies under the pointer: the first shape that a ray meets.

import { kPose } from "./moment";
import type { MeshData, Shape, Stage } from "./protocol";
import { isShown, partsOf, type BodiesLook } from "./bodies";

type Vec = [number, number, number];

export interface Hit {
  body: number;
  shape: number;
  distance: number; // m
  point: Vec; // world
  local: Vec; // in the body's frame
}

// v rotated by the inverse of q.
function unrotate(w: number, x: number, y: number, z: number, v: Vec): Vec {
  const [tx, ty, tz] = [2 * (v[1] * z - v[2] * y), 2 * (v[2] * x - v[0] * z), 2 * (v[0] * y - v[1] * x)];
  return [
    v[0] + w * tx + (ty * z - tz * y),
    v[1] + w * ty + (tz * x - tx * z),
    v[2] + w * tz + (tx * y - ty * x),
  ];
}

// The smallest non-negative root of a t^2 + 2 b t + c, Infinity where there is none.
function firstRoot(a: number, b: number, c: number): number {
  const discriminant = b * b - a * c;
  if (discriminant < 0 || a === 0) return Infinity;
  const root = Math.sqrt(discriminant);
  if ((-b - root) / a >= 0) return (-b - root) / a;
  return (-b + root) / a >= 0 ? (-b + root) / a : Infinity;
}

function sphere(o: Vec, d: Vec, centre: number, r: number): number {
  const z = o[2] - centre;
  return firstRoot(
    d[0] * d[0] + d[1] * d[1] + d[2] * d[2],
    o[0] * d[0] + o[1] * d[1] + z * d[2],
    o[0] * o[0] + o[1] * o[1] + z * z - r * r,
  );
}

function box(o: Vec, d: Vec, half: readonly number[]): number {
  let near = 0;
  let far = Infinity;
  for (let k = 0; k < 3; ++k) {
    const [a, b] = [(-half[k] - o[k]) / d[k], (half[k] - o[k]) / d[k]];
    if (d[k] === 0) {
      if (Math.abs(o[k]) > half[k]) return Infinity;
      continue;
    }
    near = Math.max(near, Math.min(a, b));
    far = Math.min(far, Math.max(a, b));
  }
  return near <= far ? near : Infinity;
}

// The lateral surface about z between the two heights.
function lateral(o: Vec, d: Vec, r: number, half: number): number {
  const t = firstRoot(
    d[0] * d[0] + d[1] * d[1],
    o[0] * d[0] + o[1] * d[1],
    o[0] * o[0] + o[1] * o[1] - r * r,
  );
  return Math.abs(o[2] + t * d[2]) <= half ? t : Infinity;
}

function cylinder(o: Vec, d: Vec, r: number, half: number): number {
  let first = lateral(o, d, r, half);
  for (const z of [-half, half]) {
    const t = (z - o[2]) / d[2];
    if (t >= 0 && Math.hypot(o[0] + t * d[0], o[1] + t * d[1]) <= r) first = Math.min(first, t);
  }
  return first;
}

function triangles(o: Vec, d: Vec, mesh: MeshData): number {
  const { positions: p, indices } = mesh;
  let first = Infinity;
  for (let i = 0; i < indices.length; i += 3) {
    const [a, b, c] = [3 * indices[i], 3 * indices[i + 1], 3 * indices[i + 2]];
    const [ex, ey, ez] = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]];
    const [gx, gy, gz] = [p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]];
    const [hx, hy, hz] = [d[1] * gz - d[2] * gy, d[2] * gx - d[0] * gz, d[0] * gy - d[1] * gx];
    const det = ex * hx + ey * hy + ez * hz;
    if (det === 0) continue;
    const [sx, sy, sz] = [o[0] - p[a], o[1] - p[a + 1], o[2] - p[a + 2]];
    const u = (sx * hx + sy * hy + sz * hz) / det;
    if (u < 0 || u > 1) continue;
    const [qx, qy, qz] = [sy * ez - sz * ey, sz * ex - sx * ez, sx * ey - sy * ex];
    const v = (d[0] * qx + d[1] * qy + d[2] * qz) / det;
    if (v < 0 || u + v > 1) continue;
    const t = (gx * qx + gy * qy + gz * qz) / det;
    if (t >= 0 && t < first) first = t;
  }
  return first;
}

// Distance to a shape in its own frame. A superellipsoid counts as its ellipsoid.
function distanceTo(shape: Shape, meshes: readonly MeshData[], o: Vec, d: Vec): number {
  const [a, b, c] = shape.size;
  switch (shape.kind) {
    case "sphere":
      return sphere(o, d, 0, a);
    case "box":
      return box(o, d, shape.size);
    case "ellipsoid":
    case "superellipsoid":
      return sphere([o[0] / a, o[1] / b, o[2] / c], [d[0] / a, d[1] / b, d[2] / c], 0, 1);
    case "cylinder":
      return cylinder(o, d, a, b / 2);
    case "capsule":
      return Math.min(lateral(o, d, a, b / 2), sphere(o, d, b / 2, a), sphere(o, d, -b / 2, a));
    case "half_space":
      return d[2] < 0 && o[2] > 0 ? -o[2] / d[2] : Infinity;
    default:
      return triangles(o, d, meshes[shape.mesh]);
  }
}

export function castRay(
  stage: Stage,
  poses: Float64Array,
  origin: Vec,
  direction: Vec, // unit
  look: { geometry: BodiesLook["geometry"]; hulls: boolean },
): Hit | null {
  const parts = partsOf(stage);
  let best: Hit | null = null;
  stage.shapes.forEach((shape, i) => {
    if (!isShown(parts[i], look)) return;
    const [w, x, y, z, px, py, pz] = poses.subarray(kPose * shape.body, kPose * (shape.body + 1));
    const bodyOrigin = unrotate(w, x, y, z, [origin[0] - px, origin[1] - py, origin[2] - pz]);
    const bodyDirection = unrotate(w, x, y, z, direction);
    const [qw, qx, qy, qz] = shape.q;
    const o = unrotate(qw, qx, qy, qz, [
      bodyOrigin[0] - shape.p[0],
      bodyOrigin[1] - shape.p[1],
      bodyOrigin[2] - shape.p[2],
    ]);
    const distance = distanceTo(shape, stage.meshes, o, unrotate(qw, qx, qy, qz, bodyDirection));
    if (distance >= (best?.distance ?? Infinity)) return;
    const along = (from: Vec, by: Vec): Vec => [
      from[0] + distance * by[0],
      from[1] + distance * by[1],
      from[2] + distance * by[2],
    ];
    best = {
      body: shape.body,
      shape: i,
      distance,
      point: along(origin, direction),
      local: along(bodyOrigin, bodyDirection),
    };
  });
  return best;
}
