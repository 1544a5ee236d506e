// A recording in one file, opened from disk: what is seen, played, scrubbed and read.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { kPositionStep, rounded, writePage } from "./encode.mjs";
import { differing, keep, kViewer, openBrowser, state } from "./browser.mjs";
import { ballHeight, boxPlace, dropStage, dropTrack, dropValues, kDrop, kGravity } from "./scenes.mjs";

let browser, file, page;

before(async () => {
  browser = await openBrowser();
  file = browser.path("drop.html");
  writePage(kViewer, file, dropStage(), [dropTrack()]);
  page = await browser.open(file);
});
after(() => browser.close());

// A number as the page writes it: with a typographic minus.
const read = (text) => Number(text.replaceAll("\u2212", "-"));
const numbers = (text) => text.trim().split(/\s+/).map(read);
const field = (name) => page.locator(`[data-field="${name}"]`).textContent();

// The page's poses against the motion in closed form.
async function assertShows(frame) {
  const { time, frame: shown, tracks } = await state(page);
  const t = frame / kDrop.rate;
  assert.equal(shown, frame);
  assert.ok(Math.abs(time - t) < 1e-12);
  assert.equal(tracks[0].poses[1][6], rounded(ballHeight(t), kPositionStep));
  assert.equal(tracks[0].poses[2][4], rounded(boxPlace(t)[0], kPositionStep));
  assert.ok(Math.abs(tracks[0].values["sensor:height"] - ballHeight(t)) < 1e-6);
}

test("the file opens without a complaint and shows its first frame", async () => {
  assert.equal(await page.title(), "drop \u00b7 Stiction");
  await assertShows(0);
});

test("buttons step forward and back through the frames", async () => {
  for (let i = 0; i < 3; ++i) await page.locator("#step").click();
  await assertShows(3);
  await page.locator("#step-back").click();
  await assertShows(2);
});

test("keys step, go to the end and to the beginning", async () => {
  await page.locator("#canvas").focus();
  await page.keyboard.press("Shift+ArrowRight");
  await assertShows(12);
  await page.keyboard.press("ArrowLeft");
  await assertShows(11);
  await page.keyboard.press("End");
  await assertShows(kDrop.frames - 1);
  await page.keyboard.press("Home");
  await assertShows(0);
});

test("the scrub bar shows the frame of its time", async () => {
  await page.locator("#scrub").fill(String(20 / kDrop.rate));
  await assertShows(20);
});

test("playing moves on until the end and stops there", async () => {
  await page.evaluate(() => window.stiction.seek(0));
  await page.locator("#play").click();
  await page.waitForFunction(() => {
    const now = window.stiction.state();
    return now.time > 0 && !now.playing;
  });
  await assertShows(kDrop.frames - 1);
});

test("the inspector shows the recorded numbers of the picked body", async () => {
  await page.evaluate(() => {
    window.stiction.seek(0.25);
    window.stiction.pick("box");
    window.stiction.renderAt(0.25);
  });
  const frame = 15;
  const place = numbers(await field("place-0"));
  boxPlace(frame / kDrop.rate).forEach((x, k) => assert.ok(Math.abs(place[k] - x) <= 0.51e-4));
  assert.equal(read(await field("mass")), kDrop.mass);
  assert.equal(read(await field("contacts-0")), 4);
  const force = numbers(await field("force-0"));
  [-kDrop.mu * kDrop.mass * kGravity, 0, kDrop.mass * kGravity].forEach((x, k) => assert.ok(Math.abs(force[k] - x) < 5e-3));
  // Deceleration is constant, so that a central difference is exact up to the steps of the file.
  const velocity = numbers(await field("velocity-0"));
  assert.ok(Math.abs(velocity[0] - (kDrop.v0 - kDrop.mu * kGravity * 0.25)) < 2e-3);
  assert.equal(await page.locator("tr.slips").count(), 4);
});

test("plots show the recorded numbers at the time of the cursor", async () => {
  await page.evaluate(() => {
    window.stiction.addPlot("sensor:height");
    window.stiction.addPlot("body_force");
    window.stiction.renderAt(0.25);
  });
  const shown = (id, line = 0) => page.locator(`[data-plot="${id}"] output`).nth(line).textContent();
  const wanted = dropValues(0.25);
  const close = async (text, x) => assert.ok(Math.abs(read(await text) / x - 1) < 1e-3, `${await text} ${x}`);
  await close(shown("energy", 0), wanted.kinetic + wanted.gravity);
  await close(shown("energy", 1), wanted.kinetic);
  await close(shown("energy", 2), wanted.gravity);
  await close(shown("residual"), wanted.residual);
  await close(shown("iterations"), wanted.iterations);
  await close(shown("contact_force"), kDrop.mass * kGravity * Math.hypot(1, kDrop.mu));
  await close(shown("sensor:height"), ballHeight(0.25));
  await close(shown("body_force"), kDrop.mass * kGravity * Math.hypot(1, kDrop.mu));
});

test("a click in a plot goes to that time", async () => {
  const area = page.locator('[data-plot="energy"] .plot-area');
  await area.scrollIntoViewIfNeeded();
  const box = await area.boundingBox();
  // The axis runs from 46 pixels on the left to 8 on the right.
  await page.mouse.click(box.x + 46 + (box.width - 54) * 0.5, box.y + 40);
  await assertShows(15);
});

test("a click on a body picks it, one on the floor picks nothing", async () => {
  const at = await page.evaluate(() => window.stiction.placeOnScreen("ball"));
  await page.mouse.click(at.x, at.y);
  assert.equal((await state(page)).picked, "ball");
  await page.mouse.click(300, 480);
  assert.equal((await state(page)).picked, null);
});

test("dragging turns the camera about its target, the wheel comes nearer, views look from their side", async () => {
  const camera = () => page.evaluate(() => window.stiction.camera());
  const distance = ({ position, target }) => Math.hypot(...position.map((x, k) => x - target[k]));
  const first = await camera();
  await page.mouse.move(300, 300);
  await page.mouse.down();
  await page.mouse.move(400, 330, { steps: 3 });
  await page.mouse.up();
  await page.waitForTimeout(300);
  const turned = await camera();
  assert.ok(Math.hypot(...turned.position.map((x, k) => x - first.position[k])) > 0.1);
  assert.ok(Math.abs(distance(turned) / distance(first) - 1) < 1e-3);
  await page.mouse.wheel(0, -300);
  await page.waitForTimeout(300);
  assert.ok(distance(await camera()) < distance(turned));
  await page.keyboard.press("3");
  const top = await camera();
  assert.ok(top.position[2] - top.target[2] > 0.999 * distance(top));
});

test("following a body keeps the camera at the same place relative to it", async () => {
  const offset = () =>
    page.evaluate(() => {
      const { target } = window.stiction.camera();
      return window.stiction.state().tracks[0].poses[1].slice(4).map((x, k) => x - target[k]);
    });
  await page.evaluate(() => {
    window.stiction.pick("ball");
    window.stiction.setOption("follow", true);
    window.stiction.renderAt(0);
    window.stiction.renderAt(0.5);
  });
  (await offset()).forEach((x) => assert.ok(Math.abs(x) < 1e-9));
  await page.evaluate(() => window.stiction.setOption("follow", false));
});

test("help opens and closes", async () => {
  await page.locator("#canvas").focus();
  await page.keyboard.press("?");
  assert.ok(await page.locator("#help").isVisible());
  await page.keyboard.press("Escape");
  assert.ok(!(await page.locator("#help").isVisible()));
});

test("a picture is saved as a PNG file", async () => {
  const [download] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("p")]);
  assert.match(download.suggestedFilename(), /^drop-.*\.png$/);
});

test("a video is recorded and saved", async () => {
  await page.keyboard.press("v");
  assert.equal(await page.locator("button.recording").count(), 1);
  for (let i = 0; i < 3; ++i) await page.evaluate((t) => window.stiction.renderAt(t), 0.1 * i);
  const [download] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("v")]);
  assert.match(download.suggestedFilename(), /^drop-.*\.webm$/);
});

test("there was no complaint so far", () => {
  assert.deepEqual(page.complaints, []);
});

test("each switch of the display changes the picture, and the scene differs from an empty one", async () => {
  const still = await browser.open(file, {
    hash: "manual=1&t=0.25&ui=0&theme=light&shadows=0",
    viewport: { width: 480, height: 300 },
  });
  await keep(still, "plain");
  const set = (name, value) => still.evaluate(([n, v]) => window.stiction.setOption(n, v), [name, value]);
  const changed = async (by) => {
    await keep(still, "now");
    return differing(still, "plain", "now", by);
  };
  for (const name of ["contacts", "forces", "cones", "frames", "com", "inertia", "transparent", "wireframe"]) {
    assert.ok(await set(name, true), name);
    assert.ok((await changed()) > 20, `${name} changes nothing`);
    await set(name, false);
  }
  assert.equal(await changed(0), 0, "the same picture twice");
  await still.evaluate(() => window.stiction.setCamera({ position: [0, 0, 50], target: [0, 1, 60] }));
  assert.ok((await changed()) > 1000);
  await set("theme", "dark");
  assert.equal(await still.evaluate(() => document.documentElement.dataset.theme), "dark");
  assert.equal(await set("theme", "purple"), false);
  assert.equal(await set("nonsense", 1), false);
  assert.deepEqual(still.complaints, []);
  await still.context().close();
});

test("on a phone the picture fills the screen, and the panel opens and shows plots", async () => {
  const phone = await browser.open(file, { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true });
  const size = await phone.locator("#canvas").boundingBox();
  assert.ok(size.width >= 358 && size.height >= 730);
  assert.equal(await phone.evaluate(() => document.documentElement.scrollWidth), 360);
  await phone.locator("#step").tap();
  assert.equal((await state(phone)).frame, 1);
  for (const button of await phone.locator("#transport button").all()) {
    const area = await button.boundingBox();
    assert.ok(area.x >= 0 && area.x + area.width <= 360 && area.height >= 34);
  }
  await phone.locator('[title^="Panel"]').tap();
  assert.ok(await phone.locator("#panel").isVisible());
  await phone.locator('[data-plot="energy"]').scrollIntoViewIfNeeded();
  assert.ok(await phone.locator('[data-plot="energy"]').isVisible());
  assert.deepEqual(phone.complaints, []);
  await phone.context().close();
});

test("damaged data give a message, and no data a hint", async () => {
  const broken = browser.path("broken.html");
  writePage(kViewer, broken, { ...dropStage(), bodies: "none" }, [dropTrack()]);
  const first = await browser.open(broken);
  assert.match(await first.locator(".notice.error").textContent(), /stage\.bodies: a list is expected/);
  const second = await browser.open(kViewer);
  assert.match(await second.locator("#welcome").textContent(), /stiction run/);
  assert.deepEqual([...first.complaints, ...second.complaints], []);
});
