// The camera: orbit, pan and zoom by mouse and touch, fixed views, and following a body. z is up.

import { PerspectiveCamera, Vector3 } from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import type { Stage } from "./protocol";

export const kViews = ["home", "front", "side", "top"] as const;
export type ViewName = (typeof kViews)[number];

// From where one looks, relative to the middle of the scene.
const kDirections: Record<ViewName, Vector3> = {
  home: new Vector3(0.78, -1.15, 0.62).normalize(),
  front: new Vector3(1, 0, 0.06).normalize(),
  side: new Vector3(0, -1, 0.06).normalize(),
  top: new Vector3(0, -1e-3, 1).normalize(),
};

const kFieldOfView = 42; // degrees, of the smaller side of the picture

export interface CameraState {
  position: [number, number, number];
  target: [number, number, number];
  fov: number; // degrees, vertical
}

export class Cameras {
  readonly camera = new PerspectiveCamera(kFieldOfView, 1, 0.01, 1000);
  readonly controls: OrbitControls;
  private followed: Vector3 | null = null;
  private fieldOfView = kFieldOfView;
  private fixedFov: number | null = null;
  private radius = 1;
  private readonly centre = new Vector3();

  constructor(element: HTMLElement) {
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, element);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.14;
    this.controls.zoomToCursor = true;
    this.controls.zoomSpeed = 1.2;
  }

  setStage(stage: Stage): void {
    this.radius = stage.radius;
    this.centre.set(...stage.centre);
    this.camera.near = stage.radius / 200;
    this.camera.far = stage.radius * 2000;
    this.controls.minDistance = stage.radius / 50;
    this.controls.maxDistance = stage.radius * 60;
    this.camera.updateProjectionMatrix();
  }

  look(view: ViewName): void {
    this.fixedFov = null;
    this.setAspect(this.camera.aspect);
    const target = this.followed ?? this.centre;
    const distance = (1.2 * this.radius) / Math.sin((this.fieldOfView * Math.PI) / 360);
    this.controls.target.copy(target);
    this.camera.position.copy(target).addScaledVector(kDirections[view], distance);
    this.stop();
  }

  set(state: Partial<CameraState>): void {
    if (state.position !== undefined) this.camera.position.set(...state.position);
    if (state.target !== undefined) this.controls.target.set(...state.target);
    if (state.fov !== undefined) {
      this.fixedFov = state.fov;
      this.camera.fov = state.fov;
      this.camera.updateProjectionMatrix();
    }
    this.stop();
  }

  get(): CameraState {
    return {
      position: this.camera.position.toArray(),
      target: this.controls.target.toArray(),
      fov: this.camera.fov,
    };
  }

  get distance(): number {
    return this.camera.position.distanceTo(this.controls.target);
  }

  // The field of view belongs to the smaller side, so that a phone held upright shows the whole scene too.
  setAspect(aspect: number): void {
    this.camera.aspect = aspect;
    const half = Math.tan((this.fieldOfView * Math.PI) / 360);
    this.camera.fov = this.fixedFov ?? (360 / Math.PI) * Math.atan(half / Math.min(aspect, 1));
    this.camera.updateProjectionMatrix();
  }

  // Moves with a body; null: stays where it is.
  follow(place: Vector3 | null): void {
    if (place !== null && this.followed !== null) {
      const by = place.clone().sub(this.followed);
      this.camera.position.add(by);
      this.controls.target.add(by);
    } else if (place !== null) {
      this.camera.position.add(place.clone().sub(this.controls.target));
      this.controls.target.copy(place);
    }
    this.followed = place === null ? null : place.clone();
  }

  // Returns whether the camera moved by itself, which is when a glide of the controls goes on.
  update(): boolean {
    return this.controls.update();
  }

  // Ends a glide and takes over what was set.
  private stop(): void {
    this.controls.enableDamping = false;
    this.controls.update();
    this.controls.enableDamping = true;
  }
}
