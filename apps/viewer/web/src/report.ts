// The table and plots that `stiction compare` writes, below the view. They stand in a shadow tree: their style is their own.

import { byId, element } from "./dom";

export function showReport(): boolean {
  const text = document.getElementById("stiction-report")?.textContent ?? "";
  if (text.trim() === "") return false;
  const report = new DOMParser().parseFromString(text, "text/html");
  const root = byId("report");
  const style = Array.from(report.querySelectorAll("style"), (one) => one.textContent).join("\n");
  const paper = element("div", { class: "paper" });
  paper.append(...Array.from(report.body.childNodes));
  root
    .attachShadow({ mode: "open" })
    .append(element("style", {}, style.replace(/(^|[\s,}])(body|html|:root)(?=[\s,{])/g, "$1.paper")), paper);
  root.hidden = false;
  document.body.classList.add("with-report");
  return true;
}
