// The polygons of pressure patches, coloured by pressure or by the speed at which one body slips over the other: blue where
// there is little, red where it is largest in the picture.

import { BufferAttribute, BufferGeometry, Color, DoubleSide, DynamicDrawUsage, Mesh, MeshBasicMaterial } from "three";
import { kCorner, type Moment } from "./moment";

const kScale = ["#2b4bdc", "#1fb6c9", "#f7d548", "#d7301f"].map((hex) => new Color(hex));

// m/s: what slips no faster than a millimetre in a second is not red.
const kLeastSlip = 1e-3;

function colourOf(share: number, out: Color): Color {
  const at = Math.min(Math.max(share, 0), 1) * (kScale.length - 1);
  const below = Math.min(Math.floor(at), kScale.length - 2);
  return out.copy(kScale[below]).lerp(kScale[below + 1], at - below);
}

export class Patches {
  readonly mesh: Mesh;
  private readonly geometry = new BufferGeometry();
  private room = 0; // corners
  private triangleRoom = 0;

  constructor() {
    // Between bodies that are drawn: seen through them, like contact points.
    const material = new MeshBasicMaterial({
      vertexColors: true,
      toneMapped: false,
      side: DoubleSide,
      depthTest: false,
      transparent: true,
      opacity: 0.85,
    });
    this.mesh = new Mesh(this.geometry, material);
    this.mesh.renderOrder = 5;
    this.mesh.frustumCulled = false;
    this.mesh.visible = false;
  }

  update(moment: Moment, show: { pressure: boolean; slip: boolean }): void {
    const { counts, corners, slips } = moment.polygons;
    this.mesh.visible = (show.pressure || show.slip) && counts.length > 0;
    if (!this.mesh.visible) return;
    const count = corners.length / kCorner;
    const triangles = counts.reduce((sum, sides) => sum + Math.max(sides - 2, 0), 0);
    this.makeRoom(count, triangles);
    const place = this.geometry.getAttribute("position") as BufferAttribute;
    const colour = this.geometry.getAttribute("color") as BufferAttribute;
    const index = this.geometry.getIndex() as BufferAttribute;
    const value = (i: number) => (show.slip ? slips[i] : corners[kCorner * i + 3]);
    let largest = show.slip ? kLeastSlip : 0;
    for (let i = 0; i < count; ++i) largest = Math.max(largest, value(i));
    const shade = new Color();
    for (let i = 0; i < count; ++i) {
      place.setXYZ(i, corners[kCorner * i], corners[kCorner * i + 1], corners[kCorner * i + 2]);
      colourOf(largest > 0 ? value(i) / largest : 0, shade);
      colour.setXYZ(i, shade.r, shade.g, shade.b);
    }
    let at = 0;
    let first = 0;
    for (const sides of counts) {
      for (let k = 2; k < sides; ++k) {
        index.setX(at++, first);
        index.setX(at++, first + k - 1);
        index.setX(at++, first + k);
      }
      first += sides;
    }
    this.geometry.setDrawRange(0, at);
    for (const attribute of [place, colour, index]) attribute.needsUpdate = true;
  }

  private makeRoom(corners: number, triangles: number): void {
    if (corners > this.room) {
      this.room = 2 * corners;
      for (const name of ["position", "color"]) {
        const attribute = new BufferAttribute(new Float32Array(3 * this.room), 3);
        attribute.setUsage(DynamicDrawUsage);
        this.geometry.setAttribute(name, attribute);
      }
    }
    if (triangles > this.triangleRoom) {
      this.triangleRoom = 2 * triangles;
      const attribute = new BufferAttribute(new Uint32Array(3 * this.triangleRoom), 1);
      attribute.setUsage(DynamicDrawUsage);
      this.geometry.setIndex(attribute);
    }
  }
}
