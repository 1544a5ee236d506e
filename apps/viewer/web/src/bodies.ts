// The shapes of the bodies of one track: one InstancedMesh for all shapes of a kind, so that a thousand bodies take a few calls.

import {
  BackSide,
  Color,
  DoubleSide,
  DynamicDrawUsage,
  FrontSide,
  Group,
  InstancedMesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
  type Material,
} from "three";
import { compose } from "./instances";
import { kPose } from "./moment";
import { isDefaultColour, kPicked, shapeColours, type Look } from "./palette";
import type { Shape, Stage } from "./protocol";
import { addRounding, depthMaterial, geometryKey, makeGeometry, scaleOf, type Geometry } from "./shapes";

export interface BodiesLook {
  geometry: "visual" | "collision" | "both";
  hulls: boolean;
  transparent: boolean;
  wireframe: boolean;
  tint: string | null; // colour of the track, where several lie over each other
  fixedShown: boolean; // what does not move is drawn once only
  ghost: number; // which one of several tracks over each other; those after the first are drawn through
}

// When a shape is shown. Where a body has nothing for the eye, what collides is shown.
type Part = "visual" | "collision" | "both" | "hull";

export function partsOf(stage: Stage): Part[] {
  const hasVisual = new Set(
    stage.shapes.filter((shape) => shape.role === "visual" || (shape.role === "both" && shape.group < 3)).map((s) => s.body),
  );
  return stage.shapes.map((shape) => {
    if (shape.role === "hull" || shape.role === "visual") return shape.role;
    if (!hasVisual.has(shape.body)) return "both";
    // Groups from 3 on are out of sight by MuJoCo's custom.
    return shape.role === "both" && shape.group < 3 ? "both" : "collision";
  });
}

export function isShown(part: Part, look: { geometry: BodiesLook["geometry"]; hulls: boolean }): boolean {
  if (part === "hull") return look.hulls;
  return part === "both" || look.geometry === "both" || part === look.geometry;
}

type Scale = [number, number, number];

const kWallThinness = 0.4; // of a wall's thickness to its other extents, at most
const kGlass = 0.14; // opacity of walls

// Upright plates of the world without a colour of their own: they are drawn as glass, since they hide what they hold.
function isWall(shape: Shape): boolean {
  if (shape.kind !== "box" || shape.body !== 0 || !isDefaultColour(shape.rgba)) return false;
  const thin = shape.size.indexOf(Math.min(...shape.size));
  const [w, x, y, z] = shape.q;
  // The height of the thin axis above the level, as a sine.
  const rise = [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)][thin];
  const others = shape.size.filter((_, k) => k !== thin);
  return Math.abs(rise) < 0.5 && shape.size[thin] < kWallThinness * Math.min(...others);
}

class Family {
  readonly mesh: InstancedMesh;
  readonly material: MeshStandardMaterial;

  constructor(
    readonly geometry: Geometry,
    readonly shapes: number[],
    readonly part: Part,
    readonly moves: boolean,
    readonly opacity: number,
    readonly glass: boolean,
    private readonly stage: Stage,
    private readonly scales: readonly Scale[],
  ) {
    this.material = new MeshStandardMaterial({ roughness: 0.62, metalness: 0.0 });
    addRounding(this.material, geometry.rounding);
    this.mesh = new InstancedMesh(geometry.geometry, this.material, shapes.length);
    this.mesh.customDepthMaterial = depthMaterial(geometry.rounding);
    this.mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    this.mesh.frustumCulled = false;
    this.mesh.receiveShadow = true;
  }

  update(poses: Float64Array): void {
    const matrices = this.mesh.instanceMatrix.array as Float32Array;
    this.shapes.forEach((index, i) => {
      placeShape(this.stage.shapes[index], this.scales[index], poses, matrices, 16 * i);
    });
    this.mesh.instanceMatrix.needsUpdate = true;
  }

  dispose(): void {
    this.mesh.dispose();
    this.geometry.geometry.dispose();
    this.material.dispose();
    (this.mesh.customDepthMaterial as Material).dispose();
  }
}

// The matrix of a shape: the body's pose, the shape's pose in it, its half extents.
function placeShape(shape: Shape, scale: Scale, poses: Float64Array, out: Float32Array, at: number): void {
  const b = kPose * shape.body;
  const [w, x, y, z] = [poses[b], poses[b + 1], poses[b + 2], poses[b + 3]];
  const [px, py, pz] = shape.p;
  const [tx, ty, tz] = [2 * (y * pz - z * py), 2 * (z * px - x * pz), 2 * (x * py - y * px)];
  const q = shape.q;
  compose(
    out,
    at,
    poses[b + 4] + px + w * tx + y * tz - z * ty,
    poses[b + 5] + py + w * ty + z * tx - x * tz,
    poses[b + 6] + pz + w * tz + x * ty - y * tx,
    w * q[0] - x * q[1] - y * q[2] - z * q[3],
    w * q[1] + x * q[0] + y * q[3] - z * q[2],
    w * q[2] - x * q[3] + y * q[0] + z * q[1],
    w * q[3] + x * q[2] - y * q[1] + z * q[0],
    scale[0],
    scale[1],
    scale[2],
  );
}

export class Bodies {
  readonly group = new Group();
  private readonly families: Family[] = [];
  private outline: { mesh: InstancedMesh; shapes: number[] }[] = [];
  private readonly outlineWidth = { value: 0 };
  private look: BodiesLook | null = null;
  private readonly scales: Scale[];

  constructor(private readonly stage: Stage) {
    this.scales = stage.shapes.map(scaleOf);
    const parts = partsOf(stage);
    const sorted = new Map<string, number[]>();
    stage.shapes.forEach((shape, i) => {
      if (shape.kind === "half_space") return;
      const moves = stage.bodies[shape.body].moves;
      const key = [geometryKey(shape), parts[i], moves, shape.rgba[3].toFixed(2), isWall(shape)].join("|");
      sorted.set(key, [...(sorted.get(key) ?? []), i]);
    });
    for (const shapes of sorted.values()) {
      const first = stage.shapes[shapes[0]];
      const family = new Family(
        makeGeometry(first, stage.meshes, stage.shapes.length),
        shapes,
        parts[shapes[0]],
        stage.bodies[first.body].moves,
        first.rgba[3],
        isWall(first),
        stage,
        this.scales,
      );
      this.families.push(family);
      this.group.add(family.mesh);
    }
  }

  update(poses: Float64Array): void {
    for (const family of this.families) if (family.mesh.visible) family.update(poses);
    for (const { mesh, shapes } of this.outline) {
      shapes.forEach((index, i) => {
        placeShape(this.stage.shapes[index], this.scales[index], poses, mesh.instanceMatrix.array as Float32Array, 16 * i);
      });
      mesh.instanceMatrix.needsUpdate = true;
    }
  }

  // Width of the outline in metres: a constant part of the picture whatever the distance.
  setOutlineWidth(width: number): void {
    this.outlineWidth.value = width;
  }

  setLook(look: BodiesLook, palette: Look): void {
    this.look = look;
    const colours = shapeColours(this.stage, palette);
    const tint = look.tint === null ? null : new Color(look.tint);
    const colour = new Color();
    for (const family of this.families) {
      family.mesh.visible = isShown(family.part, look) && (family.moves || look.fixedShown);
      family.shapes.forEach((shape, i) => {
        colour.copy(colours[shape]);
        if (tint !== null && family.moves) colour.lerp(tint, 0.85);
        if (family.part === "hull") colour.set(kPicked);
        family.mesh.setColorAt(i, colour);
      });
      if (family.mesh.instanceColor !== null) family.mesh.instanceColor.needsUpdate = true;

      // What collides is drawn through where both kinds are shown.
      let opacity = family.opacity * (family.glass ? kGlass : 1);
      if (look.transparent && family.moves) opacity *= 0.35;
      if (look.ghost > 0 && family.moves) opacity *= 0.6;
      if (family.part === "collision" && look.geometry === "both") opacity *= 0.4;
      if (family.part === "hull") opacity *= 0.6;
      const through = opacity < 0.999;
      const { material, mesh } = family;
      if (material.transparent !== through) material.needsUpdate = true;
      material.transparent = through;
      material.opacity = opacity;
      material.depthWrite = !through || look.ghost > 0;
      // Where tracks agree, the first one is seen, not a pattern of both.
      material.polygonOffset = look.ghost > 0;
      material.polygonOffsetFactor = look.ghost;
      material.polygonOffsetUnits = 4 * look.ghost;
      material.wireframe = look.wireframe || family.part === "hull";
      material.side = through && !family.glass ? DoubleSide : FrontSide;
      // Tracks that nearly agree would shade each other.
      mesh.castShadow = opacity > 0.3 && look.ghost === 0 && !family.glass && family.part !== "hull" && !look.wireframe;
      mesh.renderOrder = through ? 2 : 0;
    }
  }

  // Draws a line around a body; -1: around none.
  pick(body: number): void {
    for (const { mesh } of this.outline) {
      this.group.remove(mesh);
      (mesh.material as Material).dispose();
      mesh.dispose();
    }
    this.outline = [];
    if (body < 0) return;
    for (const family of this.families) {
      const shapes = family.shapes.filter((shape) => this.stage.shapes[shape].body === body);
      if (shapes.length === 0 || (this.look !== null && !isShown(family.part, this.look))) continue;
      // Through a transparent body one sees the back of the outline: it must not fill the body.
      const through = this.look?.transparent === true;
      const material = new MeshBasicMaterial({
        color: kPicked,
        side: BackSide,
        toneMapped: false,
        transparent: through,
        opacity: through ? 0.3 : 1,
        depthWrite: !through,
      });
      addRounding(material, family.geometry.rounding, this.outlineWidth);
      const mesh = new InstancedMesh(family.geometry.geometry, material, shapes.length);
      mesh.frustumCulled = false;
      this.group.add(mesh);
      this.outline.push({ mesh, shapes });
    }
  }

  dispose(): void {
    this.pick(-1);
    for (const family of this.families) family.dispose();
  }
}
