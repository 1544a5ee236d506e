// The clock of a recording: all tracks are shown at the same time.

import type { RecordedSource } from "./sources";

export class Player {
  time = 0; // s
  playing = false;

  constructor(
    readonly sources: readonly RecordedSource[],
    private readonly repeats: () => boolean,
  ) {
    this.time = this.start;
  }

  get start(): number {
    return Math.min(...this.sources.map((source) => source.track.time[0]));
  }

  get end(): number {
    return Math.max(...this.sources.map((source) => source.track.duration));
  }

  // The frame of the first track, by which one steps.
  get frame(): number {
    return this.sources[0].track.frameAt(this.time + 1e-9);
  }

  get frames(): number {
    return this.sources[0].track.frames;
  }

  play(): void {
    if (this.time >= this.end) this.seek(this.start);
    this.playing = true;
  }

  pause(): void {
    this.playing = false;
  }

  seek(t: number): void {
    this.time = Math.min(Math.max(t, this.start), this.end);
    for (const source of this.sources) source.track.momentAt(this.time, source.moment);
  }

  // To the nearest recorded frame, where poses are as they were and not between two.
  seekFrame(t: number): void {
    const { track } = this.sources[0];
    this.seek(track.time[track.nearestFrame(t)]);
  }

  step(count: number): void {
    this.pause();
    const { track } = this.sources[0];
    const frame = Math.min(Math.max(this.frame + count, 0), track.frames - 1);
    this.seek(track.time[frame]);
  }

  // Lets `seconds` of the recording pass.
  advance(seconds: number): void {
    if (!this.playing) return;
    let t = this.time + seconds;
    if (t >= this.end) {
      if (this.repeats()) t = this.start;
      else this.pause();
    }
    this.seek(t);
  }
}
