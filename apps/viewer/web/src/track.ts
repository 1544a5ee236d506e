// A packed track: all frames of a recorded run (docs/viewer_protocol.md). Everything is unpacked once into integers, from which
// any frame, or the state between two frames, is a matter of microseconds.

import { emptyMoment, kContact, kCorner, kNoPolygons, kPose, type Moment, type Polygons } from "./moment";
import { BadData, parseJson } from "./protocol";

const kMagic = 0x544b5453; // "STKT"
const kVersion = 1;
const kNormalStep = 1 / 127;
const kGapStep = 1e-6; // m
const kFrictionStep = 1e-3;

interface Header {
  frames: number;
  bodies: number;
  positionStep: number;
  quaternionStep: number;
  values: string[];
  contacts: number;
  contactPositionStep: number;
  forceStep: number;
  polygonStep: number; // 0: there are no polygons
  hasSlips: boolean; // of polygons; pages before had none
  statuses: string[];
}

type Integers = Int32Array | Float64Array;

// Steps through columns of variable-length integers.
class Columns {
  at = 0;
  constructor(private readonly bytes: Uint8Array) {}

  // Unsigned, 7 bits a byte, the lowest first. Beyond 2^31 bit operations would wrap: hence the multiplication.
  varint(): number {
    const bytes = this.bytes;
    let byte = bytes[this.at++];
    if (byte < 128) return byte;
    let value = byte & 127;
    let scale = 128;
    do {
      byte = bytes[this.at++];
      value += (byte & 127) * scale;
      scale *= 128;
    } while (byte >= 128);
    return value;
  }

  zigzag(): number {
    // Most differences fit into one byte.
    const byte = this.bytes[this.at];
    if (byte < 128) {
      ++this.at;
      return (byte >>> 1) ^ -(byte & 1);
    }
    const value = this.varint();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  check(what: string): void {
    if (this.at > this.bytes.length) throw new BadData(`The track ends within its ${what}: the file is incomplete`);
  }

  // Before memory is asked for as much as bytes announce.
  require(count: number, what: string): void {
    if (count > this.bytes.length - this.at) throw new BadData(`The track ends within its ${what}: the file is incomplete`);
  }

  part(count: number, what: string): Uint8Array {
    const part = this.bytes.subarray(this.at, this.at + count);
    this.at += count;
    this.check(what);
    return part;
  }

  // A copy that floating-point numbers can be read from: columns begin anywhere.
  aligned(count: number, what: string): ArrayBuffer {
    return new Uint8Array(this.part(count, what)).buffer;
  }
}

function parseHeader(text: string): Header {
  const header = parseJson(text, "The header of a track") as Record<string, unknown>;
  const number = (from: unknown, key: string, positive: boolean): number => {
    const value = (from as Record<string, unknown> | null | undefined)?.[key];
    if (typeof value !== "number" || !Number.isFinite(value) || value < 0 || (positive && value === 0))
      throw new BadData(`The header of a track says ${key}: ${JSON.stringify(value)}, which cannot be`);
    return value;
  };
  const names = (key: string): string[] => {
    const value = header[key] ?? [];
    if (!Array.isArray(value) || value.some((name) => typeof name !== "string"))
      throw new BadData(`The header of a track says ${key}: ${JSON.stringify(value)}, but names are expected`);
    return value as string[];
  };
  const contacts = header.contacts === undefined ? 0 : number(header.contacts, "count", false);
  return {
    frames: number(header, "frames", true),
    bodies: number(header, "bodies", false),
    positionStep: number(header.bounds, "position_step", true),
    quaternionStep: number(header.bounds, "quaternion_step", true),
    values: names("values"),
    contacts,
    contactPositionStep: contacts > 0 ? number(header.contacts, "position_step", true) : 1,
    forceStep: contacts > 0 ? number(header.contacts, "force_step", false) : 1,
    polygonStep: header.polygons === undefined ? 0 : number(header.polygons, "position_step", true),
    hasSlips: header.polygons !== undefined && (header.polygons as Record<string, unknown>).slips === true,
    statuses: names("statuses"),
  };
}

// The columns of contacts, in the order of the file, and what one unit of each is.
interface ContactColumns {
  start: Uint32Array; // of each frame, and the end
  columns: Int32Array[];
  steps: number[];
}

export class Track {
  private constructor(
    readonly time: Float64Array,
    readonly bodyCount: number,
    readonly valueNames: string[],
    readonly values: Float32Array[],
    readonly statuses: string[],
    private readonly firstPoses: Float64Array,
    private readonly moving: number[], // bodies
    private readonly poses: Integers, // frame by frame, kPose for each moving body
    private readonly steps: Float64Array, // of the kPose numbers
    private readonly contacts: ContactColumns,
    private readonly polygons: Polygons[], // of each frame; empty where there are none
  ) {}

  get frames(): number {
    return this.time.length;
  }

  get duration(): number {
    return this.time[this.frames - 1];
  }

  static async unpack(packed: Uint8Array<ArrayBuffer>): Promise<Track> {
    let bytes: Uint8Array;
    try {
      const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
      bytes = new Uint8Array(await new Response(stream).arrayBuffer());
    } catch {
      throw new BadData("A track cannot be inflated: the file is damaged or incomplete");
    }
    return Track.decode(bytes);
  }

  static decode(bytes: Uint8Array): Track {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (bytes.length < 12 || view.getUint32(0, true) !== kMagic) throw new BadData("This is no packed track");
    if (view.getUint32(4, true) !== kVersion)
      throw new BadData(`The track has version ${view.getUint32(4, true)}, but this page reads version ${kVersion}`);
    const columns = new Columns(bytes);
    columns.at = 12;
    const header = parseHeader(new TextDecoder().decode(columns.part(view.getUint32(8, true), "header")));
    const { frames, bodies } = header;

    // Sizes are checked against what is there before memory is asked for.
    if (8 * frames + 57 * bodies + 14 * header.contacts > bytes.length)
      throw new BadData(`The track announces ${frames} frames of ${bodies} bodies, but has ${bytes.length} bytes only`);
    const time = new Float64Array(columns.aligned(8 * frames, "times"));
    const moves = columns.part(bodies, "list of moving bodies");
    const moving: number[] = [];
    moves.forEach((flag, body) => {
      if (flag !== 0) moving.push(body);
    });
    const firstPoses = new Float64Array(columns.aligned(8 * kPose * bodies, "first poses"));
    const poses = readPoses(columns, frames, kPose * moving.length);
    const values = header.values.map(() => new Float32Array(columns.aligned(4 * frames, "values")));
    const contacts = readContacts(columns, header);
    const polygons = header.polygonStep > 0 ? readPolygons(columns, frames, header.polygonStep, header.hasSlips) : [];
    const [p, q] = [header.positionStep, header.quaternionStep];
    const steps = new Float64Array([q, q, q, q, p, p, p]);
    return new Track(
      time,
      bodies,
      header.values,
      values,
      header.statuses,
      firstPoses,
      moving,
      poses,
      steps,
      contacts,
      polygons,
    );
  }

  emptyMoment(): Moment {
    const moment = emptyMoment(this.bodyCount, this.values.length);
    moment.poses.set(this.firstPoses);
    return moment;
  }

  // The last frame that is not later than t; the first where t is earlier than all.
  frameAt(t: number): number {
    let low = 0;
    let high = this.frames - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.time[middle] <= t) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  nearestFrame(t: number): number {
    const frame = this.frameAt(t);
    const next = Math.min(frame + 1, this.frames - 1);
    return this.time[next] - t < t - this.time[frame] ? next : frame;
  }

  // The state at t: a frame as it was recorded where t is its time; between two frames poses are interpolated, contacts and
  // values are those of the earlier one.
  momentAt(t: number, out: Moment): void {
    const frame = this.frameAt(t);
    const next = Math.min(frame + 1, this.frames - 1);
    const interval = this.time[next] - this.time[frame];
    const part = interval > 0 ? Math.min(Math.max((t - this.time[frame]) / interval, 0), 1) : 0;
    out.time = Math.min(Math.max(t, this.time[0]), this.duration);
    this.moving.forEach((body, slot) => {
      this.poseBetween(slot, frame, next, part, out.poses, kPose * body);
    });
    if (out.frame !== frame || out.contacts.length === 0) this.contactsAt(frame, out);
    for (let i = 0; i < this.values.length; ++i) out.values[i] = this.values[i][frame];
    out.polygons = this.polygons.length > 0 ? this.polygons[frame] : kNoPolygons;
    out.frame = frame;
  }

  poseOf(body: number, frame: number, out: Float64Array): void {
    const slot = this.moving.indexOf(body);
    if (slot < 0) out.set(this.firstPoses.subarray(kPose * body, kPose * (body + 1)));
    else this.poseBetween(slot, frame, frame, 0, out, 0);
  }

  // Positions of all bodies in a frame, for differences between tracks.
  positionsAt(frame: number, out: Float64Array): void {
    const row = frame * kPose * this.moving.length;
    for (let body = 0; body < this.bodyCount; ++body)
      for (let k = 0; k < 3; ++k) out[3 * body + k] = this.firstPoses[kPose * body + 4 + k];
    this.moving.forEach((body, slot) => {
      for (let k = 0; k < 3; ++k) out[3 * body + k] = this.poses[row + kPose * slot + 4 + k] * this.steps[4 + k];
    });
  }

  contactRange(frame: number): [number, number] {
    return [this.contacts.start[frame], this.contacts.start[frame + 1]];
  }

  // Sizes of contact forces in N, at most `most` of them, spread over the recording.
  someForces(most: number): Float64Array {
    const [fx, fy, fz] = this.contacts.columns.slice(8, 11);
    const count = Math.min(fx.length, most);
    const unit = this.contacts.steps[8];
    return Float64Array.from({ length: count }, (_, k) => {
      const i = Math.floor((k * fx.length) / count);
      return unit * Math.hypot(fx[i], fy[i], fz[i]);
    });
  }

  private poseBetween(slot: number, frame: number, next: number, part: number, out: Float64Array, at: number): void {
    const width = kPose * this.moving.length;
    const a = frame * width + kPose * slot;
    const b = next * width + kPose * slot;
    for (let k = 0; k < kPose; ++k)
      out[at + k] = ((1 - part) * this.poses[a + k] + part * this.poses[b + k]) * this.steps[k];
    const norm = Math.hypot(out[at], out[at + 1], out[at + 2], out[at + 3]);
    if (norm > 0) for (let k = 0; k < 4; ++k) out[at + k] /= norm;
  }

  // Contacts of one frame, without its poses.
  contactsAt(frame: number, out: Moment): void {
    const [first, end] = this.contactRange(frame);
    const count = end - first;
    if (out.contacts.length < kContact * Math.max(count, 1)) out.contacts = new Float32Array(kContact * (2 * count + 8));
    const { columns, steps } = this.contacts;
    for (let column = 0; column < columns.length; ++column)
      for (let i = 0; i < count; ++i) out.contacts[kContact * i + column] = columns[column][first + i] * steps[column];
    for (let i = 0; i < count; ++i) out.contacts.fill(-1, kContact * i + 14, kContact * i + 16);
    out.contactCount = count;
  }
}

// Second differences, body by body and number by number, into rows of one frame each.
function readPoses(columns: Columns, frames: number, width: number): Integers {
  let poses: Integers = new Int32Array(frames * width);
  for (let column = 0; column < width; ++column) {
    let value = 0;
    let slope = 0;
    for (let frame = 0; frame < frames; ++frame) {
      const difference = columns.zigzag();
      if (frame === 0) {
        value = difference;
      } else {
        slope = frame === 1 ? difference : slope + difference;
        value += slope;
      }
      // Far away, or with a fine step, 32 bits do not suffice.
      if (poses instanceof Int32Array && (value > 0x7fffffff || value < -0x80000000)) poses = new Float64Array(poses);
      poses[frame * width + column] = value;
    }
    columns.check("poses");
  }
  return poses;
}

// A block for each frame, or a zero: those of the frame before.
function readPolygons(columns: Columns, frames: number, step: number, hasSlips: boolean): Polygons[] {
  const all: Polygons[] = [];
  let last = kNoPolygons;
  for (let frame = 0; frame < frames; ++frame) {
    const announced = columns.varint();
    if (announced > 1) last = readFramePolygons(columns, announced - 1, step, hasSlips);
    else if (announced === 1) last = kNoPolygons;
    columns.check("polygons");
    all.push(last);
  }
  return all;
}

function readFramePolygons(columns: Columns, polygons: number, step: number, hasSlips: boolean): Polygons {
  columns.require(polygons, "polygons");
  const [largest] = new Float32Array(columns.aligned(4, "polygons"));
  const counts = new Uint32Array(polygons);
  let count = 0;
  for (let i = 0; i < polygons; ++i) count += counts[i] = columns.varint();
  columns.require(4 * count, "polygons");
  const corners = new Float32Array(kCorner * count);
  const place = [0, 0, 0];
  for (let i = 0; i < count; ++i)
    for (let k = 0; k < 3; ++k) corners[kCorner * i + k] = step * (place[k] += columns.zigzag());
  columns.part(count, "polygons").forEach((part, i) => {
    corners[kCorner * i + 3] = (largest * part) / 255;
  });
  const slips = new Float32Array(count);
  if (hasSlips) {
    const [fastest] = new Float32Array(columns.aligned(4, "polygons"));
    columns.part(count, "polygons").forEach((part, i) => {
      slips[i] = (fastest * part) / 255;
    });
  }
  return { counts, corners, slips };
}

function readContacts(columns: Columns, header: Header): ContactColumns {
  const start = new Uint32Array(header.frames + 1);
  for (let frame = 0; frame < header.frames; ++frame) start[frame + 1] = start[frame] + columns.varint();
  columns.check("numbers of contacts");
  const count = start[header.frames];
  if (count !== header.contacts)
    throw new BadData(`The track announces ${header.contacts} contacts, but its frames have ${count}`);
  const [p, f] = [header.contactPositionStep, header.forceStep];
  const n = kNormalStep;
  const steps = [1, 1, p, p, p, n, n, n, f, f, f, kGapStep, 1, kFrictionStep];
  const unpacked = steps.map(() => {
    const column = new Int32Array(count);
    for (let frame = 0; frame < header.frames; ++frame) {
      const first = start[frame];
      const length = start[frame + 1] - first;
      const before = frame > 0 ? start[frame - 1] : 0;
      const lengthBefore = frame > 0 ? first - before : 0;
      for (let i = 0; i < length; ++i)
        column[first + i] = columns.zigzag() + (i < lengthBefore ? column[before + i] : 0);
    }
    columns.check("contacts");
    return column;
  });
  return { start, columns: unpacked, steps };
}
