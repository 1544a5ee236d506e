// What an empty page says.

import { element } from "./dom";

export function welcome(): HTMLElement {
  const line = (code: string, text: string) => element("li", {}, element("code", {}, code), element("span", {}, text));
  return element(
    "div",
    { id: "welcome" },
    element("h2", {}, "Nothing to show yet"),
    element("p", {}, "This page shows scenes that move. Let the command line fill it:"),
    element(
      "ul",
      {},
      line("stiction run clutter --html run.html", "a run in one file that opens anywhere"),
      line("stiction view clutter", "a live simulation in the browser"),
      line("stiction view run.mcap", "a recording"),
      line("stiction compare box_stack --html compare.html", "several contact laws side by side"),
    ),
  );
}
