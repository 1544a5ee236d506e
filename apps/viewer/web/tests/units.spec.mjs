// Decoding, checking, rays and scales, without a browser.

import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateSync, inflateSync } from "node:zlib";
import { kForceStep, kPositionStep, kQuaternionStep, packFrame, packTrack, rounded } from "./encode.mjs";
import { importSources } from "./modules.mjs";
import { dropStage } from "./scenes.mjs";

const {
  BadData,
  RecordedSource,
  Track,
  castRay,
  creasedGeometry,
  fitForces,
  forceOn,
  isShown,
  parseFrame,
  parseMessage,
  parseStage,
  partsOf,
  readAddress,
  sampleAt,
  ticks,
} = await importSources(
  "address", "bodies", "contacts", "moment", "normals", "plots", "protocol", "ray", "sources", "track",
);

// Two bodies, the second of which screws along x; contacts come and go.
const kTimes = [0, 0.25, 0.5, 1];
const pose = (t) => [Math.cos(t), Math.sin(t), 0, 0, 3 * t - 1, 0.5 * t * t, -t];
const contactAt = (i, k) => ({
  a: 0,
  b: 1,
  p: [0.1 * i, -0.2 * k, 0.3],
  n: [0, 0.6, 0.8],
  f: [1.5 * k, -2.25, 10 + i],
  gap: -1e-4 * (k + 1),
  sliding: (i + k) % 2 === 1,
  mu: 0.25,
});
const kContacts = [0, 2, 1, 3].map((count, frame) => Array.from({ length: count }, (_, k) => contactAt(frame, k)));
const packed = packTrack({
  time: kTimes,
  poses: kTimes.map((t) => [[1, 0, 0, 0, 1, 2, 3], pose(t)]),
  moving: [false, true],
  values: { kinetic: [1, 2, 3, 4], residual: [1e-3, 1e-5, 0, NaN] },
  contacts: kContacts,
  statuses: ["converged", "stalled"],
});
const track = await Track.unpack(new Uint8Array(packed));

test("every frame has the packed poses to the last bit of their step", () => {
  const moment = track.emptyMoment();
  kTimes.forEach((t, frame) => {
    track.momentAt(t, moment);
    assert.equal(moment.frame, frame);
    const wanted = pose(t).map((x, k) => rounded(x, k < 4 ? kQuaternionStep : kPositionStep));
    const norm = Math.hypot(...wanted.slice(0, 4));
    wanted.forEach((x, k) => assert.ok(Math.abs(moment.poses[7 + k] - (k < 4 ? x / norm : x)) < 1e-14));
    assert.deepEqual([...moment.poses.slice(0, 7)], [1, 0, 0, 0, 1, 2, 3]);
  });
});

test("between two frames a body is between its places", () => {
  const moment = track.emptyMoment();
  track.momentAt(0.75, moment);
  assert.equal(moment.frame, 2);
  assert.ok(Math.abs(moment.poses[7 + 4] - (pose(0.5)[4] + pose(1)[4]) / 2) < kPositionStep);
  assert.ok(Math.abs(Math.hypot(...moment.poses.slice(7, 11)) - 1) < 1e-14);
});

test("outside of the recording its ends are shown", () => {
  const moment = track.emptyMoment();
  track.momentAt(-1, moment);
  assert.equal(moment.poses[7 + 4], -1);
  track.momentAt(7, moment);
  assert.equal(moment.time, 1);
  assert.ok(Math.abs(moment.poses[7 + 4] - 2) < 1e-12);
});

test("contacts of a frame are those packed, whatever the frame before had", () => {
  const moment = track.emptyMoment();
  [3, 1, 2, 0, 3].forEach((frame) => {
    track.momentAt(kTimes[frame], moment);
    assert.equal(moment.contactCount, kContacts[frame].length);
    kContacts[frame].forEach(({ a, b, p, n, f, gap, sliding, mu }, i) => {
      const got = moment.contacts.subarray(16 * i, 16 * (i + 1));
      const wanted = [a, b, ...p.map((x) => rounded(x, kPositionStep)), ...n.map((x) => rounded(x, 1 / 127)),
        ...f.map((x) => rounded(x, kForceStep)), gap, sliding ? 1 : 0, mu];
      wanted.forEach((x, k) => assert.ok(Math.abs(got[k] - x) <= 1e-6 * (1 + Math.abs(x)), `${k}: ${got[k]} ${x}`));
    });
  });
});

test("values are read by name, and what is no number stays none", () => {
  const source = new RecordedSource(track, "a", "#000000");
  assert.deepEqual([...source.series("kinetic").values], [1, 2, 3, 4]);
  assert.ok(Number.isNaN(source.series("residual").values[3]));
  assert.equal(source.series("nonsense"), null);
  assert.deepEqual([...source.series("energy").values], [1, 2, 3, 4]);
  assert.deepEqual([...source.series("contact_count").values], [0, 2, 1, 3]);
});

test("forces on a body are summed with their sign", () => {
  const source = new RecordedSource(track, "a", "#000000");
  track.momentAt(kTimes[1], source.moment);
  const [onB, onA] = [[0, 0, 0], [0, 0, 0]];
  assert.equal(forceOn(1, source.moment, onB), 2);
  forceOn(0, source.moment, onA);
  const wanted = kContacts[1].reduce((sum, { f }) => sum.map((x, k) => x + f[k]), [0, 0, 0]);
  wanted.forEach((x, k) => {
    assert.ok(Math.abs(onB[k] - x) < 1e-5);
    assert.equal(onA[k], -onB[k]);
  });
});

test("velocities are central differences: a constant one is exact", () => {
  const source = new RecordedSource(track, "a", "#000000");
  track.momentAt(0.25, source.moment);
  const velocity = source.velocityOf(1);
  assert.ok(Math.abs(velocity.linear[0] - 3) < 4 * kPositionStep);
  // A quaternion (cos t, sin t, 0, 0) turns by 2 rad/s.
  assert.ok(Math.abs(velocity.angular[0] - 2) < 8 * kQuaternionStep);
  assert.equal(velocity.measured, false);
});

test("places beyond 32 bits of their step are kept", () => {
  const far = [-5e7, 0, 123456789.00001]; // m
  const poses = [0, 1, 2].map((i) => [[1, 0, 0, 0, ...far.map((x) => x * (i + 1))]]);
  const moment = Track.decode(inflateSync(packTrack({ time: [0, 1, 2], poses, moving: [true] }))).emptyMoment();
  const decoded = Track.decode(inflateSync(packTrack({ time: [0, 1, 2], poses, moving: [true] })));
  decoded.momentAt(2, moment);
  far.forEach((x, k) => assert.ok(Math.abs(moment.poses[4 + k] - 3 * x) < kPositionStep));
});

test("damaged tracks are refused with words", async () => {
  const bytes = inflateSync(packed);
  const cut = (length) => () => Track.decode(bytes.subarray(0, length));
  for (const length of [0, 8, 40, 400, bytes.length - 1]) assert.throws(cut(length), BadData, String(length));
  const newer = Buffer.from(bytes);
  newer.writeUInt32LE(2, 4);
  assert.throws(() => Track.decode(newer), /version 2/);
  await assert.rejects(Track.unpack(new Uint8Array(packed.subarray(0, 60))), /damaged or incomplete/);
  await assert.rejects(Track.unpack(new Uint8Array(deflateSync(Buffer.from("no track at all")))), /no packed track/);
});

test("a stage that is wrong is refused with the place and what is expected", () => {
  const wrong = (change) => {
    const stage = structuredClone(dropStage());
    change(stage);
    return () => parseStage(stage);
  };
  assert.throws(wrong((s) => (s.shapes[1].kind = "teapot")), /stage\.shapes\[1\]\.kind: one of sphere.*"teapot"/);
  assert.throws(wrong((s) => (s.shapes[1].size = [1, 2])), /stage\.shapes\[1\]\.size: a list of 1 numbers/);
  assert.throws(wrong((s) => (s.shapes[1].body = 9)), /stage\.shapes\[1\]\.body: .*below 3/);
  assert.throws(wrong((s) => (s.bodies[1].mass = "heavy")), /stage\.bodies\[1\]\.mass: a number.*"heavy"/);
  assert.throws(wrong((s) => (s.bodies[1].parent = 2)), /stage\.bodies\[1\]\.parent/);
  assert.throws(wrong((s) => (s.version = 3)), /version 3/);
  assert.throws(() => parseStage([]), BadData);
  assert.throws(() => parseMessage("{"), BadData);
  assert.equal(parseStage(dropStage()).bodies[2].name, "box");
});

test("a live frame is read as it was written, and one of the wrong length refused", () => {
  const poses = [[1, 0, 0, 0, 0, 0, 0], [0.5, 0.5, 0.5, 0.5, 1, 2, 3]];
  const velocities = [[0, 0, 0, 0, 0, 0], [1, 2, 3, 4, 5, 6]];
  const frame = packFrame({ track: 1, time: 2.5, step: 7, poses, velocities, values: [9], contacts: [contactAt(1, 1)] });
  const buffer = frame.buffer.slice(frame.byteOffset, frame.byteOffset + frame.length);
  const { track: k, moment } = parseFrame(buffer);
  assert.equal(k, 1);
  assert.deepEqual([moment.time, moment.frame, moment.contactCount], [2.5, 7, 1]);
  assert.deepEqual([...moment.poses], poses.flat());
  assert.deepEqual([...moment.velocities], velocities.flat());
  assert.equal(moment.values[0], 9);
  assert.equal(moment.contacts[9], -2.25);
  assert.throws(() => parseFrame(buffer.slice(0, -4)), BadData);
  assert.throws(() => parseFrame(new ArrayBuffer(3)), BadData);
});

test("polygons of patches are read from live frames and from tracks", () => {
  const polygons = [
    [[0, 0, 0, 0, 0.25], [0.5, 0, 0, 1000, 0], [0.5, 0.25, 0, 2000, 0.5]],
    [[1, 1, 1, 500, 0], [2, 1, 1, 500, 1], [2, 2, 1, 500, 0], [1, 2, 1, 500, 0]],
  ];
  const poses = [[1, 0, 0, 0, 0, 0, 0]];
  const frame = packFrame({ time: 1, step: 1, poses, polygons });
  const buffer = frame.buffer.slice(frame.byteOffset, frame.byteOffset + frame.length);
  const { moment } = parseFrame(buffer);
  assert.deepEqual([...moment.polygons.counts], [3, 4]);
  assert.deepEqual([...moment.polygons.corners], polygons.flat().flatMap((corner) => corner.slice(0, 4)));
  assert.deepEqual([...moment.polygons.slips], polygons.flat().map((corner) => corner[4]));
  assert.throws(() => parseFrame(buffer.slice(0, -4)), BadData);
  const damaged = new DataView(buffer.slice(0));
  damaged.setUint32(frame.length - 4 * 37, 4, true); // a corner more in the first than there are
  assert.throws(() => parseFrame(damaged.buffer), BadData);

  const times = [0, 1, 2, 3];
  const all = { time: times, poses: times.map(() => poses[0]).map((p) => [p]), moving: [false] };
  const recorded = Track.decode(inflateSync(packTrack({ ...all, polygons: [polygons, "same", null, polygons.slice(1)] })));
  const shown = recorded.emptyMoment();
  const countsAt = (t) => {
    recorded.momentAt(t, shown);
    return [...shown.polygons.counts];
  };
  assert.deepEqual(times.map(countsAt), [[3, 4], [3, 4], [], [4]]);
  countsAt(0);
  polygons.flat().forEach((corner, i) => {
    for (let k = 0; k < 3; ++k) assert.ok(Math.abs(shown.polygons.corners[4 * i + k] - corner[k]) <= kPositionStep);
    assert.ok(Math.abs(shown.polygons.corners[4 * i + 3] - corner[3]) <= 2000 / 510 + 1e-3);
    assert.ok(Math.abs(shown.polygons.slips[i] - corner[4]) <= 1 / 510 + 1e-6);
  });
  const bytes = inflateSync(packTrack({ ...all, polygons: [polygons, null, null, null] }));
  for (const cut of [1, 5, 20, 40]) assert.throws(() => Track.decode(bytes.subarray(0, bytes.length - cut)), BadData);
});

test("a ray meets each kind of shape at the distance of geometry", () => {
  const distance = (kind, size, from, direction, q = [1, 0, 0, 0]) => {
    const stage = dropStage();
    stage.shapes = [{ ...stage.shapes[1], kind, size, q }];
    const norm = Math.hypot(...direction);
    const poses = new Float64Array([1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 10, 0, 0, 1, 0, 0, 0, 0, 0, 0]);
    const look = { geometry: "visual", hulls: false };
    return castRay(parseStage(stage), poses, from, direction.map((x) => x / norm), look)?.distance ?? null;
  };
  const quarter = [Math.SQRT1_2, Math.SQRT1_2, 0, 0]; // about x: z becomes -y
  const near = (a, b) => assert.ok(Math.abs(a - b) < 1e-12, `${a} ${b}`);
  near(distance("sphere", [2], [0, 0, 0], [1, 0, 0]), 8);
  near(distance("box", [1, 2, 3], [0, 0, 0], [1, 0, 0]), 9);
  near(distance("ellipsoid", [4, 1, 1], [0, 0, 0], [1, 0, 0]), 6);
  near(distance("cylinder", [1, 4], [10, 0, 9], [0, 0, -1]), 7);
  near(distance("cylinder", [1, 4], [10, 9, 0], [0, -1, 0], quarter), 7);
  near(distance("capsule", [1, 4], [10, 0, 9], [0, 0, -1]), 6);
  near(distance("capsule", [1, 4], [0, 0, 1.5], [1, 0, 0]), 9);
  near(distance("half_space", [], [10, 0, 5], [0, 0, -1]), 5);
  assert.equal(distance("sphere", [2], [0, 0, 0], [-1, 0, 0]), null);
  assert.equal(distance("box", [1, 2, 3], [0, 0, 4], [1, 0, 0]), null);
});

test("axes have round marks, and samples are found by time", () => {
  assert.deepEqual(ticks(0, 1, 5), [0, 0.2, 0.4, 0.6000000000000001, 0.8, 1]);
  assert.deepEqual(ticks(-7, 13, 4), [-5, 0, 5, 10]);
  const series = { time: [0, 1, 2], values: [0, 0, 0], length: 3 };
  assert.deepEqual([-1, 0, 0.5, 2, 9].map((t) => sampleAt(series, t)), [-1, 0, 0, 2, 2]);
});

test("options in the address are read, and nonsense is left out", () => {
  const address = readAddress("#t=1.25&view=top&picked=box&plots=energy,residual&contacts=1&camera=1,2,3,0,0,0");
  assert.equal(address.time, 1.25);
  assert.equal(address.view, "top");
  assert.deepEqual(address.plots, ["energy", "residual"]);
  assert.deepEqual(address.options, [["contacts", "1"]]);
  assert.deepEqual(address.camera, { position: [1, 2, 3], target: [0, 0, 0], fov: 42 });
  const nonsense = readAddress("#t=soon&view=inside&camera=1,2,x");
  assert.deepEqual([nonsense.time, nonsense.view, nonsense.camera], [null, null, null]);
});

// Corners of a prism about z with n sides: rings at z = -1 and 1, no caps.
function prism(n) {
  const positions = [-1, 1].flatMap((z) =>
    Array.from({ length: n }, (_, i) => [Math.cos((2 * Math.PI * i) / n), Math.sin((2 * Math.PI * i) / n), z]).flat(),
  );
  const indices = Array.from({ length: n }, (_, i) => {
    const j = (i + 1) % n;
    return [i, j, n + j, i, n + j, n + i];
  }).flat();
  return { positions: new Float32Array(positions), indices: new Uint32Array(indices) };
}

test("a mesh of many sides is shaded round, one of few keeps its edges", () => {
  const normals = (n, crease) => {
    const { positions, indices } = prism(n);
    const geometry = creasedGeometry(positions, indices, crease);
    const [p, normal] = [geometry.getAttribute("position"), geometry.getAttribute("normal")];
    return Array.from({ length: p.count }, (_, i) => [p.getX(i), p.getY(i), normal.getX(i), normal.getY(i), normal.getZ(i)]);
  };
  // Of 64 sides neighbours meet at 5.6 degrees: the normals are those of the cylinder, but for the share of unequal triangles.
  for (const [x, y, nx, ny, nz] of normals(64, 0.6)) assert.ok(x * nx + y * ny > 0.999 && nz === 0);
  // Of 4 sides they meet at 90: the normals are those of the faces, 45 degrees from the corners.
  for (const [x, y, nx, ny] of normals(4, 0.6)) assert.ok(Math.abs(x * nx + y * ny - Math.SQRT1_2) < 1e-6);
});

test("points at the same place are one, also where a mesh has them three times", () => {
  const { positions, indices } = prism(64);
  const separate = new Float32Array([...indices].flatMap((i) => [...positions.subarray(3 * i, 3 * i + 3)]));
  const shared = creasedGeometry(positions, indices, 0.6).getAttribute("normal").array;
  const apart = creasedGeometry(separate, new Uint32Array(indices.length).map((_, i) => i), 0.6).getAttribute("normal").array;
  assert.deepEqual([...apart], [...shared]);
});

test("the longest of nine out of ten arrows is as long as a body, and weights are never drawn longer than by default", () => {
  const measure = { length: 2, metresPerNewton: 1 };
  fitForces(measure, Float64Array.from({ length: 101 }, (_, i) => i));
  assert.ok(Math.abs(measure.metresPerNewton * 90 - 2) < 1e-12);
  fitForces(measure, Float64Array.of(1e-3));
  assert.ok(Math.abs(measure.metresPerNewton * 90 - 2) < 1e-12);
});

test("visual shapes hide collision shapes of their body, and bodies without any show what collides", () => {
  const stage = dropStage();
  const [floor, ball, box] = stage.shapes;
  stage.shapes = [
    floor,
    { ...ball, role: "visual" },
    { ...ball, role: "collision" },
    { ...box, role: "collision", group: 3 },
    { ...box, role: "hull" },
  ];
  const parts = partsOf(parseStage(stage));
  const shown = (geometry, hulls = false) => parts.map((part) => isShown(part, { geometry, hulls }));
  assert.deepEqual(shown("visual"), [true, true, false, true, false]);
  assert.deepEqual(shown("collision"), [true, false, true, true, false]);
  assert.deepEqual(shown("both", true), [true, true, true, true, true]);
});
