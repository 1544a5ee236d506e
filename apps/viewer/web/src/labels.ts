// Words over the picture: names of bodies, and of the tracks where they are side by side.

import { element } from "./dom";
import type { Stage } from "./protocol";
import type { Source } from "./sources";
import type { StageView } from "./stage";

const kMost = 80; // names: more could not be read

export class Labels {
  constructor(private readonly root: HTMLElement) {}

  update(view: StageView, stage: Stage, sources: readonly Source[], names: boolean): void {
    const viewports = view.viewports();
    const labels: HTMLElement[] = [];
    if (viewports.length > 1)
      viewports.forEach((area, k) => {
        const place = `left: ${area.x}px; top: ${area.y}px; width: ${area.width}px; height: ${area.height}px`;
        labels.push(
          element(
            "div",
            { class: "viewport", style: `${place}; --colour: ${sources[k].colour}` },
            element("span", {}, element("i"), sources[k].name),
          ),
        );
      });
    if (names)
      viewports.forEach((area, k) => {
        stage.bodies.forEach((body, i) => {
          if (!body.moves || body.name === "" || labels.length > kMost) return;
          const at = view.project(view.placeOf(i, sources[k]), area);
          if (at === null || at.x < area.x || at.x > area.x + area.width) return;
          const style = `transform: translate(${at.x.toFixed(1)}px, ${at.y.toFixed(1)}px) translate(-50%, -50%)`;
          labels.push(element("div", { class: "name", style }, body.name));
        });
      });
    if (labels.length > 0 || this.root.childElementCount > 0) this.root.replaceChildren(...labels);
  }
}
