// Two tracks of one scene: overlaid, side by side, and their difference.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { writePage } from "./encode.mjs";
import { coloured, differing, keep, kViewer, openBrowser, state } from "./browser.mjs";
import { dropStage, dropTrack } from "./scenes.mjs";

const kShift = 0.3; // m, by which the box of the second track lies aside
const kTracks = [
  { name: "icf_lagged+newton", colour: "#2a78d6", h: 0.002 },
  { name: "coulomb_ncp+admm", colour: "#e8743b", h: 0.002 },
];
const kReport =
  "<!DOCTYPE html><html><head><style>body { color: #123456 } table { margin: 3px }</style></head>" +
  "<body><h1>Table</h1></body></html>";
let browser, page;

before(async () => {
  browser = await openBrowser();
  const file = browser.path("compare.html");
  writePage(kViewer, file, dropStage({ tracks: kTracks }), [dropTrack(), dropTrack(kShift)], kReport);
  page = await browser.open(file, { hash: "manual=1&t=0.25&picked=box&theme=light" });
});
after(() => browser.close());

const shown = async (id, line) =>
  Number((await page.locator(`[data-plot="${id}"] output`).nth(line).textContent()).replaceAll("\u2212", "-"));

test("both tracks are at the same time, each with its own poses", async () => {
  const { tracks } = await state(page);
  assert.deepEqual(tracks.map(({ name }) => name), kTracks.map(({ name }) => name));
  assert.equal(tracks[0].time, tracks[1].time);
  assert.ok(Math.abs(tracks[1].poses[2][5] - tracks[0].poses[2][5] - kShift) < 1e-9);
  assert.deepEqual(tracks[1].poses[1], tracks[0].poses[1]);
});

test("the difference is plotted: largest and root mean square over two bodies, and of the picked one", async () => {
  assert.ok(Math.abs((await shown("difference", 0)) - kShift) < 1e-4);
  assert.ok(Math.abs((await shown("difference", 1)) - kShift / Math.SQRT2) < 1e-4);
  assert.ok(Math.abs((await shown("body_difference", 0)) - kShift) < 1e-4);
  await page.evaluate(() => window.stiction.pick("ball"));
  assert.equal(await shown("body_difference", 0), 0);
});

test("residuals of both tracks are plotted", async () => {
  assert.equal(await page.locator('[data-plot="residual"] output').count(), 2);
  assert.ok(Math.abs((await shown("residual", 1)) / 1.25e-7 - 1) < 1e-2);
});

test("each track has its colour in the picture, overlaid and side by side", async () => {
  await page.evaluate(() => window.stiction.pick(null));
  await keep(page, "overlaid");
  for (const colour of ["orange", "blue"]) {
    const [left, right] = await coloured(page, "overlaid", colour);
    assert.ok(left + right > 100, `${colour}: ${left} + ${right}`);
  }
  await page.evaluate(() => window.stiction.setOption("layout", "side"));
  await keep(page, "side");
  assert.ok((await differing(page, "overlaid", "side")) > 1000);
  const [oranges, blues] = [await coloured(page, "side", "orange"), await coloured(page, "side", "blue")];
  assert.ok(oranges[0] === 0 && oranges[1] > 50, `orange ${oranges}`);
  assert.ok(blues[0] > 50 && blues[1] === 0, `blue ${blues}`);
  assert.equal(await page.locator("#labels .viewport").count(), 2);
});

test("the report stands below the view with its own style", async () => {
  const report = page.locator("#report");
  assert.match(await report.locator("h1").textContent(), /Table/);
  const box = await report.boundingBox();
  const view = await page.locator("#view").boundingBox();
  assert.ok(box.y >= view.y + view.height);
  assert.equal(await report.locator("h1").evaluate((h1) => getComputedStyle(h1).color), "rgb(18, 52, 86)");
});

test("there was no complaint", () => {
  assert.deepEqual(page.complaints, []);
});
