// A headless browser, and pages in it whose complaints are collected.

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { kWeb } from "./modules.mjs";

export const kViewer = process.env.STICTION_VIEWER ?? join(kWeb, "../../../build/viewer/viewer.html");
const kChromium =
  process.env.CHROMIUM ?? ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
// Drawing in software reads pixels back, which Chromium finds slow; that is no fault of the page.
const kHarmless = /GPU stall due to ReadPixels/;

export async function openBrowser() {
  const folder = mkdtempSync(join(tmpdir(), "stiction-page-"));
  const browser = await chromium.launch({
    executablePath: kChromium,
    args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
  });
  return {
    path: (name) => join(folder, name),
    cpuSeconds: () => cpuSecondsBelow(process.pid),
    // address: a file or an http address. Returns a page with `complaints`: console errors and warnings, uncaught errors.
    // Shadows are costly in software: a test that wants them says so.
    open: async (address, { hash = "shadows=0", wait = true, ...options } = {}) => {
      const context = await browser.newContext({ viewport: { width: 960, height: 600 }, ...options });
      const page = await context.newPage();
      page.setDefaultTimeout(120_000);
      page.complaints = [];
      page.on("console", (message) => {
        if (["error", "warning"].includes(message.type()) && !kHarmless.test(message.text()))
          page.complaints.push(message.text());
      });
      page.on("pageerror", (error) => page.complaints.push(error.message));
      const place = address.startsWith("http") ? address : `file://${address}`;
      await page.goto(hash === "" ? place : `${place}#${hash}`);
      if (wait) await page.evaluate(() => window.stiction.ready);
      return page;
    },
    close: async () => {
      await browser.close();
      rmSync(folder, { recursive: true });
    },
  };
}

// CPU time that the children of a process and theirs have used so far, in seconds: unlike the time on the wall it does not
// depend on what else the machine does. NaN where there is no /proc.
function cpuSecondsBelow(root) {
  if (!existsSync("/proc/self/stat")) return NaN;
  const parents = new Map();
  const ticks = new Map();
  for (const name of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))) {
    try {
      // After the name in brackets: state, parent, ..., user and system time are the 12th and 13th.
      const stat = readFileSync(`/proc/${name}/stat`, "latin1");
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      parents.set(Number(name), Number(fields[1]));
      ticks.set(Number(name), Number(fields[11]) + Number(fields[12]));
    } catch {
      continue; // it has ended meanwhile
    }
  }
  const below = (pid) => pid === root || (parents.has(pid) && pid > 1 && below(parents.get(pid)));
  let sum = 0;
  for (const [pid, used] of ticks) if (pid !== root && below(pid)) sum += used;
  return sum / 100;
}

export const state = (page) => page.evaluate(() => window.stiction.state());

// Keeps the picture of now under a name, within the page: a million numbers would take long to come here.
export function keep(page, name) {
  return page.evaluate((key) => {
    const canvas = document.getElementById("canvas");
    const copy = document.createElement("canvas");
    [copy.width, copy.height] = [canvas.width, canvas.height];
    const context = copy.getContext("2d", { willReadFrequently: true });
    context.drawImage(canvas, 0, 0);
    (window.kept ??= {})[key] = context.getImageData(0, 0, copy.width, copy.height);
  }, name);
}

// How many pixels differ between two kept pictures by more than `by`, summed over the colours.
export function differing(page, a, b, by = 24) {
  return page.evaluate(
    ([first, second, limit]) => {
      const [p, q] = [window.kept[first].data, window.kept[second].data];
      let count = 0;
      for (let i = 0; i < p.length; i += 4)
        if (Math.abs(p[i] - q[i]) + Math.abs(p[i + 1] - q[i + 1]) + Math.abs(p[i + 2] - q[i + 2]) > limit) ++count;
      return count;
    },
    [a, b, by],
  );
}

// Pixels of a kept picture in the left and in the right half that are strongly of one colour: "orange" or "blue".
export function coloured(page, name, colour) {
  return page.evaluate(
    ([key, wanted]) => {
      const { data, width } = window.kept[key];
      const found = [0, 0];
      for (let i = 0; i < data.length; i += 4) {
        const [r, g, b] = data.subarray(i, i + 3);
        const fits = wanted === "orange" ? r > 150 && r > 1.4 * g && g > b : b > 120 && b > 1.5 * r && b > 1.15 * g;
        if (fits) ++found[(i / 4) % width < width / 2 ? 0 : 1];
      }
      return found;
    },
    [name, colour],
  );
}
