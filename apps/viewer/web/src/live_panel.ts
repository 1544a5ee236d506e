// What one can change in a running simulation: law, step, scheme, material, gravity, joints and controls.

import { element, formatFixed, formatNumber, section, setText } from "./dom";
import type { Command } from "./live";
import type { Stage, Status } from "./protocol";
import type { Source } from "./sources";

const kFreeJoint: [number, number] = [-Math.PI, Math.PI]; // rad, or m: where a joint has no range
const kFreeControl: [number, number] = [-1, 1];
const kOpenSliders = 8; // a longer list begins closed

class Slider {
  readonly root: HTMLElement;
  private readonly input = element("input", { type: "range", step: "any" });
  private readonly output = element("output");
  private held = false;

  // log: the slider moves over powers of ten
  constructor(
    label: string,
    range: [number, number],
    private readonly unit: string,
    private readonly log: boolean,
    onInput: (value: number) => void,
    name: string,
  ) {
    const [low, high] = log ? range.map(Math.log10) : range;
    this.input.min = String(low);
    this.input.max = String(high);
    this.input.setAttribute("aria-label", label);
    this.input.name = name;
    this.input.addEventListener("input", () => {
      const value = log ? Math.pow(10, Number(this.input.value)) : Number(this.input.value);
      this.show(value);
      onInput(value);
    });
    // While it is held, what the server says does not move it.
    this.input.addEventListener("pointerdown", () => (this.held = true));
    for (const end of ["pointerup", "pointercancel", "change"]) this.input.addEventListener(end, () => (this.held = false));
    this.root = element("label", { class: "slider" }, element("span", { title: label }, label), this.input, this.output);
  }

  set(value: number): void {
    if (this.held || !Number.isFinite(value)) return;
    this.input.value = String(this.log ? Math.log10(Math.max(value, 1e-300)) : value);
    this.show(value);
  }

  private show(value: number): void {
    const text = this.log || Math.abs(value) >= 1000 ? formatNumber(value, 3) : formatFixed(value, 3);
    setText(this.output, `${text} ${this.unit}`);
  }
}

// Of a field that is being written in, what the server says is not the value.
function setUnlessOpen(field: HTMLSelectElement | HTMLInputElement | null, value: string): void {
  if (field !== null && document.activeElement !== field) field.value = value;
}

// Without the digits of round-off.
function shortNumber(x: number): string {
  return String(Number(x.toPrecision(6)));
}

function selector(label: string, names: readonly string[], name: string, onChange: (value: string) => void) {
  const select = element("select", { name, "aria-label": label }, ...names.map((one) => element("option", { value: one }, one)));
  select.addEventListener("change", () => {
    onChange(select.value);
    // Without the focus it shows again what the server says.
    select.blur();
  });
  return { select, root: element("label", { class: "field" }, element("span", {}, label), select) };
}

export class LivePanel {
  readonly root: HTMLElement;
  private readonly simulation = section("Simulation", "simulation", true);
  private readonly joints = section("Joints", "joints", true);
  private readonly drives = section("Controls", "drives", true);
  private readonly sliders = new Map<string, Slider>();
  private laws: HTMLSelectElement[] = [];
  private scheme: HTMLSelectElement | null = null;
  private step: HTMLInputElement | null = null;
  private friction: Slider | null = null;
  private stiffness: Slider | null = null;
  private gravity: HTMLInputElement[] = []; // x, y, z

  constructor(private readonly send: (command: Command) => void) {
    this.root = element("div", { hidden: "" }, this.simulation, this.joints, this.drives);
  }

  setStage(stage: Stage): void {
    this.root.hidden = false;
    this.sliders.clear();
    const { send } = this;
    const laws = (stage.tracks.length > 0 ? stage.tracks : [{ name: "" }]).map((_, k) =>
      selector(stage.tracks.length > 1 ? `Law ${k + 1}` : "Law", stage.formulations, `formulation-${k}`, (value) => {
        send({ do: "set", what: "formulation", value, track: k });
      }),
    );
    laws.forEach((law, k) => {
      law.select.value = stage.tracks[k]?.name ?? "";
    });
    this.laws = laws.map((law) => law.select);
    const scheme = selector("Scheme", stage.schemes, "scheme", (value) => {
      send({ do: "set", what: "scheme", value });
    });
    this.scheme = scheme.select;
    const step = element("input", { type: "number", name: "h", min: "0.01", step: "any", value: String(1e3 * stage.h) });
    step.addEventListener("change", () => {
      const h = Number(step.value) / 1e3;
      if (h > 0) send({ do: "set", what: "h", value: h });
    });
    this.step = step;
    this.friction = new Slider("Friction", [0, 2], "", false, (value) => {
      send({ do: "set", what: "friction", value });
    }, "friction");
    this.stiffness = new Slider("Stiffness", [1e2, 1e9], "N/m", true, (value) => {
      send({ do: "set", what: "stiffness", value });
    }, "stiffness");
    this.friction.set(stage.materials.friction);
    this.stiffness.set(stage.materials.stiffness);
    this.gravity = ["x", "y", "z"].map((axis, k) =>
      element("input", {
        type: "number",
        name: `gravity-${axis}`,
        title: `Gravity along ${axis}, m/s\u00b2`,
        "aria-label": `Gravity along ${axis}, metres per second squared`,
        step: "any",
        value: shortNumber(stage.gravity[k]),
      }),
    );
    for (const input of this.gravity)
      input.addEventListener("change", () => {
        const value = this.gravity.map((one) => one.valueAsNumber);
        if (value.every(Number.isFinite)) send({ do: "set", what: "gravity", value });
      });

    const keyframes = ["", ...stage.keyframes].map((name) => {
      const button = element("button", { type: "button", "data-keyframe": name }, name === "" ? "Reset" : name);
      button.addEventListener("click", () => {
        send(name === "" ? { do: "reset" } : { do: "reset", keyframe: name });
      });
      return button;
    });
    this.simulation.replaceChildren(
      element("summary", {}, "Simulation"),
      element("div", { class: "buttons" }, ...keyframes),
      ...laws.map((law) => law.root),
      scheme.root,
      element("label", { class: "field" }, element("span", {}, "Step [ms]"), step),
      this.friction.root,
      this.stiffness.root,
      element("div", { class: "field vector" }, element("span", {}, "Gravity [m/s\u00b2]"), ...this.gravity),
      element("p", { class: "note" }, "Hold Ctrl and drag a body to pull it by a spring."),
    );
    this.fill(this.joints, "Joints", "joint", stage.joints, kFreeJoint);
    this.fill(this.drives, "Controls", "control", stage.actuators, kFreeControl);
  }

  setStatus(status: Status): void {
    this.laws.forEach((select, k) => {
      setUnlessOpen(select, status.formulation[k] ?? "");
    });
    setUnlessOpen(this.scheme, status.scheme);
    if (Number.isFinite(status.h)) setUnlessOpen(this.step, shortNumber(1e3 * status.h));
    this.friction?.set(status.friction);
    this.stiffness?.set(status.stiffness);
    status.gravity?.forEach((component, k) => {
      setUnlessOpen(this.gravity[k] ?? null, shortNumber(component));
    });
  }

  // Sliders follow the simulation.
  update(source: Source): void {
    source.valueNames.forEach((name, i) => this.sliders.get(name)?.set(source.moment.values[i]));
  }

  private fill(
    target: HTMLDetailsElement,
    title: string,
    command: "joint" | "control",
    items: readonly { name: string; range: [number, number] | null; unit: string }[],
    free: [number, number],
  ): void {
    target.hidden = items.length === 0;
    target.open = items.length <= kOpenSliders;
    const sliders = items.map(({ name, range, unit }) => {
      const slider = new Slider(name, range ?? free, unit, false, (value) => {
        this.send({ do: command, name, value });
      }, `${command}:${name}`);
      this.sliders.set(`${command}:${name}`, slider);
      return slider.root;
    });
    target.replaceChildren(element("summary", {}, title), ...sliders);
  }
}
