// Plots of numbers against time, each on a small canvas: lines, a logarithmic axis where wanted, and a cursor at the current time.

import { element, formatNumber, icon, setText } from "./dom";
import type { Series } from "./sources";

export interface PlotLine {
  name: string;
  colour: string;
  series: Series;
  dashed?: boolean;
}

export interface PlotContent {
  title: string;
  unit: string;
  log: boolean;
  lines: PlotLine[];
  empty: string; // what to say where there are no lines
}

const kMargin = { left: 46, right: 8, top: 6, bottom: 16 }; // pixels
const kLogFloor = 1e-16; // what zero is drawn as on a logarithmic axis

// The index of the last sample that is not later than t; -1 where there is none.
export function sampleAt(series: Series, t: number): number {
  let low = -1;
  let high = series.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (series.time[middle] <= t) low = middle;
    else high = middle - 1;
  }
  return low;
}

// Round numbers of which about `count` lie in an interval.
export function ticks(low: number, high: number, count: number): number[] {
  const rough = (high - low) / count;
  if (!(rough > 0) || !Number.isFinite(rough)) return [low];
  const power = Math.pow(10, Math.floor(Math.log10(rough)));
  const step = [1, 2, 5, 10].map((k) => k * power).find((candidate) => candidate >= rough * 0.999) ?? rough;
  const first = Math.ceil(low / step - 1e-9);
  const result: number[] = [];
  // + 0: there is no minus zero on an axis
  for (let k = first; k * step <= high + 1e-9 * step; ++k) result.push(k * step + 0);
  return result;
}

function tickLabel(x: number, log: boolean): string {
  if (log) return `1e${Math.round(x)}`.replace("-", "\u2212");
  if (x === 0) return "0";
  const size = Math.abs(x);
  if (size >= 1e5 || size < 1e-3) return x.toExponential(0).replace("e+", "e").replaceAll("-", "\u2212");
  return String(Number(x.toPrecision(4))).replace("-", "\u2212");
}

export class Plot {
  readonly root: HTMLElement;
  onSeek: ((t: number) => void) | null = null;
  private readonly canvas = element("canvas");
  private readonly cursor = element("div", { class: "plot-cursor" });
  private readonly heading = element("span", { class: "plot-title" });
  private readonly legend = element("div", { class: "plot-legend" });
  private readonly area: HTMLElement;
  private values: HTMLElement[] = [];
  private content: PlotContent = { title: "", unit: "", log: false, lines: [], empty: "" };
  private range: [number, number] = [0, 1];
  private width = 0;
  private legendTime = NaN;

  constructor(
    readonly id: string,
    onClose: () => void,
  ) {
    const close = element("button", { type: "button", class: "icon small", title: "Remove this plot" }, icon("close"));
    close.addEventListener("click", onClose);
    this.area = element("div", { class: "plot-area" }, this.canvas, this.cursor);
    this.root = element(
      "figure",
      { class: "plot", "data-plot": id },
      element("figcaption", {}, this.heading, close),
      this.legend,
      this.area,
    );
    const seek = (event: PointerEvent) => {
      if (event.buttons === 0 || this.onSeek === null) return;
      const x = event.clientX - this.canvas.getBoundingClientRect().left;
      const part = (x - kMargin.left) / Math.max(this.width - kMargin.left - kMargin.right, 1);
      this.onSeek(this.range[0] + Math.min(Math.max(part, 0), 1) * (this.range[1] - this.range[0]));
    };
    this.area.addEventListener("pointerdown", (event) => {
      this.area.setPointerCapture(event.pointerId);
      seek(event);
    });
    this.area.addEventListener("pointermove", seek);
  }

  setContent(content: PlotContent): void {
    const names = (of: PlotContent) => of.lines.map((line) => `${line.name}|${line.colour}`).join("\n");
    const same = names(content) === names(this.content) && this.values.length === content.lines.length;
    this.content = content;
    setText(this.heading, content.unit === "" ? content.title : `${content.title} [${content.unit}]`);
    this.legendTime = NaN;
    if (same) return;
    this.values = content.lines.map(() => element("output"));
    this.legend.replaceChildren(
      ...content.lines.map((line, i) =>
        element(
          "span",
          { style: `--colour: ${line.colour}`, class: line.dashed === true ? "dashed" : "" },
          element("i"),
          line.name,
          this.values[i],
        ),
      ),
    );
  }

  // from, to: the times at the ends of the axis
  draw(from: number, to: number): void {
    this.range = [from, Math.max(to, from + 1e-9)];
    this.width = this.area.clientWidth;
    const height = this.area.clientHeight;
    if (this.width === 0 || height === 0) return;
    const ratio = window.devicePixelRatio;
    const [pixelWidth, pixelHeight] = [Math.round(this.width * ratio), Math.round(height * ratio)];
    if (this.canvas.width !== pixelWidth || this.canvas.height !== pixelHeight) {
      this.canvas.width = pixelWidth;
      this.canvas.height = pixelHeight;
    }
    const context = this.canvas.getContext("2d");
    if (context === null) return;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, this.width, height);
    const style = getComputedStyle(this.root);
    const [text, rule] = [style.getPropertyValue("--muted"), style.getPropertyValue("--line")];
    context.font = `10px ${style.fontFamily}`;
    context.fillStyle = text;
    if (this.content.lines.length === 0) {
      context.textAlign = "center";
      context.fillText(this.content.empty, this.width / 2, height / 2);
      return;
    }

    const [low, high] = this.verticalRange();
    const x = (t: number) =>
      kMargin.left + ((t - this.range[0]) / (this.range[1] - this.range[0])) * (this.width - kMargin.left - kMargin.right);
    const y = (value: number) =>
      height - kMargin.bottom - ((value - low) / (high - low)) * (height - kMargin.top - kMargin.bottom);
    context.strokeStyle = rule;
    context.lineWidth = 1;
    context.setLineDash([]);
    context.textAlign = "right";
    context.textBaseline = "middle";
    const marks = this.content.log
      ? ticks(low, high, 3).filter((mark) => Number.isInteger(Math.round(mark * 1e6) / 1e6))
      : ticks(low, high, 3);
    for (const mark of marks) {
      const at = Math.round(y(mark)) + 0.5;
      context.beginPath();
      context.moveTo(kMargin.left, at);
      context.lineTo(this.width - kMargin.right, at);
      context.stroke();
      context.fillText(tickLabel(mark, this.content.log), kMargin.left - 5, at);
    }
    context.textAlign = "center";
    context.textBaseline = "alphabetic";
    for (const mark of ticks(this.range[0], this.range[1], 5))
      context.fillText(tickLabel(mark, false), x(mark), height - 4);
    for (const line of this.content.lines) this.drawLine(context, line, x, y);
  }

  // Moves the cursor and shows the numbers there.
  setTime(t: number): void {
    const part = (t - this.range[0]) / (this.range[1] - this.range[0]);
    const across = kMargin.left + part * (this.width - kMargin.left - kMargin.right);
    this.cursor.style.transform = `translateX(${across.toFixed(1)}px)`;
    this.cursor.hidden = part < 0 || part > 1.001 || this.content.lines.length === 0;
    if (t === this.legendTime) return;
    this.legendTime = t;
    this.content.lines.forEach((line, i) => {
      const at = sampleAt(line.series, t + 1e-9);
      setText(this.values[i], at < 0 ? "" : formatNumber(line.series.values[at]));
    });
  }

  private shown(value: number): number {
    return this.content.log ? Math.log10(Math.max(value, kLogFloor)) : value;
  }

  private verticalRange(): [number, number] {
    let [low, high] = [Infinity, -Infinity];
    for (const { series } of this.content.lines)
      for (let i = Math.max(sampleAt(series, this.range[0]), 0); i < series.length; ++i) {
        if (series.time[i] > this.range[1]) break;
        const raw = series.values[i];
        // Zeros would stretch a logarithmic axis over sixteen powers.
        if (!Number.isFinite(raw) || (this.content.log && raw <= 0)) continue;
        const value = this.shown(raw);
        if (value < low) low = value;
        if (value > high) high = value;
      }
    if (low > high) return this.content.log ? [-12, 0] : [0, 1];
    if (this.content.log) return [Math.floor(low - 0.1), Math.ceil(high + 0.1)];
    if (low === 0 && high === 0) return [0, 1];
    const room = high > low ? 0.06 * (high - low) : Math.max(0.1 * Math.abs(high), 1e-12);
    return [low - room, high + room];
  }

  // Where there are several samples a pixel, their smallest and largest are drawn: no peak is lost.
  private drawLine(
    context: CanvasRenderingContext2D,
    line: PlotLine,
    x: (t: number) => number,
    y: (value: number) => number,
  ): void {
    const { series } = line;
    context.strokeStyle = line.colour;
    context.lineWidth = 1.4;
    context.lineJoin = "round";
    context.setLineDash(line.dashed === true ? [3, 3] : []);
    context.save();
    context.beginPath();
    context.rect(kMargin.left, 0, this.width - kMargin.left - kMargin.right, this.area.clientHeight - kMargin.bottom + 1);
    context.clip();
    context.beginPath();
    let column = -1;
    let [first, low, high, last] = [0, 0, 0, 0];
    let pen = false;
    const flush = () => {
      if (column < 0) return;
      const at = column + 0.5;
      if (pen) context.lineTo(at, first);
      else context.moveTo(at, first);
      pen = true;
      if (high !== low) {
        context.lineTo(at, low);
        context.lineTo(at, high);
        context.lineTo(at, last);
      }
    };
    for (let i = Math.max(sampleAt(series, this.range[0]), 0); i < series.length; ++i) {
      const raw = series.values[i];
      if (!Number.isFinite(raw)) {
        flush();
        column = -1;
        pen = false;
        continue;
      }
      const [at, value] = [Math.floor(x(series.time[i])), y(this.shown(raw))];
      if (at !== column) {
        flush();
        column = at;
        first = low = high = value;
      }
      low = Math.min(low, value);
      high = Math.max(high, value);
      last = value;
      if (series.time[i] > this.range[1]) break;
    }
    flush();
    context.stroke();
    context.restore();
  }
}
