// The connection to a live simulation: it comes back by itself, and nothing that arrives can break the page.

import { parseFrame, type Moment } from "./moment";
import { BadData, parseMessage, type Stage, type Status } from "./protocol";

export type Command =
  | { do: "run" | "pause" | "back" | "drop" }
  | { do: "step"; count: number }
  | { do: "reset"; keyframe?: string }
  | { do: "speed"; value: number }
  | { do: "set"; what: "formulation" | "scheme"; value: string; track?: number }
  | { do: "set"; what: "h" | "friction" | "stiffness"; value: number }
  | { do: "set"; what: "gravity"; value: number[] }
  | { do: "joint" | "control"; name: string; value: number }
  | { do: "drag"; body: number; point: number[]; to: number[] };

export interface LiveListener {
  stageArrived(stage: Stage): void;
  statusArrived(status: Status): void;
  errorArrived(message: string): void;
  frameArrived(track: number, moment: Moment): void;
  connectionChanged(state: "connecting" | "connected" | "lost"): void;
}

const kFirstWait = 500; // ms until a lost connection is tried again
const kLongestWait = 5000; // ms

export class LiveConnection {
  private socket: WebSocket | null = null;
  private wait = kFirstWait;

  constructor(
    private readonly address: string,
    private readonly listener: LiveListener,
  ) {
    this.connect();
  }

  send(command: Command): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(command));
  }

  private connect(): void {
    this.listener.connectionChanged("connecting");
    const socket = new WebSocket(this.address);
    socket.binaryType = "arraybuffer";
    this.socket = socket;
    socket.addEventListener("open", () => {
      this.wait = kFirstWait;
      this.listener.connectionChanged("connected");
    });
    socket.addEventListener("message", (event: MessageEvent<string | ArrayBuffer>) => {
      this.receive(event.data);
    });
    socket.addEventListener("close", () => {
      this.listener.connectionChanged("lost");
      setTimeout(() => {
        this.connect();
      }, this.wait);
      this.wait = Math.min(2 * this.wait, kLongestWait);
    });
  }

  private receive(data: string | ArrayBuffer): void {
    try {
      if (typeof data !== "string") {
        const { track, moment } = parseFrame(data);
        this.listener.frameArrived(track, moment);
        return;
      }
      const message = parseMessage(data);
      if (message.type === "stage") this.listener.stageArrived(message.stage);
      else if (message.type === "status") this.listener.statusArrived(message.status);
      else this.listener.errorArrived(message.message);
    } catch (error) {
      if (!(error instanceof BadData)) throw error;
      this.listener.errorArrived(error.message);
    }
  }
}
