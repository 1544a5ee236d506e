// Options in the address: #t=1.2&view=top&ui=0&theme=dark&contacts=1&picked=box&plots=energy,residual&camera=x,y,z,x,y,z,fov
// Besides those here, every option of options.ts can be given by its name.

import { kViews, type CameraState, type ViewName } from "./cameras";

export interface Address {
  time: number | null; // s
  view: ViewName | null;
  camera: CameraState | null;
  picked: string | null;
  plots: string[] | null;
  play: boolean;
  manual: boolean; // no animation: a picture is drawn when somebody asks for it
  options: [string, string][];
}

export function readAddress(hash: string): Address {
  const given = new URLSearchParams(hash.replace(/^#/, ""));
  const take = (name: string): string | null => {
    const value = given.get(name);
    given.delete(name);
    return value;
  };
  const time = take("t");
  const view = take("view");
  const numbers = (take("camera") ?? "").split(",").map(Number);
  const whole = (numbers.length === 6 || numbers.length === 7) && numbers.every(Number.isFinite);
  return {
    time: time !== null && Number.isFinite(Number(time)) ? Number(time) : null,
    view: kViews.find((one) => one === view) ?? null,
    camera: whole
      ? {
          position: [numbers[0], numbers[1], numbers[2]],
          target: [numbers[3], numbers[4], numbers[5]],
          fov: numbers.length === 7 ? numbers[6] : 42,
        }
      : null,
    picked: take("picked"),
    plots: take("plots")?.split(",") ?? null,
    play: take("play") === "1",
    manual: take("manual") === "1",
    options: [...given.entries()],
  };
}
