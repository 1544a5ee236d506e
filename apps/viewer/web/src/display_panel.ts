// Views and switches of the display.

import { kViews, type ViewName } from "./cameras";
import { element, section } from "./dom";
import { kSwitches, type OptionName, type OptionStore } from "./options";

const kViewLabels: Record<ViewName, string> = { home: "All", front: "Front", side: "Side", top: "Top" };

function choice(
  options: OptionStore,
  name: OptionName,
  label: string,
  values: [string, string][],
  id: string,
): { root: HTMLElement; update: () => void } {
  const buttons = values.map(([value, text]) => {
    const button = element("button", { type: "button", "data-value": value }, text);
    button.addEventListener("click", () => {
      options.setByName(name, value);
    });
    return button;
  });
  return {
    root: element("div", { class: "choice", id }, element("span", {}, label), element("div", {}, ...buttons)),
    update: () => {
      for (const button of buttons) button.classList.toggle("on", button.dataset.value === options.get(name));
    },
  };
}

export class DisplayPanel {
  readonly root: HTMLDetailsElement;
  private readonly compare: HTMLElement;
  private readonly updates: (() => void)[] = [];

  constructor(options: OptionStore, look: (view: ViewName) => void) {
    const views = kViews.map((view, i) => {
      const button = element("button", { type: "button", title: `Key ${i === 0 ? 0 : i}` }, kViewLabels[view]);
      button.addEventListener("click", () => {
        look(view);
      });
      return button;
    });
    const layout = choice(options, "layout", "Tracks", [["overlay", "Overlaid"], ["side", "Side by side"]], "layout");
    const geometry = choice(
      options,
      "geometry",
      "Geometry",
      [["visual", "Visual"], ["collision", "Collision"], ["both", "Both"]],
      "geometry",
    );
    this.compare = layout.root;
    const switches = kSwitches.map(({ name, label, key, hint }) => {
      const input = element("input", { type: "checkbox", name });
      input.addEventListener("change", () => {
        options.setByName(name, input.checked);
      });
      this.updates.push(() => {
        input.checked = options.get(name) === true;
      });
      return element("label", { title: hint }, input, element("span", {}, label), element("kbd", {}, key.toUpperCase()));
    });
    const scale = element("input", { type: "range", min: "-1.5", max: "1.5", step: "0.05", "aria-label": "Length of arrows" });
    scale.addEventListener("input", () => {
      options.set("forceScale", Math.pow(10, Number(scale.value)));
    });
    const length = element("label", { class: "slider" }, element("span", {}, "Force size"), scale);
    this.updates.push(layout.update, geometry.update, () => {
      scale.value = String(Math.log10(options.get("forceScale")));
      length.hidden = !options.get("forces") && !options.get("cones");
    });
    this.root = section(
      "View",
      "display",
      true,
      element("div", { class: "choice" }, element("span", {}, "Camera"), element("div", {}, ...views)),
      layout.root,
      geometry.root,
      element("div", { class: "switches" }, ...switches),
      length,
    );
    options.onChange(() => {
      this.update();
    });
    this.update();
  }

  setTracks(count: number): void {
    this.compare.hidden = count < 2;
  }

  private update(): void {
    for (const update of this.updates) update();
  }
}
