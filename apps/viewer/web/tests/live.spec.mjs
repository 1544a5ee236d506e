// A live connection, to a server made up here: what the page sends, what it shows, and that it comes back.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { WebSocketServer } from "ws";
import { kViewer, openBrowser, state } from "./browser.mjs";
import { packFrame } from "./encode.mjs";
import { boxContacts, dropStage, dropTrack, kDrop } from "./scenes.mjs";

const kToken = "0123456789abcdef";
const stage = dropStage({
  live: true,
  formulations: ["sap+newton", "icf_lagged+newton"],
  schemes: ["symplectic_euler", "midpoint"],
  keyframes: ["home"],
  joints: [{ name: "elbow", kind: "hinge", body: 2, q_index: 7, range: [-1, 1], unit: "rad" }],
  actuators: [{ name: "grip", range: [0, 2], unit: "N" }],
  values: ["kinetic", "gravity", "residual", "joint:elbow", "control:grip"],
});
const status = {
  type: "status",
  running: false,
  speed: 1,
  formulation: ["icf_lagged+newton"],
  h: 0.002,
  scheme: "symplectic_euler",
  friction: 0.3,
  stiffness: 1e7,
  gravity: [0, 0, -3.72],
  error: null,
  real_time_factor: 1,
};
const poses = (x) => [[1, 0, 0, 0, 0, 0, 0], [1, 0, 0, 0, -0.5, 0, 1], [1, 0, 0, 0, x, 0, kDrop.half[2]]];

let browser, page, http, sockets, socket, address;
const received = [];

before(async () => {
  http = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url, "http://x");
    if (searchParams.get("token") !== kToken) return response.writeHead(403).end();
    if (pathname === "/stage") {
      response.writeHead(200, { "content-type": "application/json" });
      return response.end(JSON.stringify(stage));
    }
    response.writeHead(200, { "content-type": "text/html" });
    return response.end(readFileSync(kViewer));
  });
  sockets = new WebSocketServer({ server: http, path: "/live" });
  sockets.on("connection", (one) => {
    socket = one;
    one.on("message", (data) => received.push(JSON.parse(data)));
    one.send(JSON.stringify({ type: "stage", stage }));
    one.send(JSON.stringify(status));
    sendFrame(0, 0.1);
  });
  await new Promise((done) => http.listen(0, "127.0.0.1", done));
  address = `http://127.0.0.1:${http.address().port}/?token=${kToken}`;
  browser = await openBrowser();
  page = await browser.open(address);
  await shownStep(0);
});
after(async () => {
  await browser.close();
  sockets.close();
  for (const one of sockets.clients) one.terminate();
  http.close();
});

function sendFrame(step, x, joint = 0.25) {
  const velocities = [[0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0], [0, 0, 0.5, 1.25, 0, 0]];
  const values = [2, 3, 1e-6, joint, 0.5];
  socket.send(packFrame({ time: 0.002 * step, step, poses: poses(x), velocities, values, contacts: boxContacts(0) }));
}

const shownStep = (step) =>
  page.waitForFunction((wanted) => {
    const { frame, tracks } = window.stiction.state();
    return frame === wanted && tracks[0]?.contacts > 0;
  }, step);

// The first message that the page sends because of an action.
async function answerTo(action) {
  received.length = 0;
  await action();
  for (let i = 0; i < 200 && received.length === 0; ++i) await new Promise((done) => setTimeout(done, 25));
  return received[0];
}

const slide = (name, value) =>
  page.locator(`input[name="${name}"]`).evaluate((input, x) => {
    input.value = String(x);
    input.dispatchEvent(new Event("input", { bubbles: true }));
  }, value);

test("a frame of the server is shown as it is", async () => {
  sendFrame(5, 0.125);
  await shownStep(5);
  const { tracks, live } = await state(page);
  assert.ok(live);
  assert.equal(tracks[0].poses[2][4], 0.125);
  assert.equal(tracks[0].contacts, 4);
  assert.equal(await page.locator("#connection").textContent(), "live");
});

test("buttons and keys send run, pause, step, back and reset", async () => {
  assert.deepEqual(await answerTo(() => page.locator("#play").click()), { do: "run" });
  socket.send(JSON.stringify({ ...status, running: true }));
  await page.waitForFunction(() => window.stiction.state().playing);
  assert.deepEqual(await answerTo(() => page.keyboard.press("Space")), { do: "pause" });
  socket.send(JSON.stringify(status));
  assert.deepEqual(await answerTo(() => page.locator("#step").click()), { do: "step", count: 1 });
  assert.deepEqual(await answerTo(() => page.locator("#step-back").click()), { do: "back" });
  assert.deepEqual(await answerTo(() => page.locator('[data-keyframe=""]').click()), { do: "reset" });
  assert.deepEqual(await answerTo(() => page.locator('[data-keyframe="home"]').click()), { do: "reset", keyframe: "home" });
});

test("law, scheme, step, friction, stiffness and speed are sent with their values", async () => {
  const choose = (name, value) => answerTo(() => page.locator(`[name="${name}"]`).selectOption(value));
  assert.deepEqual(await choose("formulation-0", "sap+newton"), { do: "set", what: "formulation", value: "sap+newton", track: 0 });
  assert.deepEqual(await choose("scheme", "midpoint"), { do: "set", what: "scheme", value: "midpoint" });
  const step = await answerTo(async () => {
    await page.locator('[name="h"]').fill("5");
    await page.locator('[name="h"]').press("Enter");
  });
  assert.deepEqual(step, { do: "set", what: "h", value: 0.005 });
  assert.deepEqual(await answerTo(() => slide("friction", 0.75)), { do: "set", what: "friction", value: 0.75 });
  assert.deepEqual(await answerTo(() => slide("stiffness", 6)), { do: "set", what: "stiffness", value: 1e6 });
  assert.deepEqual(await answerTo(() => page.locator("#speed").selectOption("0.5")), { do: "speed", value: 0.5 });
});

test("gravity is sent as three numbers, and shown as the server tells it", async () => {
  const shown = (value) =>
    page.waitForFunction(
      (wanted) => ["x", "y", "z"].map((axis) => document.querySelector(`[name="gravity-${axis}"]`).value).join() === wanted,
      value,
    );
  const write = (axis, value) =>
    answerTo(async () => {
      await page.locator(`[name="gravity-${axis}"]`).fill(value);
      await page.locator(`[name="gravity-${axis}"]`).blur();
    });
  await shown("0,0,-3.72");
  assert.deepEqual(await write("x", "2.5"), { do: "set", what: "gravity", value: [2.5, 0, -3.72] });
  assert.deepEqual(await write("z", "1"), { do: "set", what: "gravity", value: [2.5, 0, 1] });
  // A field without a number asks for nothing: the step is the first message after it.
  const step = answerTo(async () => {
    await page.locator('[name="gravity-y"]').fill("");
    await page.locator('[name="gravity-y"]').blur();
    await page.locator("#step").click();
  });
  assert.deepEqual(await step, { do: "step", count: 1 });
  socket.send(JSON.stringify({ ...status, gravity: [0.1 + 0.2, 0, -1.62] }));
  await shown("0.3,0,-1.62");
  socket.send(JSON.stringify(status));
  await shown("0,0,-3.72");
});

test("sliders of joints and controls send their values and follow the simulation", async () => {
  assert.deepEqual(await answerTo(() => slide("joint:elbow", -0.5)), { do: "joint", name: "elbow", value: -0.5 });
  assert.deepEqual(await answerTo(() => slide("control:grip", 1.5)), { do: "control", name: "grip", value: 1.5 });
  sendFrame(8, 0.125, 0.75);
  await shownStep(8);
  await page.waitForFunction(() => document.querySelector('[name="joint:elbow"]').value === "0.75");
});

test("Ctrl and the mouse pull a body by the point that was touched", async () => {
  const at = await page.evaluate(() => window.stiction.placeOnScreen("box"));
  await page.keyboard.down("Control");
  await page.mouse.move(at.x, at.y);
  const first = await answerTo(() => page.mouse.down());
  assert.equal(first.do, "drag");
  assert.equal(first.body, 2);
  first.point.forEach((x, k) => assert.ok(Math.abs(x) <= kDrop.half[k] + 1e-6));
  const pull = await answerTo(() => page.mouse.move(at.x, at.y - 60, { steps: 2 }));
  assert.ok(pull.to[2] > first.to[2]);
  assert.deepEqual(await answerTo(() => page.mouse.up()), { do: "drop" });
  await page.keyboard.up("Control");
});

test("the inspector shows the velocity that the server measured", async () => {
  await page.evaluate(() => window.stiction.pick("box"));
  await page.waitForFunction(() => document.querySelector('[data-field="velocity-0"]') !== null);
  assert.match(await page.locator('[data-field="velocity-0"]').textContent(), /^1\.250/);
  assert.equal(await page.locator(".inspector .note").count(), 0);
});

test("errors are shown with file and line, and go when the scene is right again", async () => {
  socket.send(JSON.stringify({ type: "error", message: "robot.xml:12: unknown attribute 'sise'" }));
  assert.match(await page.locator(".notice.error").textContent(), /robot\.xml:12: unknown attribute 'sise'/);
  socket.send(JSON.stringify({ type: "stage", stage }));
  await page.locator(".notice.error").waitFor({ state: "detached" });
  sendFrame(9, 0.2);
  await shownStep(9);
});

test("what makes no sense is shown, and the page goes on", async () => {
  const strange = packFrame({ track: 3, time: 0, step: 1, poses: [] });
  for (const nonsense of ["{", '{"type": "dance"}', Buffer.from("STKF and too short"), strange]) socket.send(nonsense);
  await page.locator(".notice.error").first().waitFor();
  sendFrame(10, 0.3);
  await shownStep(10);
});

test("there was no complaint, and a lost connection comes back by itself", async () => {
  assert.deepEqual(page.complaints, []);
  socket.terminate();
  await page.waitForFunction(() => document.getElementById("connection").dataset.state === "lost");
  await page.waitForFunction(() => document.getElementById("connection").dataset.state === "connected");
  await shownStep(0);
});

test("a recording is served in three parts", async () => {
  const parts = [];
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, "http://x");
    parts.push(pathname);
    const [type, body] = {
      "/": ["text/html", readFileSync(kViewer)],
      "/stage": ["application/json", JSON.stringify(dropStage())],
      "/track/0": ["application/octet-stream", dropTrack()],
    }[pathname];
    response.writeHead(200, { "content-type": type }).end(body);
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const small = { viewport: { width: 480, height: 300 } };
  const served = await browser.open(`http://127.0.0.1:${server.address().port}/?token=${kToken}`, small);
  assert.deepEqual(parts, ["/", "/stage", "/track/0"]);
  assert.equal((await state(served)).tracks[0].poses[1][6], kDrop.height);
  assert.deepEqual(served.complaints, []);
  server.close();
});
