// What the page is told (docs/viewer_protocol.md): types, and parsing that checks. Whatever does not fit ends in a BadData
// whose message a person can read. SI units, world axes, quaternions (w, x, y, z).

export class BadData extends Error {}

export type Triple = [number, number, number];
export type Quadruple = [number, number, number, number];

export interface Body {
  name: string;
  parent: number;
  mass: number; // kg
  moves: boolean;
  com: Triple; // m, in the body's frame
  inertiaBox: { half: Triple; q: Quadruple } | null;
}

export const kShapeKinds = [
  "sphere",
  "box",
  "cylinder",
  "capsule",
  "ellipsoid",
  "superellipsoid",
  "half_space",
  "mesh",
  "hull",
  "height_field",
] as const;
export type ShapeKind = (typeof kShapeKinds)[number];
export const kShapeRoles = ["visual", "collision", "both", "hull"] as const;
export type ShapeRole = (typeof kShapeRoles)[number];

export interface Shape {
  name: string;
  body: number;
  role: ShapeRole;
  kind: ShapeKind;
  size: number[];
  p: Triple;
  q: Quadruple;
  rgba: Quadruple;
  mesh: number; // -1: none
  group: number;
  mu: number;
}

export interface MeshData {
  positions: Float32Array;
  indices: Uint32Array;
  normals: Float32Array | null;
}

export interface Joint {
  name: string;
  kind: string;
  body: number;
  range: [number, number] | null;
  unit: string;
}

export interface Actuator {
  name: string;
  range: [number, number] | null;
  unit: string;
}

export interface Sensor {
  name: string;
  size: number;
  unit: string;
}

export interface TrackInfo {
  name: string;
  colour: string | null;
  h: number; // s
}

export interface Stage {
  name: string;
  gravity: Triple;
  h: number;
  radius: number; // m
  centre: Triple;
  bodies: Body[];
  shapes: Shape[];
  meshes: MeshData[];
  joints: Joint[];
  actuators: Actuator[];
  sensors: Sensor[];
  keyframes: string[];
  materials: { friction: number; stiffness: number };
  tracks: TrackInfo[];
  formulations: string[];
  schemes: string[];
  values: string[]; // live mode: names of the values of a frame
  statuses: string[];
  live: boolean;
}

export interface Status {
  running: boolean;
  speed: number;
  formulation: string[];
  h: number;
  scheme: string;
  friction: number;
  stiffness: number;
  gravity: Triple | null; // m/s^2; null: not told
  error: string | null;
  realTimeFactor: number;
}

export type ServerMessage =
  | { type: "stage"; stage: Stage }
  | { type: "status"; status: Status }
  | { type: "error"; message: string };

// A value of a JSON document and where it stands, for messages.
class Place {
  constructor(
    readonly value: unknown,
    readonly where: string,
  ) {}

  fail(expected: string): never {
    const text = JSON.stringify(this.value) as string | undefined;
    const short = text === undefined ? "nothing" : text.length > 60 ? `${text.slice(0, 57)}...` : text;
    throw new BadData(`${this.where}: ${expected} is expected, but it is ${short}`);
  }

  at(key: string): Place {
    if (typeof this.value !== "object" || this.value === null || Array.isArray(this.value)) this.fail("an object");
    return new Place((this.value as Record<string, unknown>)[key], `${this.where}.${key}`);
  }

  get missing(): boolean {
    return this.value === undefined || this.value === null;
  }

  number(fallback?: number): number {
    if (this.missing && fallback !== undefined) return fallback;
    if (typeof this.value !== "number") this.fail("a number");
    return this.value;
  }

  text(fallback?: string): string {
    if (this.missing && fallback !== undefined) return fallback;
    if (typeof this.value !== "string") this.fail("a text");
    return this.value;
  }

  truth(fallback: boolean): boolean {
    if (this.missing) return fallback;
    if (typeof this.value !== "boolean") this.fail("true or false");
    return this.value;
  }

  list(fallback?: unknown[]): Place[] {
    const value = this.missing && fallback !== undefined ? fallback : this.value;
    if (!Array.isArray(value)) this.fail("a list");
    return value.map((element: unknown, i) => new Place(element, `${this.where}[${i}]`));
  }

  numbers(count: number, fallback?: number[]): number[] {
    const numbers = this.list(fallback).map((element) => element.number());
    if (numbers.length !== count) this.fail(`a list of ${count} numbers`);
    return numbers;
  }

  index(limit: number, what: string): number {
    const index = this.number();
    if (!Number.isInteger(index) || index < 0 || index >= limit) this.fail(`the number of a ${what} below ${limit}`);
    return index;
  }

  oneOf<T extends string>(words: readonly T[]): T {
    if (!words.includes(this.value as T)) this.fail(`one of ${words.join(", ")}`);
    return this.value as T;
  }
}

export function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new BadData(`${what} is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

export function bytesOfBase64(text: string, where: string): Uint8Array<ArrayBuffer> {
  let binary: string;
  try {
    binary = atob(text);
  } catch {
    throw new BadData(`${where}: this is not base64`);
  }
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; ++i) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

function floatsOf(place: Place): Float32Array {
  const bytes = bytesOfBase64(place.text(), place.where);
  if (bytes.length % 12 !== 0) throw new BadData(`${place.where}: ${bytes.length} bytes are no whole number of points`);
  return new Float32Array(bytes.buffer);
}

function parseMesh(place: Place): MeshData {
  const positions = floatsOf(place.at("positions"));
  const bytes = bytesOfBase64(place.at("indices").text(), place.at("indices").where);
  if (bytes.length % 12 !== 0) throw new BadData(`${place.where}.indices: no whole number of triangles`);
  const indices = new Uint32Array(bytes.buffer);
  const points = positions.length / 3;
  for (const index of indices) {
    if (index >= points) throw new BadData(`${place.where}.indices: there is no point ${index} among ${points}`);
  }
  const normals = place.at("normals").missing ? null : floatsOf(place.at("normals"));
  if (normals !== null && normals.length !== positions.length)
    throw new BadData(`${place.where}.normals: ${normals.length / 3} normals for ${points} points`);
  return { positions, indices, normals };
}

const kSizes: Record<ShapeKind, number> = {
  sphere: 1,
  box: 3,
  cylinder: 2,
  capsule: 2,
  ellipsoid: 3,
  superellipsoid: 5,
  half_space: 0,
  mesh: 0,
  hull: 0,
  height_field: 0,
};

function parseShape(place: Place, bodies: number, meshes: number): Shape {
  const kind = place.at("kind").oneOf(kShapeKinds);
  const hasMesh = kind === "mesh" || kind === "hull" || kind === "height_field";
  return {
    name: place.at("name").text(""),
    body: place.at("body").index(bodies, "body"),
    role: place.at("role").missing ? "both" : place.at("role").oneOf(kShapeRoles),
    kind,
    size: hasMesh || kind === "half_space" ? [] : place.at("size").numbers(kSizes[kind]),
    p: place.at("p").numbers(3, [0, 0, 0]) as Triple,
    q: place.at("q").numbers(4, [1, 0, 0, 0]) as Quadruple,
    rgba: place.at("rgba").numbers(4, [0.5, 0.5, 0.5, 1]) as Quadruple,
    mesh: hasMesh ? place.at("mesh").index(meshes, "mesh") : -1,
    group: place.at("group").number(0),
    mu: place.at("mu").number(0),
  };
}

function parseBody(place: Place): Body {
  const box = place.at("inertia_box");
  return {
    name: place.at("name").text(""),
    parent: place.at("parent").number(-1),
    mass: place.at("mass").number(0),
    moves: place.at("moves").truth(true),
    com: place.at("com").numbers(3, [0, 0, 0]) as Triple,
    inertiaBox: box.missing
      ? null
      : { half: box.at("half").numbers(3) as Triple, q: box.at("q").numbers(4, [1, 0, 0, 0]) as Quadruple },
  };
}

// A range without finite ends is none: a slider needs both.
function parseRange(place: Place): [number, number] | null {
  if (place.missing || place.list().some((end) => end.missing)) return null;
  const [low, high] = place.numbers(2);
  return Number.isFinite(low) && Number.isFinite(high) && low < high ? [low, high] : null;
}

function parseJoint(place: Place): Joint {
  return {
    name: place.at("name").text(""),
    kind: place.at("kind").text(""),
    body: place.at("body").number(-1),
    range: parseRange(place.at("range")),
    unit: place.at("unit").text(""),
  };
}

function parseTrackInfo(place: Place): TrackInfo {
  const colour = place.at("colour").text("");
  return {
    name: place.at("name").text(""),
    colour: /^#[0-9a-fA-F]{6}$/.test(colour) ? colour : null,
    h: place.at("h").number(0),
  };
}

export function parseStage(value: unknown, where = "stage"): Stage {
  const place = new Place(value, where);
  if (place.at("format").text("") !== "stiction-stage") place.at("format").fail('"stiction-stage"');
  if (place.at("version").number() !== 1)
    throw new BadData(`${where}: version ${place.at("version").number()}, but this page reads version 1`);

  const bodies = place.at("bodies").list().map(parseBody);
  bodies.forEach((body, i) => {
    if (!Number.isInteger(body.parent) || body.parent < -1 || body.parent >= i)
      throw new BadData(`${where}.bodies[${i}].parent: a body stands behind its parent, but this is ${body.parent}`);
  });
  const meshes = place.at("meshes").list([]).map(parseMesh);
  const texts = (key: string) => place.at(key).list([]).map((element) => element.text());
  return {
    name: place.at("name").text("scene"),
    gravity: place.at("gravity").numbers(3, [0, 0, -9.81]) as Triple,
    h: place.at("h").number(0),
    radius: Math.max(place.at("radius").number(1), 1e-3),
    centre: place.at("centre").numbers(3, [0, 0, 0]) as Triple,
    bodies,
    shapes: place.at("shapes").list([]).map((shape) => parseShape(shape, bodies.length, meshes.length)),
    meshes,
    joints: place.at("joints").list([]).map(parseJoint),
    actuators: place
      .at("actuators")
      .list([])
      .map((one) => ({
        name: one.at("name").text(""),
        range: parseRange(one.at("range")),
        unit: one.at("unit").text(""),
      })),
    sensors: place
      .at("sensors")
      .list([])
      .map((one) => ({ name: one.at("name").text(""), size: one.at("size").number(1), unit: one.at("unit").text("") })),
    keyframes: texts("keyframes"),
    materials: place.at("materials").missing
      ? { friction: NaN, stiffness: NaN }
      : {
          friction: place.at("materials").at("friction").number(NaN),
          stiffness: place.at("materials").at("stiffness").number(NaN),
        },
    tracks: place.at("tracks").list([]).map(parseTrackInfo),
    formulations: texts("formulations"),
    schemes: texts("schemes"),
    values: texts("values"),
    statuses: texts("statuses"),
    live: place.at("live").truth(false),
  };
}

export function parseMessage(text: string): ServerMessage {
  const place = new Place(parseJson(text, "A message of the server"), "message");
  const type = place.at("type").oneOf(["stage", "status", "error"] as const);
  if (type === "stage") return { type, stage: parseStage(place.at("stage").value) };
  if (type === "error") return { type, message: place.at("message").text() };
  const formulation = place.at("formulation");
  return {
    type,
    status: {
      running: place.at("running").truth(false),
      speed: place.at("speed").number(1),
      formulation:
        typeof formulation.value === "string" ? [formulation.value] : formulation.list([]).map((name) => name.text()),
      h: place.at("h").number(NaN),
      scheme: place.at("scheme").text(""),
      friction: place.at("friction").number(NaN),
      stiffness: place.at("stiffness").number(NaN),
      gravity: place.at("gravity").missing ? null : (place.at("gravity").numbers(3) as Triple),
      error: place.at("error").missing ? null : place.at("error").text(),
      realTimeFactor: place.at("real_time_factor").number(NaN),
    },
  };
}
