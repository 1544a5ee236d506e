// The page as a whole: it holds the parts together and draws when something changed.

import { readAddress, type Address } from "./address";
import { savePicture, VideoCapture } from "./capture";
import type { ViewName } from "./cameras";
import { Comparison } from "./compare";
import { Notices, TopBar, Transport } from "./controls";
import { DisplayPanel } from "./display_panel";
import { byId, element, icon } from "./dom";
import { Pointer } from "./drag";
import { Help } from "./help";
import { Inspector } from "./inspector";
import { bindKeys } from "./keys";
import { Labels } from "./labels";
import { LiveMode } from "./live_mode";
import type { Loaded } from "./loader";
import { kPose } from "./moment";
import { OptionStore, type OptionName } from "./options";
import { Player } from "./player";
import { PlotPanel } from "./plot_panel";
import type { Stage } from "./protocol";
import type { Source } from "./sources";
import { StageView } from "./stage";
import { welcome } from "./welcome";

const kSlowInterval = 100; // ms between updates of numbers while the picture moves
const kLivePlotInterval = 200; // ms
const kTimings = 120; // pictures of which the time is remembered

// Names of options that change only where things are, or the interface.
const kWithoutLook: OptionName[] = ["speed", "loop", "follow", "ui", "contacts", "forces", "cones", "pressure", "forceScale"];

// A scene that comes from a file has its path as a name: the file and its folder say enough.
function shortName(name: string): string {
  return name.split("/").slice(-2).join("/");
}

export class Page {
  readonly options = new OptionStore();
  readonly errors: string[] = [];
  readonly view: StageView;
  readonly manual: boolean;
  sources: readonly Source[] = [];
  stage: Stage | null = null;
  picked = -1;
  player: Player | null = null;
  pictures = 0;

  comparison: Comparison | null = null;
  readonly notices = new Notices(byId("notices"));
  readonly top: TopBar;

  private live: LiveMode | null = null;
  private readonly canvas = byId("canvas") as HTMLCanvasElement;
  private readonly help = new Help();
  private readonly transport: Transport;
  private readonly inspector = new Inspector();
  private readonly plots = new PlotPanel();
  private readonly display: DisplayPanel;
  private readonly labels = new Labels(byId("labels"));
  private readonly video: VideoCapture;
  private readonly pointer: Pointer;
  private readonly bigPlay: HTMLButtonElement;
  private readonly systemTheme = window.matchMedia("(prefers-color-scheme: dark)");
  private opened = false;
  private changed = true;
  private lastTick = 0;
  private lastSlow = 0;
  private lastLivePlot = 0;
  private readonly timings: number[] = [];
  private address: Address;

  constructor() {
    this.address = readAddress(window.location.hash);
    this.manual = this.address.manual;
    for (const [name, value] of this.address.options) this.options.setByName(name, value);
    this.view = new StageView(this.canvas, this.options, this.manual);
    const clock = {
      toggle: () => {
        this.togglePlay();
      },
      step: (count: number) => {
        this.step(count);
      },
      seek: (t: number) => {
        this.player?.seekFrame(t);
        this.invalidate();
      },
      reset: () => {
        this.reset();
      },
    };
    const actions = {
      ...clock,
      toEnd: () => {
        this.player?.seek(this.player.end);
        this.invalidate();
      },
      look: (view: ViewName) => {
        this.look(view);
      },
      help: () => {
        this.help.toggle();
      },
      theme: () => {
        this.options.set("theme", this.dark ? "light" : "dark");
      },
      panel: () => {
        document.body.classList.toggle("panel-closed");
        document.body.classList.toggle("panel-open");
      },
      picture: () => {
        this.draw();
        savePicture(this.canvas, this.fileName());
      },
      video: () => {
        if (!this.video.toggle(this.fileName())) this.tell("hint", "No video", "This browser cannot record a canvas.");
      },
      unpick: () => {
        this.options.set("follow", false);
        this.pick(-1);
      },
    };
    this.top = new TopBar(byId("top"), actions);
    this.transport = new Transport(byId("transport"), clock, this.options);
    this.display = new DisplayPanel(this.options, (view) => {
      this.look(view);
    });
    this.video = new VideoCapture(this.canvas, (recording) => {
      this.top.setRecording(recording);
    });
    this.bigPlay = element("button", { type: "button", id: "big-play", "aria-label": "Play", hidden: "" }, icon("play"));
    this.bigPlay.addEventListener("click", clock.toggle);
    byId("view").append(this.bigPlay);
    byId("panel").append(this.display.root, this.inspector.root, this.plots.root);
    this.pointer = new Pointer(this.canvas, this.view, {
      sources: () => this.sources,
      live: () => this.live !== null,
      movable: (body) => this.stage?.bodies[body].moves ?? false,
      pick: (body) => {
        this.pick(body);
      },
      lookAt: (point) => {
        this.view.cameras.set({ target: point });
        this.invalidate();
      },
      pull: (body, point, to) => {
        this.live?.send({ do: "drag", body, point, to });
        this.invalidate();
      },
      drop: () => {
        this.live?.send({ do: "drop" });
        this.invalidate();
      },
    });
    bindKeys(actions, this.options);
    this.inspector.onPick = (body) => {
      this.pick(body);
    };
    this.plots.onSeek = clock.seek;
    this.listen();
  }

  private listen(): void {
    this.options.onChange((name) => {
      this.optionChanged(name);
    });
    this.systemTheme.addEventListener("change", () => {
      this.applyLook();
    });
    this.view.cameras.controls.addEventListener("change", () => {
      this.invalidate();
    });
    new ResizeObserver(() => {
      this.resize();
    }).observe(byId("view"));
    window.addEventListener("hashchange", () => {
      this.address = readAddress(window.location.hash);
      for (const [name, value] of this.address.options) this.options.setByName(name, value);
      this.applyAddress();
    });
    window.addEventListener("error", (event) => {
      this.fail("The page met an error", event.message);
    });
    window.addEventListener("unhandledrejection", (event) => {
      const reason: unknown = event.reason;
      this.fail("The page met an error", reason instanceof Error ? reason.message : String(reason));
    });
    this.resize();
  }

  // Takes over what was loaded.
  open(loaded: Loaded): void {
    byId("loading").hidden = true;
    if (loaded.kind === "nothing") {
      document.body.classList.add("empty");
      byId("view").append(welcome());
    } else if (loaded.kind === "recording") {
      this.player = new Player(loaded.sources, () => this.options.get("loop"));
      this.show(loaded.stage, loaded.sources, true);
      this.bigPlay.hidden = this.manual || this.address.time !== null || this.player.frames < 2;
    } else {
      this.live = new LiveMode(this, loaded.address);
      byId("panel").prepend(this.live.panel.root);
      document.body.classList.add("live");
    }
    this.optionChanged("ui");
    this.applyLook();
    this.applyAddress();
    this.opened = true;
    this.draw();
    if (this.manual) return;
    requestAnimationFrame((now) => {
      this.tick(now);
    });
  }

  show(stage: Stage, sources: readonly Source[], moveCamera: boolean): void {
    this.stage = stage;
    this.sources = sources;
    this.picked = -1;
    document.title = `${shortName(stage.name)} \u00b7 Stiction`;
    this.comparison = sources.length > 1 ? new Comparison(stage.bodies, sources) : null;
    this.view.setStage(stage, sources);
    if (moveCamera) this.view.cameras.look("home");
    this.showNames();
    this.display.setTracks(sources.length);
    this.inspector.setStage(stage);
    this.applyLook();
    this.updatePlots(this.address.plots);
  }

  showNames(): void {
    if (this.stage !== null) this.top.setNames(shortName(this.stage.name), this.sources);
  }

  // --- what users do

  get isLive(): boolean {
    return this.live !== null;
  }

  get playing(): boolean {
    return this.player?.playing ?? this.live?.running ?? false;
  }

  get time(): number {
    return this.player?.time ?? (this.sources.length > 0 ? this.sources[0].moment.time : 0);
  }

  togglePlay(): void {
    if (this.playing) this.pause();
    else this.play();
  }

  play(): void {
    this.bigPlay.hidden = true;
    this.player?.play();
    this.live?.send({ do: "run" });
    this.invalidate();
  }

  pause(): void {
    this.player?.pause();
    this.live?.send({ do: "pause" });
    this.invalidate();
  }

  step(count: number): void {
    this.bigPlay.hidden = true;
    this.player?.step(count);
    this.live?.step(count);
    this.invalidate();
  }

  reset(): void {
    this.player?.seek(this.player.start);
    this.live?.send({ do: "reset" });
    this.invalidate();
  }

  look(view: ViewName): void {
    this.view.cameras.look(view);
    this.invalidate();
  }

  pick(body: number): void {
    if (this.stage === null) return;
    this.picked = body >= 0 && body < this.stage.bodies.length ? body : -1;
    if (this.picked >= 0) this.live?.watch(this.picked);
    this.view.pick(this.picked, this.sources);
    this.updatePlots(null);
    this.lastSlow = -Infinity;
    this.invalidate();
  }

  // A body by its name or number; -1 where there is none.
  findBody(what: string | number | null): number {
    if (what === null || this.stage === null) return -1;
    const named = this.stage.bodies.findIndex((body) => body.name === what);
    if (named >= 0) return named;
    const index = Number(what);
    return Number.isInteger(index) && index >= 0 && index < this.stage.bodies.length ? index : -1;
  }

  fail(heading: string, message: string): void {
    byId("loading").hidden = true;
    if (!this.errors.includes(message)) this.errors.push(message);
    this.notices.show("error", heading, message);
  }

  tell(kind: "error" | "hint", heading: string, message: string): void {
    this.notices.show(kind, heading, message);
  }

  get plotIds(): string[] {
    return this.plots.ids;
  }

  addPlot(id: string): boolean {
    const added = this.plots.add(id);
    this.updatePlots(null);
    return added;
  }

  // --- drawing

  // Times of script and submission of the last pictures, in ms: the one below which a part of them lies.
  scriptMs(part: number): number {
    const sorted = [...this.timings].sort((a, b) => a - b);
    return sorted.length > 0 ? sorted[Math.floor(part * (sorted.length - 1))] : 0;
  }

  invalidate(): void {
    this.changed = true;
  }

  draw(): void {
    const begin = performance.now();
    this.changed = false;
    if (this.stage !== null && this.sources.length > 0) {
      const followed = this.options.get("follow") && this.picked >= 0;
      this.view.cameras.follow(followed ? this.view.placeOf(this.picked, this.sources[0]) : null);
      const spring = this.pointer.spring();
      this.view.setSpring(spring?.track ?? 0, spring?.from ?? null, spring?.to ?? null);
      this.view.render(this.sources);
      this.labels.update(this.view, this.stage, this.sources, this.options.get("names"));
      this.updateNumbers(begin);
    }
    ++this.pictures;
    this.timings.push(performance.now() - begin);
    if (this.timings.length > kTimings) this.timings.shift();
  }

  private updateNumbers(now: number): void {
    const { player } = this;
    this.transport.update({
      live: this.isLive,
      playing: this.playing,
      time: this.time,
      start: player?.start ?? 0,
      end: player?.end ?? 0,
      frame: player?.frame ?? 0,
      realTimeFactor: this.live?.realTimeFactor ?? NaN,
    });
    if (this.isLive && now - this.lastLivePlot > kLivePlotInterval) {
      this.lastLivePlot = now;
      this.plots.draw();
    }
    // Numbers that change sixty times a second cannot be read.
    if (this.playing && now - this.lastSlow < kSlowInterval) return;
    this.lastSlow = now;
    this.plots.setTime(this.time);
    this.inspector.update(this.picked, this.sources);
    this.live?.panel.update(this.sources[0]);
  }

  private tick(now: number): void {
    const passed = this.lastTick > 0 ? (now - this.lastTick) / 1000 : 0;
    this.lastTick = now;
    if (this.player?.playing === true) {
      // A page that was hidden goes on where it was.
      this.player.advance(Math.min(passed, 0.25) * this.options.get("speed"));
      this.changed = true;
    }
    if (this.view.cameras.update()) this.changed = true;
    if (this.changed) this.draw();
    requestAnimationFrame((next) => {
      this.tick(next);
    });
  }

  private resize(): void {
    const { clientWidth, clientHeight } = byId("view");
    this.view.resize(clientWidth, clientHeight);
    // A canvas that was resized is empty until it is drawn.
    if (this.opened) this.draw();
  }

  get dark(): boolean {
    const theme = this.options.get("theme");
    return theme === "dark" || (theme === "auto" && this.systemTheme.matches);
  }

  private applyLook(): void {
    document.documentElement.dataset.theme = this.dark ? "dark" : "light";
    this.view.applyOptions(this.sources, this.dark);
    this.plots.draw();
    this.invalidate();
  }

  private optionChanged(name: OptionName): void {
    if (name === "ui" || name === "layout")
      document.body.classList.toggle("side-by-side", this.options.get("layout") === "side");
    if (name === "ui") document.body.classList.toggle("bare", !this.options.get("ui"));
    if (name === "speed") this.live?.chooseSpeed(this.options.get("speed"));
    if (!kWithoutLook.includes(name)) this.applyLook();
    this.invalidate();
  }

  private updatePlots(ids: string[] | null): void {
    if (this.stage === null) return;
    const { stage, sources, comparison, picked } = this;
    this.plots.setData({ stage, sources, comparison, picked, live: this.isLive }, ids);
    this.plots.setTime(this.time);
  }

  applyAddress(): void {
    const { address } = this;
    if (this.stage === null) return;
    if (address.view !== null) this.view.cameras.look(address.view);
    if (address.camera !== null) this.view.cameras.set(address.camera);
    if (address.picked !== null) this.pick(this.findBody(address.picked));
    if (address.time !== null) this.player?.seek(address.time);
    if (address.play) this.play();
    this.invalidate();
  }

  private fileName(): string {
    return `${shortName(this.stage?.name ?? "stiction")}-${this.time.toFixed(3)}s`.replace(/[^\w.-]+/g, "_");
  }

  poseOf(track: number, body: number): number[] {
    return Array.from(this.sources[track].moment.poses.subarray(kPose * body, kPose * (body + 1)));
  }
}
