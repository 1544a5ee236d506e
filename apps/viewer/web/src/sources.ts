// Where a track's states come from, as the rest of the page sees it: a recording with all its frames, or a live simulation of
// which the page keeps the numbers that it plots.

import { emptyMoment, kContact, kPose, type Moment } from "./moment";
import type { Stage } from "./protocol";
import type { Track } from "./track";

// Numbers against time. The arrays may be longer than `length`.
export interface Series {
  time: ArrayLike<number>;
  values: ArrayLike<number>;
  length: number;
}

export interface Velocity {
  angular: [number, number, number]; // rad/s
  linear: [number, number, number]; // m/s, of the body's origin
  measured: boolean; // false: from differences of recorded poses
}

export interface Source {
  readonly name: string;
  readonly colour: string;
  readonly valueNames: readonly string[];
  readonly statuses: readonly string[];
  readonly moment: Moment;
  // A value by its name, or one of kDerived, or `QUANTITY:BODY` for one of kBodyQuantities; null where it is not known.
  series(key: string): Series | null;
  velocityOf(body: number): Velocity;
}

export const kTrackColours = ["#2a78d6", "#e8743b", "#17a67c", "#9560d3"];
export const kEnergies = ["kinetic", "gravity", "springs"];
export const kDerived = ["energy", "contact_force", "contact_count", "deepest"] as const;
export type Derived = (typeof kDerived)[number];
export const kBodyQuantities = ["force", "x", "y", "z"] as const;
export type BodyQuantity = (typeof kBodyQuantities)[number];

function isDerived(key: string): key is Derived {
  return (kDerived as readonly string[]).includes(key);
}

// The sum of the forces on a body in N, into out; returns the number of its contacts.
export function forceOn(body: number, moment: Moment, out: [number, number, number]): number {
  let count = 0;
  out[0] = out[1] = out[2] = 0;
  for (let i = 0; i < moment.contactCount; ++i) {
    const at = kContact * i;
    const side = moment.contacts[at + 1] === body ? 1 : moment.contacts[at] === body ? -1 : 0;
    if (side === 0) continue;
    ++count;
    for (let k = 0; k < 3; ++k) out[k] += side * moment.contacts[at + 8 + k];
  }
  return count;
}

function derivedOf(key: Derived, moment: Moment, energies: number[]): number {
  let sum = 0;
  switch (key) {
    case "energy":
      for (const index of energies) sum += moment.values[index];
      return sum;
    case "contact_count":
      return moment.contactCount;
    case "contact_force":
      for (let at = 0; at < kContact * moment.contactCount; at += kContact)
        sum += Math.hypot(moment.contacts[at + 8], moment.contacts[at + 9], moment.contacts[at + 10]);
      return sum;
    case "deepest":
      for (let at = 0; at < kContact * moment.contactCount; at += kContact) sum = Math.max(sum, -moment.contacts[at + 11]);
      return sum;
  }
}

function energyIndices(names: readonly string[]): number[] {
  return kEnergies.map((name) => names.indexOf(name)).filter((index) => index >= 0);
}

function bodyKey(key: string): { quantity: BodyQuantity; body: number } | null {
  const match = /^(force|x|y|z):(\d+)$/.exec(key);
  return match === null ? null : { quantity: match[1] as BodyQuantity, body: Number(match[2]) };
}

export class RecordedSource implements Source {
  readonly moment: Moment;
  readonly valueNames: readonly string[];
  readonly statuses: readonly string[];
  private readonly cache = new Map<string, Series | null>();

  constructor(
    readonly track: Track,
    readonly name: string,
    readonly colour: string,
  ) {
    this.moment = track.emptyMoment();
    this.valueNames = track.valueNames;
    this.statuses = track.statuses;
    track.momentAt(0, this.moment);
  }

  series(key: string): Series | null {
    let series = this.cache.get(key);
    if (series === undefined) {
      series = this.compute(key);
      this.cache.set(key, series);
    }
    return series;
  }

  // Central differences of the poses at the frame shown.
  velocityOf(body: number): Velocity {
    const frame = this.track.nearestFrame(this.moment.time);
    const before = Math.max(frame - 1, 0);
    const after = Math.min(frame + 1, this.track.frames - 1);
    const interval = this.track.time[after] - this.track.time[before];
    const velocity: Velocity = { angular: [0, 0, 0], linear: [0, 0, 0], measured: false };
    if (!(interval > 0)) return velocity;
    const [a, b] = [new Float64Array(kPose), new Float64Array(kPose)];
    this.track.poseOf(body, before, a);
    this.track.poseOf(body, after, b);
    for (let k = 0; k < 3; ++k) velocity.linear[k] = (b[4 + k] - a[4 + k]) / interval;

    // The rotation vector of b a^-1, the turn that leads from one pose to the other in world axes.
    let w = b[0] * a[0] + b[1] * a[1] + b[2] * a[2] + b[3] * a[3];
    const v = [
      a[0] * b[1] - b[0] * a[1] - (b[2] * a[3] - b[3] * a[2]),
      a[0] * b[2] - b[0] * a[2] - (b[3] * a[1] - b[1] * a[3]),
      a[0] * b[3] - b[0] * a[3] - (b[1] * a[2] - b[2] * a[1]),
    ];
    const sign = w < 0 ? -1 : 1;
    w *= sign;
    const sine = Math.hypot(v[0], v[1], v[2]);
    const factor = sine > 1e-12 ? (2 * Math.atan2(sine, w)) / sine : 2;
    for (let k = 0; k < 3; ++k) velocity.angular[k] = (sign * factor * v[k]) / interval;
    return velocity;
  }

  private compute(key: string): Series | null {
    const { track } = this;
    const index = track.valueNames.indexOf(key);
    if (index >= 0) return { time: track.time, values: track.values[index], length: track.frames };
    const values = new Float64Array(track.frames);
    const about = bodyKey(key);
    if (about !== null && about.body < track.bodyCount) {
      if (about.quantity === "force") this.forces(about.body, values);
      else this.positions(about.body, "xyz".indexOf(about.quantity), values);
    } else if (isDerived(key)) {
      const energies = energyIndices(track.valueNames);
      if (key === "energy" && energies.length === 0) return null;
      const moment = track.emptyMoment();
      for (let frame = 0; frame < track.frames; ++frame) {
        if (key === "energy") values[frame] = energies.reduce((sum, i) => sum + track.values[i][frame], 0);
        else {
          track.contactsAt(frame, moment);
          values[frame] = derivedOf(key, moment, energies);
        }
      }
    } else {
      return null;
    }
    return { time: track.time, values, length: track.frames };
  }

  private positions(body: number, axis: number, values: Float64Array): void {
    const pose = new Float64Array(kPose);
    for (let frame = 0; frame < values.length; ++frame) {
      this.track.poseOf(body, frame, pose);
      values[frame] = pose[4 + axis];
    }
  }

  private forces(body: number, values: Float64Array): void {
    const moment = this.track.emptyMoment();
    const force: [number, number, number] = [0, 0, 0];
    for (let frame = 0; frame < values.length; ++frame) {
      this.track.contactsAt(frame, moment);
      forceOn(body, moment, force);
      values[frame] = Math.hypot(...force);
    }
  }
}

const kHistory = 6000; // samples that a live plot remembers: 100 s at 60 a second

// A growing series of which the oldest half is forgotten when it is full.
class History {
  readonly time: number[] = [];
  readonly values: number[] = [];

  add(time: number, value: number): void {
    // After a reset or a step back what came later has not happened.
    while (this.time.length > 0 && this.time[this.time.length - 1] >= time) {
      this.time.pop();
      this.values.pop();
    }
    if (this.time.length >= kHistory) {
      this.time.splice(0, kHistory / 2);
      this.values.splice(0, kHistory / 2);
    }
    this.time.push(time);
    this.values.push(value);
  }

  get length(): number {
    return this.time.length;
  }
}

export class LiveSource implements Source {
  moment: Moment;
  readonly statuses: readonly string[];
  readonly valueNames: readonly string[];
  private readonly histories = new Map<string, History>();
  private readonly energies: number[];

  constructor(
    stage: Stage,
    public name: string, // the law may change while it runs
    readonly colour: string,
  ) {
    this.valueNames = stage.values;
    this.statuses = stage.statuses;
    this.energies = energyIndices(stage.values);
    this.moment = emptyMoment(stage.bodies.length, stage.values.length);
    for (const name of [...stage.values, ...kDerived]) this.histories.set(name, new History());
  }

  // Numbers of one body are kept from when somebody asks for them.
  watch(body: number): void {
    for (const quantity of kBodyQuantities) {
      const key = `${quantity}:${body}`;
      if (!this.histories.has(key)) this.histories.set(key, new History());
    }
  }

  add(moment: Moment): void {
    this.moment = moment;
    const force: [number, number, number] = [0, 0, 0];
    for (const [key, history] of this.histories) {
      const index = this.valueNames.indexOf(key);
      const about = bodyKey(key);
      if (index >= 0) history.add(moment.time, moment.values[index]);
      else if (isDerived(key)) history.add(moment.time, derivedOf(key, moment, this.energies));
      else if (about?.quantity === "force") {
        forceOn(about.body, moment, force);
        history.add(moment.time, Math.hypot(...force));
      } else if (about !== null)
        history.add(moment.time, moment.poses[kPose * about.body + 4 + "xyz".indexOf(about.quantity)]);
    }
  }

  series(key: string): Series | null {
    if (key === "energy" && this.energies.length === 0) return null;
    return this.histories.get(key) ?? null;
  }

  velocityOf(body: number): Velocity {
    const v = this.moment.velocities;
    if (v === null || v.length < 6 * (body + 1)) return { angular: [0, 0, 0], linear: [0, 0, 0], measured: false };
    const at = 6 * body;
    return { angular: [v[at], v[at + 1], v[at + 2]], linear: [v[at + 3], v[at + 4], v[at + 5]], measured: true };
  }
}
