// An InstancedMesh that is filled anew for every picture and grows when needed.

import {
  DynamicDrawUsage,
  InstancedBufferAttribute,
  InstancedMesh,
  type BufferGeometry,
  type Color,
  type Material,
  type Object3D,
} from "three";

// Writes the matrix of a place, a rotation (w, x, y, z) and a scale, column by column.
export function compose(
  out: Float32Array,
  at: number,
  px: number, py: number, pz: number,
  w: number, x: number, y: number, z: number,
  sx: number, sy: number, sz: number,
): void {
  out[at] = (1 - 2 * (y * y + z * z)) * sx;
  out[at + 1] = 2 * (x * y + w * z) * sx;
  out[at + 2] = 2 * (x * z - w * y) * sx;
  out[at + 3] = 0;
  out[at + 4] = 2 * (x * y - w * z) * sy;
  out[at + 5] = (1 - 2 * (x * x + z * z)) * sy;
  out[at + 6] = 2 * (y * z + w * x) * sy;
  out[at + 7] = 0;
  out[at + 8] = 2 * (x * z + w * y) * sz;
  out[at + 9] = 2 * (y * z - w * x) * sz;
  out[at + 10] = (1 - 2 * (x * x + y * y)) * sz;
  out[at + 11] = 0;
  out[at + 12] = px;
  out[at + 13] = py;
  out[at + 14] = pz;
  out[at + 15] = 1;
}

// The rotation that takes z to the unit vector d.
export function rotationToward(dx: number, dy: number, dz: number, out: [number, number, number, number]): void {
  if (dz < -0.999999) {
    out[0] = 0;
    out[1] = 1;
    out[2] = 0;
    out[3] = 0;
    return;
  }
  const w = Math.sqrt((1 + dz) / 2);
  out[0] = w;
  out[1] = -dy / (2 * w);
  out[2] = dx / (2 * w);
  out[3] = 0;
}

export class Instances {
  private mesh: InstancedMesh;
  private count = 0;

  constructor(
    private readonly parent: Object3D,
    private readonly geometry: BufferGeometry,
    private readonly material: Material,
    private readonly renderOrder = 0,
  ) {
    this.mesh = this.make(16);
  }

  begin(): void {
    this.count = 0;
  }

  // q: w, x, y, z
  add(
    px: number, py: number, pz: number,
    q: readonly [number, number, number, number],
    sx: number, sy: number, sz: number,
    colour: Color,
  ): void {
    if (this.count === this.mesh.instanceMatrix.count) this.grow();
    compose(this.mesh.instanceMatrix.array as Float32Array, 16 * this.count, px, py, pz, q[0], q[1], q[2], q[3], sx, sy, sz);
    const colours = (this.mesh.instanceColor as InstancedBufferAttribute).array;
    colours[3 * this.count] = colour.r;
    colours[3 * this.count + 1] = colour.g;
    colours[3 * this.count + 2] = colour.b;
    ++this.count;
  }

  end(): void {
    this.mesh.count = this.count;
    this.mesh.visible = this.count > 0;
    if (this.count === 0) return;
    this.mesh.instanceMatrix.needsUpdate = true;
    (this.mesh.instanceColor as InstancedBufferAttribute).needsUpdate = true;
  }

  private make(capacity: number): InstancedMesh {
    const mesh = new InstancedMesh(this.geometry, this.material, capacity);
    mesh.instanceColor = new InstancedBufferAttribute(new Float32Array(3 * capacity), 3);
    mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    mesh.frustumCulled = false;
    mesh.renderOrder = this.renderOrder;
    mesh.visible = false;
    this.parent.add(mesh);
    return mesh;
  }

  private grow(): void {
    const old = this.mesh;
    const mesh = this.make(2 * this.count);
    (mesh.instanceMatrix.array as Float32Array).set(old.instanceMatrix.array);
    (mesh.instanceColor as InstancedBufferAttribute).array.set((old.instanceColor as InstancedBufferAttribute).array);
    this.parent.remove(old);
    old.dispose();
    this.mesh = mesh;
  }
}
