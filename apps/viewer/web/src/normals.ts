// Normals of a mesh that has none: triangles that meet at a small angle are shaded as one surface, others keep their edge.
//
// The normal at a corner of a triangle is the sum of the normals of all triangles around that point which differ from the
// triangle's own by less than the crease angle, weighted by their areas.

import { BufferAttribute, BufferGeometry } from "three";

// Numbers the points so that those at the same place have the same number. Returns how many there are.
function weld(positions: Float32Array, numbers: Uint32Array): number {
  const bits = new Int32Array(positions.buffer, positions.byteOffset, positions.length);
  let size = 16;
  while (size < (2 * positions.length) / 3) size *= 2;
  const table = new Int32Array(size).fill(-1);
  let count = 0;
  for (let i = 0; i < numbers.length; ++i) {
    // + 0 makes one of the two zeros, so that equal numbers have equal bits.
    for (let k = 0; k < 3; ++k) positions[3 * i + k] += 0;
    const [x, y, z] = [bits[3 * i], bits[3 * i + 1], bits[3 * i + 2]];
    let slot = (Math.imul(x, 73856093) ^ Math.imul(y, 19349663) ^ Math.imul(z, 83492791)) >>> 0;
    slot = (slot ^ (slot >>> 15)) & (size - 1);
    for (;;) {
      const other = table[slot];
      if (other < 0) {
        table[slot] = i;
        numbers[i] = count++;
        break;
      }
      if (bits[3 * other] === x && bits[3 * other + 1] === y && bits[3 * other + 2] === z) {
        numbers[i] = numbers[other];
        break;
      }
      slot = (slot + 1) & (size - 1);
    }
  }
  return count;
}

// Unit normals of the triangles, and their areas.
function triangleNormals(p: Float32Array, indices: Uint32Array): { normals: Float32Array; areas: Float32Array } {
  const count = indices.length / 3;
  const normals = new Float32Array(3 * count);
  const areas = new Float32Array(count);
  for (let t = 0; t < count; ++t) {
    const [a, b, c] = [3 * indices[3 * t], 3 * indices[3 * t + 1], 3 * indices[3 * t + 2]];
    const [ux, uy, uz] = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]];
    const [vx, vy, vz] = [p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]];
    const [nx, ny, nz] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    const length = Math.hypot(nx, ny, nz);
    areas[t] = length / 2;
    if (length === 0) continue;
    normals[3 * t] = nx / length;
    normals[3 * t + 1] = ny / length;
    normals[3 * t + 2] = nz / length;
  }
  return { normals, areas };
}

// crease: rad. The geometry has three points of its own for each triangle.
export function creasedGeometry(positions: Float32Array, indices: Uint32Array, crease: number): BufferGeometry {
  const numbers = new Uint32Array(positions.length / 3);
  const points = weld(positions, numbers);
  const { normals, areas } = triangleNormals(positions, indices);

  // The triangles around each point, one list after another.
  const start = new Uint32Array(points + 1);
  for (const index of indices) ++start[numbers[index] + 1];
  for (let i = 0; i < points; ++i) start[i + 1] += start[i];
  const around = new Uint32Array(indices.length);
  const filled = start.slice();
  indices.forEach((index, corner) => {
    around[filled[numbers[index]]++] = Math.floor(corner / 3);
  });

  const limit = Math.cos(crease);
  const [places, shading] = [new Float32Array(3 * indices.length), new Float32Array(3 * indices.length)];
  for (let corner = 0; corner < indices.length; ++corner) {
    const own = 3 * Math.floor(corner / 3);
    const point = numbers[indices[corner]];
    let [x, y, z] = [0, 0, 0];
    for (let i = start[point]; i < start[point + 1]; ++i) {
      const t = 3 * around[i];
      const cosine = normals[own] * normals[t] + normals[own + 1] * normals[t + 1] + normals[own + 2] * normals[t + 2];
      if (cosine < limit) continue;
      const area = areas[around[i]];
      x += area * normals[t];
      y += area * normals[t + 1];
      z += area * normals[t + 2];
    }
    const length = Math.hypot(x, y, z) || 1;
    shading[3 * corner] = x / length;
    shading[3 * corner + 1] = y / length;
    shading[3 * corner + 2] = z / length;
    for (let k = 0; k < 3; ++k) places[3 * corner + k] = positions[3 * indices[corner] + k];
  }
  return new BufferGeometry()
    .setAttribute("position", new BufferAttribute(places, 3))
    .setAttribute("normal", new BufferAttribute(shading, 3));
}
