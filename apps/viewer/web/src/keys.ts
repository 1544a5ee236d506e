// What keys do. The list for people is in help.ts.

import type { ViewName } from "./cameras";
import { kSpeeds } from "./controls";
import { kSwitches, type OptionStore } from "./options";

export interface KeyActions {
  toggle(): void;
  step(count: number): void;
  reset(): void;
  toEnd(): void;
  look(view: ViewName): void;
  help(): void;
  theme(): void;
  panel(): void;
  picture(): void;
  video(): void;
  unpick(): void;
}

function typesText(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return target.type === "number" || target.type === "text";
  return target instanceof HTMLSelectElement;
}

export function bindKeys(actions: KeyActions, options: OptionStore): void {
  const faster = (by: number) => {
    const at = kSpeeds.findIndex((speed) => speed >= options.get("speed") * 0.999);
    options.set("speed", kSpeeds[Math.min(Math.max((at < 0 ? kSpeeds.length - 1 : at) + by, 0), kSpeeds.length - 1)]);
  };
  const next = <T>(list: readonly T[], value: T): T => list[(list.indexOf(value) + 1) % list.length];
  const named: Record<string, (shift: boolean) => void> = {
    " ": () => {
      actions.toggle();
    },
    ArrowRight: (shift) => {
      actions.step(shift ? 10 : 1);
    },
    ArrowLeft: (shift) => {
      actions.step(shift ? -10 : -1);
    },
    Home: () => {
      actions.reset();
    },
    Backspace: () => {
      actions.reset();
    },
    End: () => {
      actions.toEnd();
    },
    "+": () => {
      faster(1);
    },
    "=": () => {
      faster(1);
    },
    "-": () => {
      faster(-1);
    },
    "0": () => {
      actions.look("home");
    },
    "1": () => {
      actions.look("front");
    },
    "2": () => {
      actions.look("side");
    },
    "3": () => {
      actions.look("top");
    },
    x: () => {
      options.set("geometry", next(["visual", "collision", "both"] as const, options.get("geometry")));
    },
    o: () => {
      options.set("layout", next(["overlay", "side"] as const, options.get("layout")));
    },
    d: () => {
      actions.theme();
    },
    p: () => {
      actions.picture();
    },
    v: () => {
      actions.video();
    },
    Tab: () => {
      actions.panel();
    },
    Escape: () => {
      actions.unpick();
    },
    "?": () => {
      actions.help();
    },
  };
  for (const { name, key } of kSwitches)
    named[key] = () => {
      options.toggle(name);
    };
  window.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || typesText(event.target)) return;
    // An open dialog has the keys for itself.
    if (document.querySelector("dialog[open]") !== null) return;
    // Within the panel the tabulator walks through the fields, and the space bar presses buttons.
    const onField = event.target instanceof HTMLElement && event.target !== document.body && event.target.id !== "canvas";
    if (onField && (event.key === "Tab" || event.key === "Enter")) return;
    // Arrows move a slider that has the focus; on the time bar they step from frame to frame.
    const onSlider = event.target instanceof HTMLInputElement && event.target.type === "range" && event.target.id !== "scrub";
    if (onSlider && /^(Arrow|Home|End)/.test(event.key)) return;
    const action = named[event.key.length === 1 ? event.key.toLowerCase() : event.key] as
      | ((shift: boolean) => void)
      | undefined;
    if (action === undefined) return;
    event.preventDefault();
    action(event.shiftKey);
  });
}
