// Pointer on the picture: a click picks a body, Ctrl + drag pulls it by a spring in live mode. Everything else is the camera's.

import { Plane, Ray, Vector3 } from "three";
import { rotate } from "./markers";
import { kPose } from "./moment";
import type { Source } from "./sources";
import type { StageView } from "./stage";

const kClickSlack = 5; // pixels that a click may move
const kClickTime = 500; // ms

export interface DragActions {
  sources(): readonly Source[];
  live(): boolean;
  movable(body: number): boolean;
  pick(body: number): void;
  lookAt(point: [number, number, number]): void;
  pull(body: number, point: number[], to: number[]): void;
  drop(): void;
}

export class Pointer {
  private pulled: { body: number; track: number; local: [number, number, number]; plane: Plane; to: Vector3 } | null = null;
  private down: { x: number; y: number; time: number } | null = null;

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly view: StageView,
    private readonly actions: DragActions,
  ) {
    const options = { capture: true };
    canvas.addEventListener("pointerdown", (event) => {
      this.begin(event);
    }, options);
    canvas.addEventListener("pointermove", (event) => {
      this.move(event);
    }, options);
    canvas.addEventListener("pointerup", (event) => {
      this.end(event);
    }, options);
    canvas.addEventListener("pointercancel", () => {
      this.release();
    }, options);
    canvas.addEventListener("dblclick", (event) => {
      const hit = this.view.hitAt(event.offsetX, event.offsetY, this.actions.sources());
      if (hit !== null) this.actions.lookAt(hit.point);
    });
    canvas.addEventListener("contextmenu", (event) => {
      event.preventDefault();
    });
  }

  // The ends of the spring now; null where nothing is pulled.
  spring(): { track: number; from: number[]; to: number[] } | null {
    if (this.pulled === null) return null;
    const { poses } = this.actions.sources()[this.pulled.track].moment;
    const [w, x, y, z, px, py, pz] = poses.subarray(kPose * this.pulled.body, kPose * (this.pulled.body + 1));
    const from: [number, number, number] = [0, 0, 0];
    rotate(w, x, y, z, this.pulled.local, from);
    return { track: this.pulled.track, from: [from[0] + px, from[1] + py, from[2] + pz], to: this.pulled.to.toArray() };
  }

  private begin(event: PointerEvent): void {
    this.down = event.isPrimary ? { x: event.offsetX, y: event.offsetY, time: event.timeStamp } : null;
    if (!(event.ctrlKey || event.metaKey) || event.button !== 0 || !this.actions.live()) return;
    const hit = this.view.hitAt(event.offsetX, event.offsetY, this.actions.sources());
    if (hit === null || !this.actions.movable(hit.body)) return;
    // The camera's controls must not see this pointer.
    event.stopImmediatePropagation();
    event.preventDefault();
    this.canvas.setPointerCapture(event.pointerId);
    const point = new Vector3(...hit.point);
    const normal = this.view.cameras.camera.getWorldDirection(new Vector3());
    this.pulled = {
      body: hit.body,
      track: hit.track,
      local: hit.local,
      plane: new Plane().setFromNormalAndCoplanarPoint(normal, point),
      to: point,
    };
    this.down = null;
    this.actions.pick(hit.body);
    this.actions.pull(hit.body, hit.local, hit.point);
  }

  private move(event: PointerEvent): void {
    if (this.pulled === null) return;
    event.stopImmediatePropagation();
    const { origin, direction } = this.view.rayAt(event.offsetX, event.offsetY);
    const to = new Ray(origin, direction).intersectPlane(this.pulled.plane, new Vector3());
    if (to === null) return;
    this.pulled.to = to;
    this.actions.pull(this.pulled.body, this.pulled.local, to.toArray());
  }

  private end(event: PointerEvent): void {
    if (this.pulled !== null) {
      event.stopImmediatePropagation();
      this.release();
      return;
    }
    const { down } = this;
    this.down = null;
    if (down === null || event.button !== 0) return;
    const moved = Math.hypot(event.offsetX - down.x, event.offsetY - down.y);
    if (moved > kClickSlack || event.timeStamp - down.time > kClickTime) return;
    const hit = this.view.hitAt(event.offsetX, event.offsetY, this.actions.sources());
    this.actions.pick(hit !== null && this.actions.movable(hit.body) ? hit.body : -1);
  }

  private release(): void {
    if (this.pulled === null) return;
    this.pulled = null;
    this.actions.drop();
  }
}
