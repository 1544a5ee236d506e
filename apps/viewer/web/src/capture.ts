// Pictures and videos of the canvas, saved as files.

import { element } from "./dom";

export function save(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  element("a", { href: address, download: name }).click();
  setTimeout(() => {
    URL.revokeObjectURL(address);
  }, 10_000);
}

// The canvas must have been drawn in the same task: its buffer is not kept.
export function savePicture(canvas: HTMLCanvasElement, name: string): void {
  canvas.toBlob((blob) => {
    if (blob !== null) save(blob, `${name}.png`);
  }, "image/png");
}

const kTypes = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm", "video/mp4"];
const kBitsPerSecond = 12e6;

export class VideoCapture {
  private recorder: MediaRecorder | null = null;

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly onChange: (recording: boolean) => void,
  ) {}

  get recording(): boolean {
    return this.recorder !== null;
  }

  // Returns false where the browser cannot record.
  toggle(name: string): boolean {
    if (this.recorder !== null) {
      this.recorder.stop();
      return true;
    }
    const type = typeof MediaRecorder === "undefined" ? undefined : kTypes.find((one) => MediaRecorder.isTypeSupported(one));
    if (type === undefined) return false;
    const parts: Blob[] = [];
    const recorder = new MediaRecorder(this.canvas.captureStream(60), {
      mimeType: type,
      videoBitsPerSecond: kBitsPerSecond,
    });
    recorder.addEventListener("dataavailable", (event) => parts.push(event.data));
    recorder.addEventListener("stop", () => {
      this.recorder = null;
      this.onChange(false);
      save(new Blob(parts, { type }), `${name}.${type.startsWith("video/mp4") ? "mp4" : "webm"}`);
    });
    recorder.start(500);
    this.recorder = recorder;
    this.onChange(true);
    return true;
  }
}
