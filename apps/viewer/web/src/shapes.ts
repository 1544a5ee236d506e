// Geometries that all shapes of a kind share, however large they are: the matrix of an instance holds the half extents, and the
// vertex shader keeps bevels and caps round under it.
//
// With the scale s of the instance along its axes, a vertex with position p and normal n goes to
//   bevelled:  p (1 - b / s) + n b / s,   b = kBevel min(s)     box and cylinder: p is a corner or a point of the rim
//   swept:     p + n s_x / s                                     capsule: p is an end of its axis
// which the matrix maps to rounded edges of radius b, and to half spheres of radius s_x.

import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  MeshDepthMaterial,
  SphereGeometry,
  type Material,
  type WebGLProgramParametersWithUniforms,
} from "three";
import { creasedGeometry } from "./normals";
import type { MeshData, Shape } from "./protocol";

export type Rounding = "none" | "bevelled" | "swept";

const kBevel = 0.07; // of the smallest half extent
const kCrease = 0.6; // rad: triangles that meet more sharply have an edge, others are shaded as one surface
const kThinnest = 1e-6; // m: a half extent of zero would have no inverse

export interface Geometry {
  geometry: BufferGeometry;
  rounding: Rounding;
}

// The half extents that go into an instance's matrix.
export function scaleOf(shape: Shape): [number, number, number] {
  const [a, b, c] = shape.size;
  const at_least = (x: number) => Math.max(x, kThinnest);
  switch (shape.kind) {
    case "sphere":
      return [at_least(a), at_least(a), at_least(a)];
    case "cylinder":
    case "capsule":
      return [at_least(a), at_least(a), at_least(b / 2)];
    case "box":
    case "ellipsoid":
    case "superellipsoid":
      return [at_least(a), at_least(b), at_least(c)];
    default:
      return [1, 1, 1];
  }
}

// Shapes with the same key are drawn by one call.
export function geometryKey(shape: Shape): string {
  if (shape.mesh >= 0) return `mesh ${shape.mesh}`;
  if (shape.kind === "sphere" || shape.kind === "ellipsoid") return "sphere";
  if (shape.kind === "superellipsoid") return `superellipsoid ${shape.size[3]} ${shape.size[4]}`;
  return shape.kind;
}

// Fine in a scene of few shapes, coarse in one of many.
export function makeGeometry(shape: Shape, meshes: readonly MeshData[], shapesInScene: number): Geometry {
  const around = shapesInScene > 400 ? 16 : shapesInScene > 60 ? 28 : 48;
  if (shape.mesh >= 0) return { geometry: meshGeometry(meshes[shape.mesh]), rounding: "none" };
  switch (shape.kind) {
    case "box":
      return { geometry: boxGeometry(), rounding: "bevelled" };
    case "cylinder":
      return { geometry: cylinderGeometry(around), rounding: "bevelled" };
    case "capsule":
      return { geometry: capsuleGeometry(around), rounding: "swept" };
    case "superellipsoid":
      return { geometry: superellipsoidGeometry(shape.size[3], shape.size[4], around), rounding: "none" };
    default:
      return { geometry: new SphereGeometry(1, around, around / 2).rotateX(Math.PI / 2), rounding: "none" };
  }
}

function fromLists(positions: number[], normals: number[], indices: number[]): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(positions), 3));
  geometry.setAttribute("normal", new BufferAttribute(new Float32Array(normals), 3));
  geometry.setIndex(indices);
  return geometry;
}

// A box of 3 x 3 patches a face: the middle one is flat, the others are the bevel.
function boxGeometry(): BufferGeometry {
  const box = new BoxGeometry(3, 3, 3, 3, 3, 3);
  const positions = box.attributes.position.array;
  const normals: number[] = [];
  for (let i = 0; i < positions.length; i += 3) {
    const n = [0, 1, 2].map((k) => positions[i + k] - 0.5 * Math.sign(positions[i + k]));
    const length = Math.hypot(...n);
    normals.push(...n.map((x) => x / length));
    for (let k = 0; k < 3; ++k) positions[i + k] = Math.sign(positions[i + k]);
  }
  box.setAttribute("normal", new BufferAttribute(new Float32Array(normals), 3));
  box.deleteAttribute("uv");
  return box;
}

// Rings of (radius, z, normal along the radius, normal along z) joined to a surface of revolution about z, from top to bottom.
function revolve(rings: [number, number, number, number][], around: number): BufferGeometry {
  const positions: number[] = [];
  const normals: number[] = [];
  const indices: number[] = [];
  rings.forEach(([r, z, nr, nz], ring) => {
    for (let i = 0; i <= around; ++i) {
      const [c, s] = [Math.cos((2 * Math.PI * i) / around), Math.sin((2 * Math.PI * i) / around)];
      positions.push(r * c, r * s, z);
      normals.push(nr * c, nr * s, nz);
      if (ring === 0 || i === around) continue;
      const [above, below] = [(ring - 1) * (around + 1) + i, ring * (around + 1) + i];
      indices.push(above, below, above + 1, below, below + 1, above + 1);
    }
  });
  return fromLists(positions, normals, indices);
}

function cylinderGeometry(around: number): BufferGeometry {
  const d = Math.SQRT1_2;
  return revolve(
    [
      [0, 1, 0, 1],
      [1, 1, 0, 1],
      [1, 1, d, d],
      [1, 1, 1, 0],
      [1, -1, 1, 0],
      [1, -1, d, -d],
      [1, -1, 0, -1],
      [0, -1, 0, -1],
    ],
    around,
  );
}

function capsuleGeometry(around: number): BufferGeometry {
  const rings: [number, number, number, number][] = [];
  const quarter = Math.max(around / 4, 4);
  for (const end of [1, -1])
    for (let i = 0; i <= quarter; ++i) {
      const angle = (Math.PI / 2) * (end > 0 ? 1 - i / quarter : -i / quarter);
      rings.push([0, end, Math.cos(angle), Math.sin(angle)]);
    }
  return revolve(rings, around);
}

function signedPower(x: number, e: number): number {
  return Math.sign(x) * Math.pow(Math.abs(x), e);
}

// (|x|^(2/e2) + |y|^(2/e2))^(e2/e1) + |z|^(2/e1) = 1
function superellipsoidGeometry(e1: number, e2: number, around: number): BufferGeometry {
  const positions: number[] = [];
  const indices: number[] = [];
  const rows = around / 2;
  for (let j = 0; j <= rows; ++j) {
    const v = Math.PI * (0.5 - j / rows);
    for (let i = 0; i <= around; ++i) {
      const u = (2 * Math.PI * i) / around;
      const ring = signedPower(Math.max(Math.cos(v), 0), e1);
      positions.push(ring * signedPower(Math.cos(u), e2), ring * signedPower(Math.sin(u), e2), signedPower(Math.sin(v), e1));
      if (j === 0 || i === around) continue;
      const [above, below] = [(j - 1) * (around + 1) + i, j * (around + 1) + i];
      indices.push(above, below, above + 1, below, below + 1, above + 1);
    }
  }
  const geometry = fromLists(positions, positions, indices);
  geometry.computeVertexNormals();
  return geometry;
}

function meshGeometry(mesh: MeshData): BufferGeometry {
  if (mesh.normals === null) return creasedGeometry(mesh.positions, mesh.indices, kCrease);
  return new BufferGeometry()
    .setAttribute("position", new BufferAttribute(mesh.positions, 3))
    .setAttribute("normal", new BufferAttribute(mesh.normals, 3))
    .setIndex(new BufferAttribute(mesh.indices, 1));
}

const kKinds: Rounding[] = ["none", "bevelled", "swept"];

// One program serves all: which rounding it is comes as a number, since browsers take long to compile shaders.
const kVertex = `
  vec3 stiction_scale = vec3(length(instanceMatrix[0].xyz), length(instanceMatrix[1].xyz), length(instanceMatrix[2].xyz));
  float stiction_radius = stiction_rounding > 1.5 ? stiction_scale.x
                                                  : ${kBevel} * min(stiction_scale.x, min(stiction_scale.y, stiction_scale.z));
  vec3 stiction_place = position;
  if (stiction_rounding > 0.5) {
    vec3 part = stiction_radius / stiction_scale;
    stiction_place = position * (stiction_rounding > 1.5 ? vec3(1.0) : 1.0 - part) + normal * part;
  }
  stiction_place += stiction_outline * normal / stiction_scale;
  // Three divides a normal by the squared scale and multiplies it by the matrix; rounded shapes have true normals already.
  vec3 stiction_normal = stiction_rounding > 0.5 ? normal * stiction_scale : normal;
`;

// Teaches a material the rounding, and to swell by `outline` metres, which makes outlines of picked bodies.
export function addRounding(material: Material, rounding: Rounding, outline = { value: 0 }): void {
  material.customProgramCacheKey = () => "rounding";
  material.onBeforeCompile = (shader: WebGLProgramParametersWithUniforms) => {
    shader.uniforms.stiction_outline = outline;
    shader.uniforms.stiction_rounding = { value: kKinds.indexOf(rounding) };
    shader.vertexShader = shader.vertexShader
      .replace("void main() {", `uniform float stiction_outline, stiction_rounding;\nvoid main() {${kVertex}`)
      .replace("#include <begin_vertex>", "vec3 transformed = stiction_place;")
      .replace("#include <beginnormal_vertex>", "vec3 objectNormal = stiction_normal;");
  };
}

export function depthMaterial(rounding: Rounding): MeshDepthMaterial {
  const material = new MeshDepthMaterial();
  addRounding(material, rounding);
  return material;
}
