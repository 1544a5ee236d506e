// Sky, ground and grid. Half-spaces are drawn as ground that fades into the horizon; a scene without any gets a bare grid.

import {
  BackSide,
  CircleGeometry,
  Color,
  Group,
  Mesh,
  MeshStandardMaterial,
  Quaternion,
  ShaderMaterial,
  SphereGeometry,
  SRGBColorSpace,
  Vector3,
  type WebGLProgramParametersWithUniforms,
} from "three";
import { kPose } from "./moment";
import type { Look } from "./palette";
import type { Shape, Stage } from "./protocol";

// Colours as they appear on the screen: the dome is drawn without tone mapping and conversion.
function displayed(name: string): Color {
  return new Color().setStyle(name, SRGBColorSpace).convertLinearToSRGB();
}

function makeSky(): Mesh<SphereGeometry, ShaderMaterial> {
  const material = new ShaderMaterial({
    side: BackSide,
    depthWrite: false,
    depthTest: false,
    uniforms: { zenith: { value: new Color() }, horizon: { value: new Color() }, below: { value: new Color() } },
    vertexShader: `
      varying vec3 direction;
      void main() {
        direction = position;
        gl_Position = projectionMatrix * vec4(mat3(viewMatrix) * position, 1.0);
      }`,
    // The last line spreads the steps of 8-bit colours, which are visible in smooth gradients.
    fragmentShader: `
      uniform vec3 zenith, horizon, below;
      varying vec3 direction;
      void main() {
        float height = normalize(direction).z;
        vec3 colour = height > 0.0 ? mix(horizon, zenith, pow(height, 0.65)) : mix(horizon, below, min(-height * 3.0, 1.0));
        float noise = fract(sin(dot(gl_FragCoord.xy, vec2(12.9898, 78.233))) * 43758.5453) - 0.5;
        gl_FragColor = vec4(colour + noise / 255.0, 1.0);
      }`,
  });
  const sky = new Mesh(new SphereGeometry(1, 32, 16), material);
  sky.frustumCulled = false;
  sky.renderOrder = -10;
  return sky;
}

// Lines at every 0.01, 0.1, 1 and 10 m, each as wide as a pixel or so, gone where they would be closer than a few pixels; squares of
// 1 m that differ a little; all fading with the distance from the middle of what is looked at.
const kGridFunctions = `
  uniform vec3 gridLine;
  uniform float gridStrength;
  uniform float fadeRadius;
  uniform vec2 fadeCentre;
  uniform float solid;
  varying vec2 gridPlace;
  float gridLines(float spacing, float width) {
    vec2 place = gridPlace / spacing;
    vec2 slope = fwidth(place);
    vec2 away = abs(fract(place - 0.5) - 0.5) / max(slope, vec2(1e-6));
    vec2 line = 1.0 - smoothstep(vec2(0.5 * width - 0.5), vec2(0.5 * width + 0.7), away);
    line *= 1.0 - smoothstep(0.03, 0.16, slope);
    return max(line.x, line.y);
  }
`;
const kGridColour = `
  #include <color_fragment>
  float cell = mod(floor(gridPlace.x) + floor(gridPlace.y), 2.0);
  float sharp = 1.0 - smoothstep(0.1, 0.6, max(fwidth(gridPlace.x), fwidth(gridPlace.y)));
  diffuseColor.rgb *= 1.0 - 0.06 * gridStrength * sharp * (cell - 0.5);
  float fine = max(0.14 * gridLines(0.01, 1.0), 0.22 * gridLines(0.1, 1.0));
  float grid = gridStrength * max(fine, max(0.5 * gridLines(1.0, 1.3), 0.75 * gridLines(10.0, 1.8)));
  diffuseColor.rgb = mix(diffuseColor.rgb, gridLine, grid);
  float fade = 1.0 - smoothstep(0.25, 1.0, length(gridPlace - fadeCentre) / fadeRadius);
  diffuseColor.a = fade * mix(0.75 * grid, 1.0, solid);
`;

class Ground {
  readonly mesh: Mesh<CircleGeometry, MeshStandardMaterial>;
  private readonly uniforms = {
    gridLine: { value: new Color() },
    gridStrength: { value: 1 },
    fadeRadius: { value: 1 },
    fadeCentre: { value: { x: 0, y: 0 } },
    solid: { value: 1 },
    gridOffset: { value: { x: 0, y: 0 } },
  };

  // shape: null for a bare grid
  constructor(readonly shape: Shape | null) {
    const material = new MeshStandardMaterial({ roughness: 0.95, transparent: true });
    this.uniforms.solid.value = shape === null ? 0 : 1;
    material.depthWrite = shape !== null;
    material.onBeforeCompile = (shader: WebGLProgramParametersWithUniforms) => {
      Object.assign(shader.uniforms, this.uniforms);
      shader.vertexShader = shader.vertexShader
        .replace("void main() {", "uniform vec2 gridOffset;\nvarying vec2 gridPlace;\nvoid main() {")
        // In the plane's own frame, so that an inclined one measures right.
        .replace(
          "#include <begin_vertex>",
          "#include <begin_vertex>\n  gridPlace = position.xy * length(modelMatrix[0].xyz) + gridOffset;",
        );
      shader.fragmentShader = shader.fragmentShader
        .replace("void main() {", `${kGridFunctions}\nvoid main() {`)
        .replace("#include <color_fragment>", kGridColour);
    };
    this.mesh = new Mesh(new CircleGeometry(1, 64), material);
    this.mesh.receiveShadow = true;
    this.mesh.renderOrder = -5;
    this.mesh.frustumCulled = false;
  }

  setLook(look: Look): void {
    const colour = this.mesh.material.color.set(look.ground);
    const rgba = this.shape?.rgba;
    if (rgba !== undefined && rgba.slice(0, 3).some((part) => Math.abs(part - 0.5) > 0.01))
      colour.lerp(new Color().setRGB(rgba[0], rgba[1], rgba[2], SRGBColorSpace), 0.5);
    this.uniforms.gridLine.value.set(look.line);
  }

  // Keeps the disc under what is looked at, so that it has no end.
  place(origin: Vector3, q: Quaternion, target: Vector3, reach: number, grid: boolean): void {
    const local = target.clone().sub(origin).applyQuaternion(q.clone().invert());
    this.uniforms.gridOffset.value.x = local.x;
    this.uniforms.gridOffset.value.y = local.y;
    this.uniforms.fadeCentre.value.x = local.x;
    this.uniforms.fadeCentre.value.y = local.y;
    local.z = 0;
    this.mesh.position.copy(local.applyQuaternion(q).add(origin));
    this.mesh.quaternion.copy(q);
    this.mesh.scale.set(reach, reach, 1);
    this.uniforms.fadeRadius.value = reach;
    this.uniforms.gridStrength.value = grid ? 1 : 0;
    this.mesh.visible = this.shape !== null || grid;
  }
}

export class Surroundings {
  readonly group = new Group();
  private readonly sky = makeSky();
  private readonly grounds: Ground[];
  private readonly floor: number; // m, height of the bare grid

  constructor(stage: Stage) {
    const planes = stage.shapes.filter((shape) => shape.kind === "half_space");
    this.grounds = planes.length > 0 ? planes.map((shape) => new Ground(shape)) : [new Ground(null)];
    this.floor = Math.min(0, stage.centre[2] - stage.radius);
    this.group.add(this.sky, ...this.grounds.map((ground) => ground.mesh));
  }

  setLook(look: Look): void {
    const { zenith, horizon, below } = this.sky.material.uniforms;
    (zenith.value as Color).copy(displayed(look.zenith));
    (horizon.value as Color).copy(displayed(look.horizon));
    (below.value as Color).copy(displayed(look.below));
    for (const ground of this.grounds) ground.setLook(look);
  }

  // reach: m, how far one can see
  update(poses: Float64Array, target: Vector3, reach: number, grid: boolean): void {
    const [origin, q, p] = [new Vector3(), new Quaternion(), new Vector3()];
    for (const ground of this.grounds) {
      if (ground.shape === null) {
        origin.set(0, 0, this.floor);
        q.identity();
      } else {
        const at = kPose * ground.shape.body;
        q.set(poses[at + 1], poses[at + 2], poses[at + 3], poses[at]);
        p.set(...ground.shape.p);
        origin.set(poses[at + 4], poses[at + 5], poses[at + 6]).add(p.applyQuaternion(q));
        const [w, x, y, z] = ground.shape.q;
        q.multiply(new Quaternion(x, y, z, w));
      }
      ground.place(origin, q, target, reach, grid);
    }
  }
}
