// Loads what there is to show and opens the page on it.

import "./theme.css";
import "./picture.css";
import "./panel.css";
import "./numbers.css";
import "./sheets.css";
import { makeApi } from "./api";
import { byId, element } from "./dom";
import { load } from "./loader";
import { Page } from "./page";
import { BadData } from "./protocol";
import { showReport } from "./report";

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function begin(): void {
  showReport();
  let page: Page;
  try {
    page = new Page();
  } catch (error) {
    byId("notices").append(
      element(
        "div",
        { class: "notice error" },
        element("strong", {}, "The picture cannot be drawn"),
        element("pre", {}, `${messageOf(error)}\nThis page needs a browser with WebGL 2.`),
      ),
    );
    return;
  }
  const ready = load()
    .then((loaded) => {
      page.open(loaded);
    })
    .catch((error: unknown) => {
      page.fail(error instanceof BadData ? "These data cannot be shown" : "Loading failed", messageOf(error));
    });
  window.stiction = makeApi(page, ready);
}

begin();
