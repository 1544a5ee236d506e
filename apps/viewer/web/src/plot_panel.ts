// Which plots there are, what each shows, and the list of those on the page.

import type { Comparison } from "./compare";
import { element, section } from "./dom";
import { Plot, type PlotContent, type PlotLine } from "./plots";
import type { Stage } from "./protocol";
import { kEnergies, type Series, type Source } from "./sources";

export interface PlotData {
  stage: Stage;
  sources: readonly Source[];
  comparison: Comparison | null;
  picked: number;
  live: boolean;
}

const kLineColours = ["#2a78d6", "#e8743b", "#17a67c", "#9560d3"];
const kLiveWindow = 15; // s that a live plot shows

interface Kind {
  id: string;
  title: string;
  unit: string;
  log?: boolean;
  series?: string; // key of one series of each track
}

const kKinds: Kind[] = [
  { id: "energy", title: "Energy", unit: "J" },
  { id: "residual", title: "Residual of the contact solver", unit: "", log: true, series: "residual" },
  { id: "iterations", title: "Iterations", unit: "", series: "iterations" },
  { id: "contact_force", title: "Contact force, sum of sizes", unit: "N", series: "contact_force" },
  { id: "contact_count", title: "Contacts", unit: "", series: "contact_count" },
  { id: "deepest", title: "Deepest overlap", unit: "m", series: "deepest" },
  { id: "body_force", title: "Contact force on", unit: "N" },
  { id: "body_place", title: "Place of", unit: "m" },
];
const kCompareKinds: Kind[] = [
  { id: "difference", title: "Distance of bodies", unit: "m", log: true },
  { id: "body_difference", title: "Distance of", unit: "m", log: true },
];

function bodyName(data: PlotData): string {
  return data.picked >= 0 ? data.stage.bodies[data.picked].name || `body ${data.picked}` : "the picked body";
}

// All plots that can be chosen: those above, then every value of the tracks by its name.
function kindsOf(data: PlotData): Kind[] {
  const known = new Set([...kEnergies, "residual", "iterations"]);
  const names = [...new Set(data.sources.flatMap((source) => source.valueNames))].filter((name) => !known.has(name));
  const units = new Map<string, string>();
  for (const joint of data.stage.joints) units.set(`joint:${joint.name}`, joint.unit);
  for (const actuator of data.stage.actuators) units.set(`control:${actuator.name}`, actuator.unit);
  for (const sensor of data.stage.sensors) units.set(`sensor:${sensor.name}`, sensor.unit);
  const values = names.map((name) => ({
    id: name,
    title: name,
    unit: units.get(name.replace(/\[\d+\]$/, "")) ?? "",
    series: name,
  }));
  return [...(data.sources.length > 1 ? kCompareKinds : []), ...kKinds, ...values];
}

function isZero(series: Series): boolean {
  for (let i = 0; i < series.length; ++i) if (series.values[i] !== 0) return false;
  return true;
}

function trackLines(data: PlotData, key: string): PlotLine[] {
  return data.sources.flatMap((source) => {
    const series = source.series(key);
    return series === null ? [] : [{ name: data.sources.length > 1 ? source.name : "", colour: source.colour, series }];
  });
}

function differenceLines(data: PlotData, kinds: readonly ("largest" | "rms" | "body")[]): PlotLine[] {
  const lines: PlotLine[] = [];
  for (let k = 1; k < data.sources.length; ++k)
    kinds.forEach((kind, i) => {
      const series = data.comparison?.series(k, kind, data.picked) ?? null;
      if (series === null) return;
      const source = data.sources[k];
      const name = kinds.length > 1 ? `${source.name}, ${kind}` : source.name;
      lines.push({ name, colour: source.colour, series, dashed: i > 0 });
    });
  return lines;
}

function contentOf(kind: Kind, data: PlotData): PlotContent {
  const content = { title: kind.title, unit: kind.unit, log: kind.log ?? false, empty: "no such numbers here" };
  const several = data.sources.length > 1;
  const needsBody = kind.id.startsWith("body_");
  if (needsBody) content.title = `${kind.title} ${bodyName(data)}`;
  if (needsBody && data.picked < 0) return { ...content, lines: [], empty: "click a body" };
  if (kind.series !== undefined) return { ...content, lines: trackLines(data, kind.series) };
  switch (kind.id) {
    case "energy": {
      if (several) return { ...content, title: "Energy, total", lines: trackLines(data, "energy") };
      const named = (key: string, name: string, i: number) =>
        trackLines(data, key).map((line) => ({ ...line, name, colour: kLineColours[i] }));
      return {
        ...content,
        lines: [
          ...named("energy", "total", 0),
          ...kEnergies.flatMap((key, i) => named(key, key, i + 1)).filter((line) => data.live || !isZero(line.series)),
        ],
      };
    }
    case "body_force":
      return { ...content, lines: trackLines(data, `force:${data.picked}`) };
    case "body_place":
      if (several) return { ...content, title: `Height of ${bodyName(data)}`, lines: trackLines(data, `z:${data.picked}`) };
      return {
        ...content,
        lines: ["x", "y", "z"].flatMap((axis, i) =>
          trackLines(data, `${axis}:${data.picked}`).map((line) => ({ ...line, name: axis, colour: kLineColours[i] })),
        ),
      };
    case "difference":
      content.title = `${kind.title} from ${data.sources[0].name}`;
      return { ...content, lines: differenceLines(data, ["largest", "rms"]) };
    default:
      return { ...content, lines: differenceLines(data, ["body"]) };
  }
}

export class PlotPanel {
  readonly root: HTMLDetailsElement;
  onSeek: (t: number) => void = () => undefined;
  private readonly list = element("div", { class: "plots" });
  private readonly chooser = element("select", { "aria-label": "Add a plot" });
  private plots: Plot[] = [];
  private data: PlotData | null = null;
  private lastTime = 0;

  constructor() {
    this.root = section("Plots", "plots", true, this.list, this.chooser);
    this.chooser.addEventListener("change", () => {
      this.add(this.chooser.value);
      this.chooser.value = "";
      this.draw();
      this.setTime(this.lastTime);
    });
    new ResizeObserver(() => {
      this.draw();
      this.setTime(this.lastTime);
    }).observe(this.list);
    this.root.addEventListener("toggle", () => {
      this.draw();
    });
  }

  get ids(): string[] {
    return this.plots.map((plot) => plot.id);
  }

  setData(data: PlotData, ids: string[] | null): void {
    const before = this.data;
    this.data = data;
    if (before === null || before.sources.length !== data.sources.length || ids !== null) {
      const standard =
        data.sources.length > 1
          ? ["difference", "residual", "energy", "body_difference"]
          : ["energy", "residual", "contact_force", "iterations"];
      for (const plot of [...this.plots]) this.remove(plot);
      for (const id of ids ?? standard) this.add(id);
    }
    this.updateChooser();
    this.draw();
  }

  add(id: string): boolean {
    if (this.data === null || this.ids.includes(id)) return false;
    if (!kindsOf(this.data).some((kind) => kind.id === id)) return false;
    const plot = new Plot(id, () => {
      this.remove(plot);
      this.updateChooser();
    });
    plot.onSeek = (t) => {
      this.onSeek(t);
    };
    this.plots.push(plot);
    this.list.append(plot.root);
    this.updateChooser();
    return true;
  }

  draw(): void {
    const { data } = this;
    if (data === null || !this.root.open) return;
    const kinds = kindsOf(data);
    for (const plot of this.plots) {
      const kind = kinds.find((candidate) => candidate.id === plot.id);
      if (kind === undefined) continue;
      const content = contentOf(kind, data);
      plot.setContent(content);
      let [from, to] = [Infinity, -Infinity];
      for (const { series } of content.lines) {
        if (series.length === 0) continue;
        from = Math.min(from, series.time[0]);
        to = Math.max(to, series.time[series.length - 1]);
      }
      if (!(from <= to)) [from, to] = [0, 1];
      plot.draw(data.live ? Math.max(from, to - kLiveWindow) : from, to);
    }
  }

  setTime(t: number): void {
    this.lastTime = t;
    if (this.root.open) for (const plot of this.plots) plot.setTime(t);
  }

  private remove(plot: Plot): void {
    this.plots = this.plots.filter((other) => other !== plot);
    plot.root.remove();
  }

  private updateChooser(): void {
    if (this.data === null) return;
    const free = kindsOf(this.data).filter((kind) => !this.ids.includes(kind.id));
    this.chooser.replaceChildren(
      element("option", { value: "" }, "Add a plot ..."),
      ...free.map((kind) => element("option", { value: kind.id }, kind.title.replace(/ (on|of)$/, " $1 the picked body"))),
    );
  }
}
