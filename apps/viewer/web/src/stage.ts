// The picture: renderer, light, and for each track what is drawn of it. One viewport, or one for each track with one camera.

import {
  DirectionalLight,
  Group,
  HemisphereLight,
  NeutralToneMapping,
  PCFShadowMap,
  Raycaster,
  Scene,
  Vector2,
  Vector3,
  WebGLRenderer,
} from "three";
import { Bodies } from "./bodies";
import { Cameras } from "./cameras";
import { Contacts, fitForces, LiveForces, measureOf, type Measure } from "./contacts";
import { Patches } from "./patches";
import { Markers } from "./markers";
import { kPose } from "./moment";
import type { OptionStore } from "./options";
import { kDark, kLight, type Look } from "./palette";
import type { Stage } from "./protocol";
import { castRay, type Hit } from "./ray";
import { RecordedSource, type Source } from "./sources";
import { Surroundings } from "./surroundings";

interface TrackScene {
  group: Group;
  bodies: Bodies;
  contacts: Contacts;
  patches: Patches;
  markers: Markers;
}

export interface Rectangle {
  x: number; // from the left, in CSS pixels
  y: number; // from the top
  width: number;
  height: number;
}

const kSunDirection = new Vector3(-0.45, -0.6, 1.25).normalize();
const kShadowPixels = 2048;
const kSampledForces = 20_000; // that tell how long arrows are in a recording

export class StageView {
  readonly cameras: Cameras;
  readonly renderer: WebGLRenderer;
  private readonly scene = new Scene();
  private readonly sun = new DirectionalLight();
  private readonly skyLight = new HemisphereLight();
  private surroundings: Surroundings | null = null;
  private tracks: TrackScene[] = [];
  private stage: Stage | null = null;
  private liveForces: LiveForces | null = null;
  private picked = -1;
  private dark = false;
  private readonly size = new Vector2(1, 1);

  constructor(
    canvas: HTMLCanvasElement,
    private readonly options: OptionStore,
    manual: boolean,
  ) {
    // Reading the canvas outside of a frame, as tests do, needs the drawing buffer to be kept.
    this.renderer = new WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: manual });
    this.renderer.toneMapping = NeutralToneMapping;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.renderer.info.autoReset = false;
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    this.cameras = new Cameras(canvas);
    this.sun.shadow.mapSize.set(kShadowPixels, kShadowPixels);
    this.sun.shadow.radius = 3.5;
    this.sun.shadow.bias = -2e-4;
    this.scene.add(this.sun, this.sun.target, this.skyLight);
    this.skyLight.position.set(0, 0, 1);
  }

  setStage(stage: Stage, sources: readonly Source[]): void {
    for (const track of this.tracks) {
      this.scene.remove(track.group);
      track.bodies.dispose();
    }
    if (this.surroundings !== null) this.scene.remove(this.surroundings.group);
    this.stage = stage;
    this.picked = -1;
    const measure: Measure = measureOf(stage);
    for (const source of sources)
      if (source instanceof RecordedSource) fitForces(measure, source.track.someForces(kSampledForces));
    this.liveForces = sources.some((source) => source instanceof RecordedSource) ? null : new LiveForces(measure);
    this.surroundings = new Surroundings(stage);
    this.scene.add(this.surroundings.group);
    this.tracks = [];
    for (let k = 0; k < sources.length; ++k) {
      const track = {
        group: new Group(),
        bodies: new Bodies(stage),
        contacts: new Contacts(stage, measure),
        patches: new Patches(),
        markers: new Markers(stage, measure.length),
      };
      track.group.add(track.bodies.group, track.contacts.group, track.patches.mesh, track.markers.group);
      this.scene.add(track.group);
      this.tracks.push(track);
    }
    this.cameras.setStage(stage);
  }

  get isDark(): boolean {
    return this.dark;
  }

  // Takes over the options that change how things look, not where they are.
  applyOptions(sources: readonly Source[], dark: boolean): void {
    this.dark = dark;
    const look: Look = dark ? kDark : kLight;
    const overlay = sources.length > 1 && this.options.get("layout") === "overlay";
    this.sun.intensity = look.sun;
    this.skyLight.intensity = look.sky;
    this.skyLight.color.set(look.skyLight);
    this.skyLight.groundColor.set(look.groundLight);
    this.surroundings?.setLook(look);
    // A light that stops casting shadows makes every material compile again: they are turned off in the map instead.
    this.sun.castShadow = this.options.get("shadows");
    this.renderer.shadowMap.enabled = true;
    this.tracks.forEach((track, k) => {
      track.bodies.setLook(
        {
          geometry: this.options.get("geometry"),
          hulls: this.options.get("hulls"),
          transparent: this.options.get("transparent"),
          wireframe: this.options.get("wireframe"),
          tint: sources.length > 1 ? sources[k].colour : null,
          fixedShown: k === 0 || !overlay,
          ghost: overlay ? k : 0,
        },
        look,
      );
      track.bodies.pick(this.picked);
    });
    this.setPath(sources);
  }

  pick(body: number, sources: readonly Source[]): void {
    this.picked = body;
    for (const track of this.tracks) track.bodies.pick(body);
    this.setPath(sources);
  }

  setPath(sources: readonly Source[]): void {
    this.tracks.forEach((track, k) => {
      const shown = this.options.get("path") && this.picked >= 0;
      const series = shown ? (["x", "y", "z"] as const).map((axis) => sources[k].series(`${axis}:${this.picked}`)) : [];
      const [x, y, z] = series;
      track.markers.setPath(x && y && z ? { x, y, z } : null, sources[k].colour);
    });
  }

  setSpring(track: number, from: readonly number[] | null, to: readonly number[] | null): void {
    this.tracks.forEach((one, k) => {
      one.markers.setSpring(k === track ? from : null, k === track ? to : null);
    });
  }

  resize(width: number, height: number): void {
    this.size.set(Math.max(width, 1), Math.max(height, 1));
    this.renderer.setSize(this.size.x, this.size.y, false);
  }

  // Where each track is drawn.
  viewports(): Rectangle[] {
    const { x: width, y: height } = this.size;
    const n = this.tracks.length;
    if (n < 2 || this.options.get("layout") === "overlay") return [{ x: 0, y: 0, width, height }];
    // Beside each other where the picture is wide, below each other where it is high, in rows from four on.
    const columns = n > 3 ? Math.ceil(Math.sqrt(n)) : width >= height ? n : 1;
    const rows = Math.ceil(n / columns);
    return this.tracks.map((_, k) => ({
      x: ((k % columns) * width) / columns,
      y: (Math.floor(k / columns) * height) / rows,
      width: width / columns,
      height: height / rows,
    }));
  }

  render(sources: readonly Source[]): void {
    if (this.stage === null) return;
    const { camera, controls } = this.cameras;
    this.placeLight();
    const reach = Math.max(14 * this.stage.radius, 5 * this.cameras.distance);
    this.surroundings?.update(sources[0].moment.poses, controls.target, reach, this.options.get("grid"));
    this.liveForces?.add(sources[0].moment);
    const outline = 0.0022 * this.cameras.distance * Math.tan((camera.fov * Math.PI) / 360) * 2;
    this.tracks.forEach((track, k) => {
      const { moment } = sources[k];
      track.bodies.setOutlineWidth(outline);
      track.bodies.update(moment.poses);
      track.contacts.update(moment, {
        contacts: this.options.get("contacts"),
        forces: this.options.get("forces"),
        cones: this.options.get("cones"),
        forceScale: this.options.get("forceScale"),
        picked: this.picked,
        dark: this.dark,
      });
      track.patches.update(moment, { pressure: this.options.get("pressure"), slip: this.options.get("slip") });
      track.markers.update(moment.poses, {
        frames: this.options.get("frames"),
        com: this.options.get("com"),
        inertia: this.options.get("inertia"),
      });
    });

    this.renderer.info.reset();
    const viewports = this.viewports();
    const several = viewports.length > 1;
    this.renderer.setScissorTest(several);
    viewports.forEach((area, i) => {
      const bottom = this.size.y - area.y - area.height;
      this.renderer.setViewport(area.x, bottom, area.width, area.height);
      this.renderer.setScissor(area.x, bottom, area.width, area.height);
      this.cameras.setAspect(area.width / area.height);
      this.tracks.forEach((track, k) => {
        track.group.visible = !several || k === i;
      });
      this.renderer.render(this.scene, camera);
    });
  }

  // The ray through a point of the canvas, given in CSS pixels, and the track that is drawn there.
  rayAt(x: number, y: number): { origin: Vector3; direction: Vector3; track: number } {
    const viewports = this.viewports();
    const found = viewports.findIndex(
      (area) => x >= area.x && x < area.x + area.width && y >= area.y && y < area.y + area.height,
    );
    const area = viewports[Math.max(found, 0)];
    const caster = new Raycaster();
    this.cameras.setAspect(area.width / area.height);
    caster.setFromCamera(
      new Vector2((2 * (x - area.x)) / area.width - 1, 1 - (2 * (y - area.y)) / area.height),
      this.cameras.camera,
    );
    return { ...caster.ray, track: Math.max(found, 0) };
  }

  hitAt(x: number, y: number, sources: readonly Source[]): (Hit & { track: number }) | null {
    if (this.stage === null) return null;
    const { origin, direction, track } = this.rayAt(x, y);
    const overlay = this.viewports().length === 1;
    let best: (Hit & { track: number }) | null = null;
    sources.forEach((source, k) => {
      if (!overlay && k !== track) return;
      const hit = castRay(this.stage as Stage, source.moment.poses, origin.toArray(), direction.toArray(), {
        geometry: this.options.get("geometry"),
        hulls: this.options.get("hulls"),
      });
      if (hit !== null && hit.distance < (best?.distance ?? Infinity)) best = { ...hit, track: k };
    });
    return best;
  }

  placeOf(body: number, source: Source): Vector3 {
    const at = kPose * body + 4;
    return new Vector3(...source.moment.poses.subarray(at, at + 3));
  }

  // Where a point of the world is seen in a viewport, in CSS pixels; null behind the camera.
  project(point: Vector3, area: Rectangle): { x: number; y: number } | null {
    this.cameras.setAspect(area.width / area.height);
    const seen = point.clone().project(this.cameras.camera);
    if (seen.z > 1 || seen.z < -1) return null;
    return { x: area.x + (0.5 + 0.5 * seen.x) * area.width, y: area.y + (0.5 - 0.5 * seen.y) * area.height };
  }

  // The shadow map covers what is looked at. Its place moves by whole pixels of the map and its size by factors, so that edges of
  // shadows stand still when the camera moves.
  private placeLight(): void {
    const { radius } = this.stage as Stage;
    const wanted = Math.min(Math.max(1.1 * this.cameras.distance, 0.15 * radius), 3 * radius);
    const half = Math.pow(1.5, Math.ceil(Math.log(wanted) / Math.log(1.5)));
    const pixel = (2 * half) / kShadowPixels;
    const centre = this.cameras.controls.target.clone();
    for (const axis of ["x", "y", "z"] as const) centre[axis] = Math.round(centre[axis] / (64 * pixel)) * 64 * pixel;
    this.sun.target.position.copy(centre);
    this.sun.position.copy(centre).addScaledVector(kSunDirection, 4 * half);
    this.sun.shadow.normalBias = 1.2 * pixel;
    const { camera } = this.sun.shadow;
    if (camera.right !== half) {
      camera.left = camera.bottom = -half;
      camera.right = camera.top = half;
      camera.near = half;
      camera.far = 8 * half;
      camera.updateProjectionMatrix();
    }
  }
}
