// Contact points, forces and friction cones of one track, and how long a newton is drawn.

import {
  AdditiveBlending,
  Color,
  ConeGeometry,
  CylinderGeometry,
  DoubleSide,
  Group,
  MeshBasicMaterial,
  MeshStandardMaterial,
  NormalBlending,
  SphereGeometry,
} from "three";
import { Instances, rotationToward } from "./instances";
import { kContact, type Moment } from "./moment";
import { kSlip, kStick } from "./palette";
import type { Stage } from "./protocol";

export interface ContactsLook {
  contacts: boolean;
  forces: boolean;
  cones: boolean;
  forceScale: number;
  picked: number; // body whose side of a force is shown; -1: the body that moves
  dark: boolean;
}

// Sizes that suit a scene: a length that a body of it may have, and how long a newton is drawn.
export interface Measure {
  length: number; // m
  metresPerNewton: number;
}

const kUsualForce = 0.9; // the part of all forces that are drawn no longer than `length`
const kMemory = 60; // pictures over which a live scale adapts

// The weight of a body of the scene is drawn a good part of its length. Where bodies are squeezed, forces are far greater than
// weights, and the scale is smaller: for a recording so that most arrows fit, once and for all; for a live simulation it
// follows slowly.
export function fitForces(measure: Measure, forces: Float64Array): void {
  if (forces.length === 0) return;
  const usual = forces.sort()[Math.floor(kUsualForce * (forces.length - 1))];
  if (usual > 0) measure.metresPerNewton = Math.min(measure.metresPerNewton, measure.length / usual);
}

export class LiveForces {
  private mean = 0; // N
  private readonly first: number;

  constructor(private readonly measure: Measure) {
    this.first = measure.metresPerNewton;
  }

  add(moment: Moment): void {
    let sum = 0;
    for (let at = 0; at < kContact * moment.contactCount; at += kContact)
      sum += Math.hypot(moment.contacts[at + 8], moment.contacts[at + 9], moment.contacts[at + 10]);
    if (moment.contactCount === 0) return;
    this.mean += (sum / moment.contactCount - this.mean) / kMemory;
    this.measure.metresPerNewton = Math.min(this.first, (0.5 * this.measure.length) / Math.max(this.mean, 1e-12));
  }
}

export function measureOf(stage: Stage): Measure {
  const moving = stage.bodies.filter((body) => body.moves);
  const trees = moving.filter((body) => body.parent <= 0 || !stage.bodies[body.parent].moves).length;
  const mass = moving.reduce((sum, body) => sum + body.mass, 0);
  const gravity = Math.hypot(...stage.gravity) || 9.81;
  const length = stage.radius / Math.cbrt(Math.max(trees, 1));
  const weight = (mass * gravity) / Math.max(trees, 1);
  return { length, metresPerNewton: weight > 0 ? (0.8 * length) / weight : length };
}

export class Contacts {
  readonly group = new Group();
  private readonly halos: Instances;
  private readonly points: Instances;
  private readonly shafts: Instances;
  private readonly heads: Instances;
  private readonly cones: Instances;
  private readonly coneMaterial: MeshBasicMaterial;
  private readonly colours = { stick: new Color(kStick), slip: new Color(kSlip), rim: new Color("#ffffff") };

  constructor(
    private readonly stage: Stage,
    private readonly measure: Measure,
  ) {
    const solid = new MeshStandardMaterial({ roughness: 0.4, emissive: "#ffffff", emissiveIntensity: 0.06 });
    const flat = new MeshBasicMaterial({ toneMapped: false, depthTest: false, transparent: true, opacity: 0.95 });
    this.coneMaterial = new MeshBasicMaterial({
      toneMapped: false,
      transparent: true,
      opacity: 0.16,
      side: DoubleSide,
      depthWrite: false,
    });
    // Unit geometries along z: the shaft and the head begin at 0, the cone has its apex there.
    const ball = new SphereGeometry(1, 16, 12);
    this.halos = new Instances(this.group, ball, flat, 6);
    this.points = new Instances(this.group, ball, flat, 7);
    this.shafts = new Instances(this.group, new CylinderGeometry(1, 1, 1, 12).translate(0, 0.5, 0).rotateX(Math.PI / 2), solid);
    this.heads = new Instances(this.group, new ConeGeometry(1, 1, 18).translate(0, 0.5, 0).rotateX(Math.PI / 2), solid);
    this.cones = new Instances(
      this.group,
      new ConeGeometry(1, 1, 32, 1, true).translate(0, -0.5, 0).rotateX(-Math.PI / 2),
      this.coneMaterial,
      4,
    );
  }

  update(moment: Moment, look: ContactsLook): void {
    const all = [this.halos, this.points, this.shafts, this.heads, this.cones];
    for (const instances of all) instances.begin();
    this.coneMaterial.blending = look.dark ? AdditiveBlending : NormalBlending;
    this.coneMaterial.opacity = look.dark ? 0.2 : 0.24;
    if (look.contacts || look.forces || look.cones)
      for (let i = 0; i < moment.contactCount; ++i) this.addContact(moment.contacts, kContact * i, look);
    for (const instances of all) instances.end();
  }

  private addContact(c: Float32Array, at: number, look: ContactsLook): void {
    const side = this.side(c[at], c[at + 1], look.picked);
    const [px, py, pz] = [c[at + 2], c[at + 3], c[at + 4]];
    const colour = c[at + 12] > 0.5 ? this.colours.slip : this.colours.stick;
    const { length } = this.measure;
    const metresPerNewton = this.measure.metresPerNewton * look.forceScale;
    const q: [number, number, number, number] = [1, 0, 0, 0];
    if (look.contacts) {
      // The white rim tells a point from a body of the same colour.
      const [r, rim] = [0.024 * length, 0.032 * length];
      this.halos.add(px, py, pz, q, rim, rim, rim, this.colours.rim);
      this.points.add(px, py, pz, q, r, r, r, colour);
    }

    const [fx, fy, fz] = [side * c[at + 8], side * c[at + 9], side * c[at + 10]];
    const force = Math.hypot(fx, fy, fz);
    const arrow = force * metresPerNewton;
    if (look.forces && arrow > 1e-4 * length) {
      rotationToward(fx / force, fy / force, fz / force, q);
      const thick = Math.min(0.018 * length, 0.12 * arrow);
      const head = Math.min(5 * thick, 0.4 * arrow);
      this.shafts.add(px, py, pz, q, thick, thick, arrow - head, colour);
      const along = (arrow - head) / force;
      this.heads.add(px + fx * along, py + fy * along, pz + fz * along, q, 2.4 * thick, 2.4 * thick, head, colour);
    }

    if (look.cones) {
      const [nx, ny, nz] = [side * c[at + 5], side * c[at + 6], side * c[at + 7]];
      const norm = Math.hypot(nx, ny, nz) || 1;
      const normal = Math.abs(fx * nx + fy * ny + fz * nz) / norm;
      const height = Math.max(normal * metresPerNewton, 0.05 * length);
      rotationToward(nx / norm, ny / norm, nz / norm, q);
      const radius = Math.max(c[at + 13], 0.01) * height;
      this.cones.add(px, py, pz, q, radius, radius, height, colour);
    }
  }

  // 1: the force on body b is shown, -1: that on body a.
  private side(a: number, b: number, picked: number): number {
    if (picked >= 0 && a === picked) return -1;
    if (picked >= 0 && b === picked) return 1;
    const moves = this.stage.bodies[b]?.moves ?? true;
    return moves ? 1 : -1;
  }
}
