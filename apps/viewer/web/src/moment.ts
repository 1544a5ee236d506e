// What is known about one track at one time: the common ground of recordings and live simulations.

import { BadData } from "./protocol";

export const kPose = 7; // w, x, y, z, px, py, pz
export const kCorner = 4; // x, y, z (m), pressure (Pa)
export const kContact = 16; // body_a, body_b, p (3), n (3), f (3, on b), gap, sliding, mu, shape_a, shape_b

export interface Moment {
  time: number; // s
  frame: number; // of a recording; the step of a live simulation
  poses: Float64Array; // kPose for each body
  velocities: Float32Array | null; // 6 for each body: angular, linear of its origin; null where only poses are known
  values: Float32Array;
  contactCount: number;
  contacts: Float32Array; // kContact for each of contactCount, more may follow
  polygons: Polygons;
}

// The polygons of pressure patches.
export interface Polygons {
  counts: Uint32Array; // corners of each
  corners: Float32Array; // kCorner for each
  slips: Float32Array; // m/s, of each corner; zeros where the file has none
}

export const kNoPolygons: Polygons = {
  counts: new Uint32Array(0),
  corners: new Float32Array(0),
  slips: new Float32Array(0),
};

export function emptyMoment(bodies: number, values: number): Moment {
  const poses = new Float64Array(kPose * bodies);
  for (let i = 0; i < bodies; ++i) poses[kPose * i] = 1;
  return {
    time: 0,
    frame: 0,
    poses,
    velocities: null,
    values: new Float32Array(values),
    contactCount: 0,
    contacts: new Float32Array(0),
    polygons: kNoPolygons,
  };
}

const kFrameHead = 36; // bytes

// Reads a binary frame of the live connection. Returns the number of its track.
export function parseFrame(buffer: ArrayBuffer): { track: number; moment: Moment } {
  const view = new DataView(buffer);
  if (buffer.byteLength < kFrameHead || view.getUint32(0, true) !== 0x464b5453)
    throw new BadData("A frame of the server does not begin as one");
  const [step, bodies, contacts, values, velocities] = [16, 20, 24, 28, 32].map((at) => view.getUint32(at, true));
  const floats = kPose * bodies + 6 * velocities + values + kContact * contacts;
  const end = kFrameHead + 4 * floats;
  const polygons = readPolygons(view, end);
  const announced = polygons === null ? end : end + 8 + 4 * (polygons.counts.length + polygons.corners.length + polygons.slips.length);
  if (buffer.byteLength !== announced)
    throw new BadData(`A frame of the server has ${buffer.byteLength} bytes, but ${announced} are announced`);
  let at = kFrameHead;
  const take = (count: number) => {
    const part = new Float32Array(buffer, at, count);
    at += 4 * count;
    return part;
  };
  const poses = new Float64Array(take(kPose * bodies));
  const given = take(6 * velocities);
  return {
    track: view.getUint32(4, true),
    moment: {
      time: view.getFloat64(8, true),
      frame: step,
      poses,
      velocities: velocities > 0 ? given : null,
      values: take(values),
      contactCount: contacts,
      contacts: take(kContact * contacts),
      polygons: polygons ?? kNoPolygons,
    },
  };
}

// What follows the contacts of a frame; null where nothing does.
function readPolygons(view: DataView, at: number): Polygons | null {
  if (view.byteLength < at + 8) return null;
  const [polygons, corners] = [view.getUint32(at, true), view.getUint32(at + 4, true)];
  if (view.byteLength !== at + 8 + 4 * (polygons + (kCorner + 1) * corners))
    throw new BadData(`A frame of the server announces ${polygons} polygons with ${corners} corners and has other bytes`);
  const counts = new Uint32Array(view.buffer, at + 8, polygons);
  if (counts.reduce((sum, count) => sum + count, 0) !== corners)
    throw new BadData(`The polygons of a frame do not have the ${corners} corners that it announces`);
  const begin = at + 8 + 4 * polygons;
  return {
    counts,
    corners: new Float32Array(view.buffer, begin, kCorner * corners),
    slips: new Float32Array(view.buffer, begin + 4 * kCorner * corners, corners),
  };
}
