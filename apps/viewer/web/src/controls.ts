// The bar below the picture: play, step, scrub, speed.

import { element, formatFixed, icon, iconButton, setIcon, setText } from "./dom";
import type { OptionStore } from "./options";

export interface ClockState {
  live: boolean;
  playing: boolean;
  time: number; // s
  start: number;
  end: number;
  frame: number;
  realTimeFactor: number; // live mode
}

export interface ClockActions {
  toggle(): void;
  step(count: number): void;
  seek(t: number): void;
  reset(): void;
}

export const kSpeeds = [0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 4];

export class Transport {
  private readonly play: HTMLButtonElement;
  private readonly reset: HTMLButtonElement;
  private readonly scrub = element("input", {
    type: "range",
    min: "0",
    max: "1",
    step: "any",
    value: "0",
    id: "scrub",
    "aria-label": "Time",
  });
  private readonly clock = element("output", { id: "clock" });
  private readonly length = element("span", { id: "length" });
  private readonly speed = element("select", { id: "speed", title: "Speed", "aria-label": "Speed" });
  private readonly factor = element("small", { id: "factor" });

  constructor(
    root: HTMLElement,
    actions: ClockActions,
    private readonly options: OptionStore,
  ) {
    this.play = iconButton("play", "Play (space)", () => {
      actions.toggle();
    });
    this.play.id = "play";
    this.reset = iconButton("reset", "To the beginning (backspace)", () => {
      actions.reset();
    });
    const back = iconButton("back", "Step back (left arrow)", () => {
      actions.step(-1);
    });
    back.id = "step-back";
    const forward = iconButton("forward", "Step (right arrow)", () => {
      actions.step(1);
    });
    forward.id = "step";
    this.scrub.addEventListener("input", () => {
      actions.seek(Number(this.scrub.value));
    });
    this.speed.append(...kSpeeds.map((value) => element("option", { value: String(value) }, `${value}\u00d7`)));
    this.speed.addEventListener("change", () => {
      options.setByName("speed", this.speed.value);
    });
    root.append(this.reset, back, this.play, forward, this.scrub, this.clock, this.length, this.factor, this.speed);
  }

  update(state: ClockState): void {
    setIcon(this.play, state.playing ? "pause" : "play", state.playing ? "Pause (space)" : "Play (space)");
    this.scrub.hidden = state.live;
    if (!state.live) {
      this.scrub.min = String(state.start);
      this.scrub.max = String(state.end);
      this.scrub.value = String(state.time);
      const part = (state.time - state.start) / Math.max(state.end - state.start, 1e-12);
      this.scrub.style.setProperty("--part", `${(100 * part).toFixed(2)}%`);
    }
    const decimals = state.end - state.start < 100 || state.live ? 3 : 2;
    setText(this.clock, `${formatFixed(state.time, decimals)}${state.live ? " s" : ""}`);
    setText(this.length, state.live ? "" : `/ ${formatFixed(state.end, decimals)} s`);
    const fast = state.live && state.playing && state.realTimeFactor > 0;
    setText(this.factor, fast ? `${formatFixed(state.realTimeFactor, 2)}\u00d7 real time` : "");
    const speed = this.options.get("speed");
    if (!kSpeeds.includes(speed) && this.speed.querySelector(`[value="${speed}"]`) === null)
      this.speed.append(element("option", { value: String(speed) }, `${speed}\u00d7`));
    this.speed.value = String(speed);
  }
}

export interface TopActions {
  help(): void;
  theme(): void;
  picture(): void;
  video(): void;
  panel(): void;
}

// The line above the picture: name, tracks, state of the connection, and buttons.
export class TopBar {
  private readonly title = element("h1");
  private readonly tracks = element("div", { id: "tracks" });
  private readonly connection = element("span", { id: "connection", hidden: "" });
  private readonly video: HTMLButtonElement;

  constructor(root: HTMLElement, actions: TopActions) {
    this.video = iconButton("video", "Record a video (v)", () => {
      actions.video();
    });
    root.append(
      element("div", { class: "names" }, this.title, this.tracks, this.connection),
      element(
        "nav",
        {},
        iconButton("camera", "Save a picture (p)", () => {
          actions.picture();
        }),
        this.video,
        iconButton("theme", "Light or dark (d)", () => {
          actions.theme();
        }),
        iconButton("help", "Keys (?)", () => {
          actions.help();
        }),
        iconButton("panel", "Panel (tab)", () => {
          actions.panel();
        }),
      ),
    );
  }

  setNames(title: string, tracks: readonly { name: string; colour: string }[]): void {
    setText(this.title, title);
    this.tracks.replaceChildren(
      ...tracks.map((track) => element("span", { style: `--colour: ${track.colour}` }, element("i"), track.name)),
    );
  }

  setConnection(state: "connecting" | "connected" | "lost" | null): void {
    this.connection.hidden = state === null;
    if (state === null) return;
    this.connection.dataset.state = state;
    const texts = { connecting: "connecting", connected: "live", lost: "connection lost, trying again" };
    setText(this.connection, texts[state]);
  }

  setRecording(on: boolean): void {
    setIcon(this.video, on ? "stop" : "video", on ? "End the video (v)" : "Record a video (v)");
    this.video.classList.toggle("recording", on);
  }
}

// Messages over the picture. They stay until they are closed or the cause is gone.
export class Notices {
  constructor(private readonly root: HTMLElement) {}

  show(kind: "error" | "hint", heading: string, text: string): void {
    const known = Array.from(this.root.children).some((child) => child.querySelector("pre")?.textContent === text);
    if (known) return;
    const close = element("button", { type: "button", class: "icon small", title: "Close" }, icon("close"));
    const notice = element(
      "div",
      { class: `notice ${kind}` },
      element("strong", {}, heading),
      element("pre", {}, text),
      close,
    );
    close.addEventListener("click", () => {
      notice.remove();
    });
    while (this.root.children.length > 2) this.root.firstElementChild?.remove();
    this.root.append(notice);
  }

  clear(): void {
    this.root.replaceChildren();
  }
}
