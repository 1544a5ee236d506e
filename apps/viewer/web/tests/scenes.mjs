// Scenes with motions in closed form: what the page shows can be compared with them.

import { packTrack } from "./encode.mjs";

export const kGravity = 9.81;
const kIdentity = [1, 0, 0, 0];
const kStill = [...kIdentity, 0, 0, 0];

export function stageOf(name, bodies, shapes, more = {}) {
  return {
    format: "stiction-stage",
    version: 1,
    name,
    gravity: [0, 0, -kGravity],
    h: 0.002,
    radius: 1.2,
    centre: [0, 0, 0.6],
    bodies: [
      { name: "world", parent: -1, mass: 0, moves: false, com: [0, 0, 0], inertia_box: null },
      ...bodies.map((body) => ({
        parent: 0,
        mass: 1,
        moves: true,
        com: [0, 0, 0],
        inertia_box: { half: [0.1, 0.1, 0.1], q: kIdentity },
        ...body,
      })),
    ],
    shapes: shapes.map((shape) => ({
      name: "",
      role: "both",
      size: [],
      p: [0, 0, 0],
      q: kIdentity,
      rgba: [0.5, 0.5, 0.5, 1],
      group: 0,
      mu: 0.5,
      ...shape,
    })),
    meshes: [],
    joints: [],
    actuators: [],
    sensors: [],
    keyframes: [],
    materials: { friction: 0.5, stiffness: 1e7 },
    tracks: [{ name: "icf_lagged+newton", colour: "#2a78d6", h: 0.002 }],
    formulations: [],
    schemes: [],
    live: false,
    ...more,
  };
}

const kFloor = { body: 0, kind: "half_space", name: "floor" };

export function frameTimes(frames, rate) {
  return Array.from({ length: frames }, (_, i) => i / rate);
}

// A ball in free fall from 2 m and a box that slides with deceleration mu g from v0 until it stands.
export const kDrop = { height: 2, r: 0.1, v0: 1.5, mu: 0.3, mass: 2, half: [0.15, 0.1, 0.08], frames: 31, rate: 60 };

export function ballHeight(t) {
  return kDrop.height - 0.5 * kGravity * t * t;
}

// shift: m, by which the second track's box lies aside
export function boxPlace(t, shift = 0) {
  const stop = kDrop.v0 / (kDrop.mu * kGravity);
  const s = Math.min(t, stop);
  return [kDrop.v0 * s - 0.5 * kDrop.mu * kGravity * s * s, shift, kDrop.half[2]];
}

export function dropStage(more = {}) {
  return stageOf(
    "drop",
    [
      { name: "ball", mass: 1 },
      { name: "box", mass: kDrop.mass },
    ],
    [kFloor, { body: 1, kind: "sphere", size: [kDrop.r] }, { body: 2, kind: "box", size: kDrop.half }],
    { centre: [0.1, 0, 0.8], radius: 1.3, ...more },
  );
}

// The four corners of the box carry its weight; friction opposes the motion.
export function boxContacts(t, shift = 0) {
  const [x, y] = boxPlace(t, shift);
  const slides = t < kDrop.v0 / (kDrop.mu * kGravity);
  const weight = (kDrop.mass * kGravity) / 4;
  return [-1, 1].flatMap((i) =>
    [-1, 1].map((j) => ({
      a: 0,
      b: 2,
      p: [x + i * kDrop.half[0], y + j * kDrop.half[1], 0],
      n: [0, 0, 1],
      f: [slides ? -kDrop.mu * weight : 0, 0, weight],
      gap: -1e-5,
      sliding: slides,
      mu: kDrop.mu,
    })),
  );
}

export function dropValues(t) {
  return {
    kinetic: 0.5 * (kGravity * t) ** 2,
    gravity: kGravity * ballHeight(t),
    residual: 1e-7 * (1 + t),
    iterations: 3 + Math.round(10 * t),
    "sensor:height": ballHeight(t),
  };
}

export function dropTrack(shift = 0) {
  const time = frameTimes(kDrop.frames, kDrop.rate);
  const names = Object.keys(dropValues(0));
  return packTrack({
    time,
    poses: time.map((t) => [kStill, [...kIdentity, -0.5, 0, ballHeight(t)], [...kIdentity, ...boxPlace(t, shift)]]),
    moving: [false, true, true],
    values: Object.fromEntries(names.map((name) => [name, time.map((t) => dropValues(t)[name])])),
    contacts: time.map((t) => boxContacts(t, shift)),
  });
}

// A cloud of bodies of all kinds that turn and swing, on a lattice.
export function cloud(count, frames, rate, { contacts = false } = {}) {
  const side = Math.ceil(Math.cbrt(count));
  const kinds = [
    { kind: "box", size: [0.06, 0.05, 0.04] },
    { kind: "sphere", size: [0.055] },
    { kind: "capsule", size: [0.03, 0.08] },
    { kind: "cylinder", size: [0.045, 0.08] },
    { kind: "ellipsoid", size: [0.06, 0.04, 0.03] },
    { kind: "superellipsoid", size: [0.05, 0.05, 0.05, 0.4, 0.4] },
  ];
  const stage = stageOf(
    `cloud of ${count}`,
    Array.from({ length: count }, (_, i) => ({ name: `body_${i}`, mass: 0.2 })),
    [kFloor, ...Array.from({ length: count }, (_, i) => ({ body: i + 1, ...kinds[i % kinds.length] }))],
    { radius: 0.13 * side, centre: [0, 0, 0.1 + 0.09 * side] },
  );
  const time = frameTimes(frames, rate);
  const place = (i, t) => {
    const [x, y, z] = [i % side, Math.floor(i / side) % side, Math.floor(i / (side * side))];
    const swing = 0.02 * Math.sin(2 * t + i);
    const angle = 0.5 * (t + 0.3 * i);
    return [
      Math.cos(angle / 2),
      0.6 * Math.sin(angle / 2),
      0,
      0.8 * Math.sin(angle / 2),
      0.18 * (x - (side - 1) / 2) + swing,
      0.18 * (y - (side - 1) / 2),
      0.1 + 0.18 * z + swing,
    ];
  };
  const touching = (t) =>
    Array.from({ length: count }, (_, i) => {
      const p = place(i, t).slice(4);
      return { a: 0, b: i + 1, p, n: [0, 0, 1], f: [0, 0.3 * Math.sin(t + i), 2], gap: -1e-5, sliding: i % 3 === 0, mu: 0.5 };
    });
  const track = packTrack({
    time,
    poses: time.map((t) => [kStill, ...Array.from({ length: count }, (_, i) => place(i, t))]),
    moving: [false, ...Array.from({ length: count }, () => true)],
    values: { residual: time.map(() => 1e-8) },
    contacts: contacts ? time.map(touching) : null,
  });
  return { stage, track };
}
