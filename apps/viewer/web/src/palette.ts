// Colours of what is drawn. Interface colours are in theme.css.

import { Color, SRGBColorSpace } from "three";
import type { Shape, Stage } from "./protocol";

export interface Look {
  zenith: string;
  horizon: string;
  below: string;
  ground: string;
  line: string;
  fixed: string; // bodies without a colour that do not move
  link: string; // every second link of a robot
  sun: number;
  sky: number;
  skyLight: string;
  groundLight: string;
}

export const kLight: Look = {
  zenith: "#86afdb",
  horizon: "#e9eff5",
  below: "#dfe5ec",
  ground: "#dbe0e7",
  line: "#929dab",
  fixed: "#b4bbc6",
  link: "#e3e7ed",
  sun: 1.9,
  sky: 2.05,
  skyLight: "#f6f9ff",
  groundLight: "#c9bfb2",
};

export const kDark: Look = {
  zenith: "#0d131b",
  horizon: "#2a3442",
  below: "#1a212b",
  ground: "#39424f",
  line: "#76828f",
  fixed: "#7b8695",
  link: "#cdd4dd",
  sun: 2.0,
  sky: 1.7,
  skyLight: "#dfe7f5",
  groundLight: "#77736f",
};

export const kStick = "#0a9bff";
export const kSlip = "#ff7a1a";
export const kPicked = "#ffb400";

const kBodies = ["#3f7fd9", "#ee6d57", "#23a597", "#f2b134", "#8a6bd8", "#6cb255", "#e0699f", "#4aa8d8", "#c98a4b", "#8194ad"];

const kBlack = 0.025; // the least part of light that comes back

// The colour that a file writes where nobody chose one.
export function isDefaultColour(rgba: readonly number[]): boolean {
  return rgba.slice(0, 3).every((part) => Math.abs(part - 0.5) < 0.01);
}

// A colour for each shape. Bodies without their own take one from the palette: each tree of bodies has its own, and its links
// alternate between that and a light grey, so that one sees where a robot bends.
export function shapeColours(stage: Stage, look: Look): Color[] {
  const root: number[] = [];
  const depth: number[] = [];
  stage.bodies.forEach((body, i) => {
    const under = body.parent > 0 && stage.bodies[body.parent].moves;
    root[i] = under ? root[body.parent] : i;
    depth[i] = under ? depth[body.parent] + 1 : 0;
  });
  const trees = [...new Set(stage.bodies.map((body, i) => (body.moves ? root[i] : -1)).filter((i) => i >= 0))];
  return stage.shapes.map((shape: Shape) => {
    const colour = new Color();
    if (!isDefaultColour(shape.rgba)) {
      colour.setRGB(shape.rgba[0], shape.rgba[1], shape.rgba[2], SRGBColorSpace);
      // A perfect black would swallow all light, and with it the shape.
      return colour.setRGB(Math.max(colour.r, kBlack), Math.max(colour.g, kBlack), Math.max(colour.b, kBlack));
    }
    if (!stage.bodies[shape.body].moves) return colour.set(look.fixed);
    if (depth[shape.body] % 2 === 1) return colour.set(look.link);
    return colour.set(kBodies[trees.indexOf(root[shape.body]) % kBodies.length]);
  });
}
