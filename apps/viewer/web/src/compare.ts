// Differences between tracks: distances of the bodies' origins from those of the first track at the same time.

import { kPose, type Moment } from "./moment";
import type { Body } from "./protocol";
import { RecordedSource, type Series, type Source } from "./sources";

export interface Difference {
  largest: number; // m, over the bodies that move
  rms: number; // m
  body: number; // distance of one body, m; NaN where none is asked for
}

function movingBodies(bodies: readonly Body[]): number[] {
  const moving: number[] = [];
  bodies.forEach((body, i) => {
    if (body.moves) moving.push(i);
  });
  return moving;
}

function difference(
  moving: number[],
  picked: number,
  distance: (body: number) => number,
): Difference {
  let largest = 0;
  let squares = 0;
  for (const body of moving) {
    const d = distance(body);
    largest = Math.max(largest, d);
    squares += d * d;
  }
  return {
    largest,
    rms: moving.length > 0 ? Math.sqrt(squares / moving.length) : 0,
    body: picked >= 0 ? distance(picked) : NaN,
  };
}

// The difference of what is shown now.
export function differenceNow(bodies: readonly Body[], a: Moment, b: Moment, picked: number): Difference {
  return difference(movingBodies(bodies), picked, (body) => {
    const at = kPose * body + 4;
    return Math.hypot(
      a.poses[at] - b.poses[at],
      a.poses[at + 1] - b.poses[at + 1],
      a.poses[at + 2] - b.poses[at + 2],
    );
  });
}

type Kind = "largest" | "rms" | "body";

// Differences of two recorded tracks at the times of the second one.
class RecordedDifference {
  private readonly series = new Map<string, Series>();

  constructor(
    private readonly moving: number[],
    private readonly reference: RecordedSource,
    private readonly other: RecordedSource,
  ) {}

  get(kind: Kind, picked: number): Series {
    const key = kind === "body" ? `body:${picked}` : kind;
    const known = this.series.get(key);
    if (known !== undefined) return known;
    this.compute(kind === "body" ? picked : -1);
    return this.series.get(key) as Series;
  }

  private compute(picked: number): void {
    const [a, b] = [this.reference.track, this.other.track];
    const n = b.frames;
    const values: Record<Kind, Float64Array> = {
      largest: new Float64Array(n),
      rms: new Float64Array(n),
      body: new Float64Array(n),
    };
    const [pa, pb] = [new Float64Array(3 * a.bodyCount), new Float64Array(3 * b.bodyCount)];
    for (let frame = 0; frame < n; ++frame) {
      a.positionsAt(a.nearestFrame(b.time[frame]), pa);
      b.positionsAt(frame, pb);
      const now = difference(this.moving, picked, (body) => {
        const at = 3 * body;
        return Math.hypot(pa[at] - pb[at], pa[at + 1] - pb[at + 1], pa[at + 2] - pb[at + 2]);
      });
      for (const kind of ["largest", "rms", "body"] as const) values[kind][frame] = now[kind];
    }
    for (const kind of ["largest", "rms"] as const)
      this.series.set(kind, { time: b.time, values: values[kind], length: n });
    if (picked >= 0) this.series.set(`body:${picked}`, { time: b.time, values: values.body, length: n });
  }
}

// Live simulations in lock step: a sample is added when the frames of all tracks tell the same time.
class LiveDifference {
  private readonly time: number[] = [];
  private readonly values: Record<Kind, number[]> = { largest: [], rms: [], body: [] };
  private picked = -1;

  constructor(
    private readonly moving: number[],
    private readonly reference: Source,
    private readonly other: Source,
  ) {}

  add(picked: number): void {
    const [a, b] = [this.reference.moment, this.other.moment];
    if (a.time !== b.time) return;
    if (picked !== this.picked) this.values.body.fill(NaN);
    this.picked = picked;
    while (this.time.length > 0 && this.time[this.time.length - 1] >= a.time) {
      this.time.pop();
      for (const list of Object.values(this.values)) list.pop();
    }
    const now = difference(this.moving, picked, (body) => {
      const at = kPose * body + 4;
      return Math.hypot(a.poses[at] - b.poses[at], a.poses[at + 1] - b.poses[at + 1], a.poses[at + 2] - b.poses[at + 2]);
    });
    this.time.push(a.time);
    for (const kind of ["largest", "rms", "body"] as const) this.values[kind].push(now[kind]);
    if (this.time.length > 6000) {
      this.time.splice(0, 3000);
      for (const list of Object.values(this.values)) list.splice(0, 3000);
    }
  }

  get(kind: Kind): Series {
    return { time: this.time, values: this.values[kind], length: this.time.length };
  }
}

export class Comparison {
  private readonly recorded: RecordedDifference[] = [];
  private readonly live: LiveDifference[] = [];

  constructor(bodies: readonly Body[], sources: readonly Source[]) {
    const moving = movingBodies(bodies);
    for (const other of sources.slice(1)) {
      const reference = sources[0];
      if (reference instanceof RecordedSource && other instanceof RecordedSource)
        this.recorded.push(new RecordedDifference(moving, reference, other));
      else this.live.push(new LiveDifference(moving, reference, other));
    }
  }

  addLive(picked: number): void {
    for (const one of this.live) one.add(picked);
  }

  // Of track `track` (1 and more) from track 0.
  series(track: number, kind: Kind, picked: number): Series | null {
    if (kind === "body" && picked < 0) return null;
    return this.recorded[track - 1]?.get(kind, picked) ?? this.live[track - 1]?.get(kind) ?? null;
  }
}
