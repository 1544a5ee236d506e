// Frames, centres of mass, inertia boxes, paths of bodies, and the spring by which a body is dragged.

import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  Color,
  CylinderGeometry,
  Group,
  Line,
  LineBasicMaterial,
  MeshBasicMaterial,
  MeshStandardMaterial,
  SphereGeometry,
} from "three";
import { Instances, rotationToward } from "./instances";
import { kPose } from "./moment";
import type { Stage } from "./protocol";
import type { Series } from "./sources";

type Rotation = [number, number, number, number];

// p rotated by q, into out.
export function rotate(
  w: number, x: number, y: number, z: number,
  p: readonly [number, number, number],
  out: [number, number, number],
): void {
  const [tx, ty, tz] = [2 * (y * p[2] - z * p[1]), 2 * (z * p[0] - x * p[2]), 2 * (x * p[1] - y * p[0])];
  out[0] = p[0] + w * tx + y * tz - z * ty;
  out[1] = p[1] + w * ty + z * tx - x * tz;
  out[2] = p[2] + w * tz + x * ty - y * tx;
}

export class Markers {
  readonly group = new Group();
  private readonly axes: Instances;
  private readonly centres: Instances;
  private readonly boxes: Instances;
  private readonly springs: Instances;
  private path: Line | null = null;
  private readonly axisColours = ["#e5484d", "#30a46c", "#3e63dd"].map((name) => new Color(name));
  private readonly centreColour = new Color("#ffcc33");
  private readonly boxColour = new Color("#d6409f");
  private readonly springColour = new Color("#ffb400");
  // The rotations that take z to x, y and z.
  private readonly axisRotations: Rotation[] = [
    [Math.SQRT1_2, 0, Math.SQRT1_2, 0],
    [Math.SQRT1_2, -Math.SQRT1_2, 0, 0],
    [1, 0, 0, 0],
  ];

  constructor(
    private readonly stage: Stage,
    private readonly length: number, // m, that a body of the scene may have
  ) {
    const rod = new CylinderGeometry(1, 1, 1, 10).translate(0, 0.5, 0).rotateX(Math.PI / 2);
    const over = { toneMapped: false, depthTest: false, transparent: true };
    this.axes = new Instances(this.group, rod, new MeshBasicMaterial({ ...over, opacity: 0.95 }), 5);
    this.centres = new Instances(
      this.group,
      new SphereGeometry(1, 18, 12),
      new MeshBasicMaterial({ ...over, opacity: 0.95 }),
      6,
    );
    this.boxes = new Instances(
      this.group,
      new BoxGeometry(2, 2, 2),
      new MeshStandardMaterial({ transparent: true, opacity: 0.4, roughness: 0.8, depthWrite: false }),
      3,
    );
    this.springs = new Instances(this.group, rod, new MeshBasicMaterial({ ...over, opacity: 0.9 }), 7);
  }

  update(poses: Float64Array, look: { frames: boolean; com: boolean; inertia: boolean }): void {
    for (const instances of [this.axes, this.centres, this.boxes]) instances.begin();
    if (look.frames || look.com || look.inertia)
      this.stage.bodies.forEach((body, i) => {
        if (body.moves || (look.frames && i === 0)) this.addBody(i, poses, look);
      });
    for (const instances of [this.axes, this.centres, this.boxes]) instances.end();
  }

  private addBody(i: number, poses: Float64Array, look: { frames: boolean; com: boolean; inertia: boolean }): void {
    const body = this.stage.bodies[i];
    const at = kPose * i;
    const [w, x, y, z, px, py, pz] = poses.subarray(at, at + kPose);
    const turned = (q: Rotation): Rotation => [
      w * q[0] - x * q[1] - y * q[2] - z * q[3],
      w * q[1] + x * q[0] + y * q[3] - z * q[2],
      w * q[2] - x * q[3] + y * q[0] + z * q[1],
      w * q[3] + x * q[2] - y * q[1] + z * q[0],
    ];
    if (look.frames) {
      const [long, thick] = [0.2 * this.length, 0.009 * this.length];
      this.axisRotations.forEach((q, k) => {
        this.axes.add(px, py, pz, turned(q), thick, thick, long, this.axisColours[k]);
      });
    }
    const com: [number, number, number] = [0, 0, 0];
    rotate(w, x, y, z, body.com, com);
    if (look.com && body.mass > 0) {
      const r = 0.022 * this.length;
      this.centres.add(px + com[0], py + com[1], pz + com[2], [1, 0, 0, 0], r, r, r, this.centreColour);
    }
    if (look.inertia && body.inertiaBox !== null) {
      const { half, q } = body.inertiaBox;
      this.boxes.add(px + com[0], py + com[1], pz + com[2], turned(q), half[0], half[1], half[2], this.boxColour);
    }
  }

  // A line through the places of a body's origin; null: none.
  setPath(places: { x: Series; y: Series; z: Series } | null, colour: string): void {
    if (this.path !== null) {
      this.group.remove(this.path);
      this.path.geometry.dispose();
      (this.path.material as LineBasicMaterial).dispose();
      this.path = null;
    }
    if (places === null) return;
    const points = new Float32Array(3 * places.x.length);
    for (let i = 0; i < places.x.length; ++i)
      points.set([places.x.values[i], places.y.values[i], places.z.values[i]], 3 * i);
    const geometry = new BufferGeometry().setAttribute("position", new BufferAttribute(points, 3));
    this.path = new Line(geometry, new LineBasicMaterial({ color: colour, toneMapped: false }));
    this.path.frustumCulled = false;
    this.group.add(this.path);
  }

  setSpring(from: readonly number[] | null, to: readonly number[] | null): void {
    this.springs.begin();
    if (from !== null && to !== null) {
      const d = [to[0] - from[0], to[1] - from[1], to[2] - from[2]];
      const long = Math.hypot(d[0], d[1], d[2]);
      if (long > 0) {
        const q: Rotation = [1, 0, 0, 0];
        rotationToward(d[0] / long, d[1] / long, d[2] / long, q);
        const thick = 0.008 * this.length;
        this.springs.add(from[0], from[1], from[2], q, thick, thick, long, this.springColour);
      }
    }
    this.springs.end();
  }
}
