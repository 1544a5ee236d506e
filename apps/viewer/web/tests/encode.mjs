// Packs tracks as docs/viewer_protocol.md says, independently of the page's decoder, and writes pages with data inside.

import { deflateSync } from "node:zlib";
import { readFileSync, writeFileSync } from "node:fs";

export const kPositionStep = 1e-5; // m
export const kQuaternionStep = 1 / 32767;
export const kForceStep = 1e-3; // N

// Whole numbers up to 2^53, 7 bits a byte, the lowest first.
function varint(value, out) {
  let rest = value;
  while (rest >= 128) {
    out.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  out.push(rest);
}

function zigzag(value, out) {
  varint(value >= 0 ? 2 * value : -2 * value - 1, out);
}

function doubles(values) {
  return Buffer.from(new Float64Array(values).buffer);
}

// poses: [frame][body] = [w, x, y, z, px, py, pz]; moving: [body]; values: {name: [frame]};
// contacts: [frame] = list of {a, b, p, n, f, gap, sliding, mu}
// polygons: [frame] = null, or list of polygons, each a list of corners [x, y, z, pressure, slip]; "same": those of the frame before
export function packTrack({ time, poses, moving, values = {}, contacts = null, polygons = null, statuses = ["converged"] }) {
  const [frames, bodies] = [time.length, poses[0].length];
  const perFrame = contacts ?? time.map(() => []);
  const header = Buffer.from(
    JSON.stringify({
      frames,
      bodies,
      bounds: { position_step: kPositionStep, quaternion_step: kQuaternionStep },
      values: Object.keys(values),
      contacts: {
        count: perFrame.reduce((sum, list) => sum + list.length, 0),
        position_step: kPositionStep,
        force_step: kForceStep,
      },
      statuses,
      duration: time[frames - 1],
      ...(polygons === null ? {} : { polygons: { position_step: kPositionStep, slips: true } }),
    }),
  );
  const head = Buffer.alloc(12);
  head.write("STKT", "latin1");
  head.writeUInt32LE(1, 4);
  head.writeUInt32LE(header.length, 8);

  const columns = [];
  for (let body = 0; body < bodies; ++body) {
    if (!moving[body]) continue;
    for (let k = 0; k < 7; ++k) {
      const step = k < 4 ? kQuaternionStep : kPositionStep;
      const whole = poses.map((frame) => Math.round(frame[body][k] / step));
      whole.forEach((value, i) => {
        if (i === 0) zigzag(value, columns);
        else if (i === 1) zigzag(value - whole[0], columns);
        else zigzag(value - 2 * whole[i - 1] + whole[i - 2], columns);
      });
    }
  }

  const counts = [];
  for (const list of perFrame) varint(list.length, counts);
  const numbers = perFrame.map((list) =>
    list.map(({ a, b, p, n, f, gap, sliding, mu }) => [
      a,
      b,
      ...p.map((x) => Math.round(x / kPositionStep)),
      ...n.map((x) => Math.round(127 * x)),
      ...f.map((x) => Math.round(x / kForceStep)),
      Math.round(gap / 1e-6),
      sliding ? 1 : 0,
      Math.round(1000 * mu),
    ]),
  );
  const touching = [];
  for (let column = 0; column < 14; ++column)
    numbers.forEach((list, frame) => {
      list.forEach((contact, i) => {
        const before = frame > 0 ? (numbers[frame - 1][i]?.[column] ?? 0) : 0;
        zigzag(contact[column] - before, touching);
      });
    });
  return deflateSync(
    Buffer.concat([
      head,
      header,
      doubles(time),
      Buffer.from(moving.map((moves) => (moves ? 1 : 0))),
      doubles(poses[0].flat()),
      Buffer.from(columns),
      ...Object.values(values).map((list) => Buffer.from(new Float32Array(list).buffer)),
      Buffer.from(counts),
      Buffer.from(touching),
      ...(polygons ?? []).map(packPolygons),
    ]),
  );
}

function packPolygons(list) {
  const head = [];
  if (list === "same") return Buffer.from([0]);
  varint((list ?? []).length + 1, head);
  if (list === null || list.length === 0) return Buffer.from(head);
  const corners = list.flat();
  const largest = Math.max(...corners.map((corner) => corner[3]));
  const tail = [];
  for (const polygon of list) varint(polygon.length, tail);
  const whole = corners.map((corner) => corner.slice(0, 3).map((x) => Math.round(x / kPositionStep)));
  whole.forEach((place, i) => {
    place.forEach((x, k) => zigzag(x - (i > 0 ? whole[i - 1][k] : 0), tail));
  });
  for (const corner of corners) tail.push(Math.round((255 * corner[3]) / largest));
  const slips = corners.map((corner) => corner[4] ?? 0);
  const fastest = Math.max(...slips);
  return Buffer.concat([
    Buffer.from(head),
    Buffer.from(new Float32Array([largest]).buffer),
    Buffer.from(tail),
    Buffer.from(new Float32Array([fastest]).buffer),
    Buffer.from(slips.map((slip) => (fastest > 0 ? Math.round((255 * slip) / fastest) : 0))),
  ]);
}

// What decoding must give for a number that was packed with a step.
export function rounded(value, step) {
  return Math.round(value / step) * step;
}

// A binary frame of the live connection.
export function packFrame({ track = 0, time, step, poses, velocities = [], values = [], contacts = [], polygons = [] }) {
  const head = Buffer.alloc(36);
  head.write("STKF", "latin1");
  head.writeUInt32LE(track, 4);
  head.writeDoubleLE(time, 8);
  [step, poses.length, contacts.length, values.length, velocities.length].forEach((n, i) => head.writeUInt32LE(n, 16 + 4 * i));
  const floats = [
    ...poses.flat(),
    ...velocities.flat(),
    ...values,
    ...contacts.flatMap(({ a, b, p, n, f, gap, sliding, mu }) => [a, b, ...p, ...n, ...f, gap, sliding ? 1 : 0, mu, 0, 0]),
  ];
  const parts = [head, Buffer.from(new Float32Array(floats).buffer)];
  if (polygons.length > 0) {
    const corners = polygons.flat();
    const counts = [polygons.length, corners.length, ...polygons.map((polygon) => polygon.length)];
    parts.push(Buffer.from(new Uint32Array(counts).buffer));
    parts.push(Buffer.from(new Float32Array(corners.flatMap((corner) => corner.slice(0, 4))).buffer));
    parts.push(Buffer.from(new Float32Array(corners.map((corner) => corner[4] ?? 0)).buffer));
  }
  return Buffer.concat(parts);
}

// The built page with data inside, as the command line writes it.
export function writePage(viewer, path, stage, tracks, report = null) {
  const safe = (text) => text.replaceAll("</", "<\\/");
  const scripts = [
    `<script type="application/json" id="stiction-stage">${safe(JSON.stringify(stage))}</script>`,
    ...tracks.map((track, k) => `<script type="text/plain" id="stiction-track-${k}">${track.toString("base64")}</script>`),
    ...(report === null ? [] : [`<script type="text/html" id="stiction-report">${report}</script>`]),
  ].join("\n");
  writeFileSync(path, readFileSync(viewer, "utf8").replace("</body>", () => `${scripts}\n</body>`));
}
