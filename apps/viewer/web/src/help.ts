// The list of keys and gestures.

import { element, icon } from "./dom";
import { kSwitches } from "./options";

const kMouse: [string, string][] = [
  ["drag", "turn about what you look at"],
  ["right button, or Shift + drag", "move sideways"],
  ["wheel", "nearer and farther"],
  ["click", "pick a body"],
  ["double click", "look at a point"],
  ["Ctrl + drag", "pull a body by a spring (live)"],
  ["one finger, two fingers", "turn; move and zoom"],
];

const kKeys: [string, string][] = [
  ["Space", "play, pause"],
  ["\u2192  \u2190", "a frame forward, back (with Shift: ten)"],
  ["Home  End", "to the beginning, to the end"],
  ["Backspace", "to the beginning; live: reset"],
  ["+  \u2212", "faster, slower"],
  ["0  1  2  3", "see all; from the front, the side, the top"],
  ["X", "visual, collision, both geometries"],
  ["O", "tracks overlaid, side by side"],
  ["Tab", "panel"],
  ["D", "light, dark"],
  ["P  V", "save a picture; record a video"],
  ["Esc", "pick nothing, stop following"],
  ["?", "this list"],
];

export class Help {
  private readonly dialog = element("dialog", { id: "help", "aria-label": "Keys" });

  constructor() {
    const close = element("button", { type: "button", class: "icon", title: "Close" }, icon("close"));
    close.addEventListener("click", () => {
      this.dialog.close();
    });
    const list = (title: string, items: [string, string][]) =>
      element(
        "section",
        {},
        element("h3", {}, title),
        element("dl", {}, ...items.flatMap(([key, text]) => [element("dt", {}, key), element("dd", {}, text)])),
      );
    this.dialog.append(
      close,
      list("Mouse and touch", kMouse),
      list("Keys", kKeys),
      list(
        "Switches",
        kSwitches.map(({ key, label }): [string, string] => [key.toUpperCase(), label.toLowerCase()]),
      ),
    );
    this.dialog.addEventListener("click", (event) => {
      if (event.target === this.dialog) this.dialog.close();
    });
    document.body.append(this.dialog);
  }

  toggle(): void {
    if (this.dialog.open) this.dialog.close();
    else this.dialog.showModal();
  }
}
