// The page while it shows a live simulation: what the server says goes to the page, what users do goes to the server.

import { LiveConnection, type Command, type LiveListener } from "./live";
import { LivePanel } from "./live_panel";
import { trackName } from "./loader";
import type { Moment } from "./moment";
import type { Page } from "./page";
import type { Stage, Status } from "./protocol";
import { LiveSource } from "./sources";

const kSpeedGrace = 1500; // ms in which the server's speed does not overrule the one just chosen

export class LiveMode implements LiveListener {
  readonly panel: LivePanel;
  private readonly connection: LiveConnection;
  private status: Status | null = null;
  private sources: LiveSource[] = [];
  private speedChosen = -Infinity;
  private hadProblem = false; // the last status told an error

  constructor(
    private readonly page: Page,
    address: string,
  ) {
    this.panel = new LivePanel((command) => {
      this.send(command);
    });
    this.connection = new LiveConnection(address, this);
  }

  get running(): boolean {
    return this.status?.running ?? false;
  }

  get realTimeFactor(): number {
    return this.status?.realTimeFactor ?? NaN;
  }

  send(command: Command): void {
    this.connection.send(command);
  }

  step(count: number): void {
    if (count > 0) this.send({ do: "step", count });
    else for (let i = 0; i < -count; ++i) this.send({ do: "back" });
  }

  chooseSpeed(speed: number): void {
    if (this.status?.speed === speed) return;
    this.speedChosen = performance.now();
    this.send({ do: "speed", value: speed });
  }

  watch(body: number): void {
    for (const source of this.sources) source.watch(body);
  }

  stageArrived(stage: Stage): void {
    const { page } = this;
    const again = page.stage !== null && page.stage.name === stage.name;
    const picked = page.stage !== null && page.picked >= 0 ? page.stage.bodies[page.picked].name : null;
    this.sources = Array.from({ length: Math.max(stage.tracks.length, 1) }, (_, k) => {
      const { name, colour } = trackName(stage, k);
      return new LiveSource(stage, name, colour);
    });
    page.notices.clear();
    page.show(stage, this.sources, !again);
    this.panel.setStage(stage);
    if (picked !== null) page.pick(stage.bodies.findIndex((body) => body.name === picked));
    if (!again) page.applyAddress();
    page.invalidate();
  }

  statusArrived(status: Status): void {
    this.status = status;
    this.panel.setStatus(status);
    if (performance.now() - this.speedChosen > kSpeedGrace && status.speed > 0)
      this.page.options.set("speed", status.speed);
    status.formulation.forEach((name, k) => {
      const source = this.sources[k] as LiveSource | undefined;
      if (source !== undefined) source.name = name;
    });
    this.page.showNames();
    if (status.error !== null) this.errorArrived(status.error);
    else if (this.hadProblem) this.page.notices.clear();
    this.hadProblem = status.error !== null;
    this.page.invalidate();
  }

  frameArrived(track: number, moment: Moment): void {
    const source = this.sources[track] as LiveSource | undefined;
    // A frame of the model before or after the one shown is not for this stage.
    if (source === undefined || moment.poses.length !== source.moment.poses.length) return;
    source.add(moment);
    if (track === this.sources.length - 1) this.page.comparison?.addLive(this.page.picked);
    this.page.invalidate();
  }

  errorArrived(message: string): void {
    this.page.fail("The simulation reports", message);
  }

  connectionChanged(state: "connecting" | "connected" | "lost"): void {
    this.page.top.setConnection(state);
    if (state === "lost") this.status = null;
    this.page.invalidate();
  }
}
