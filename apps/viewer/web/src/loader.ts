// Where the data come from: inside the page, from the server that sent the page, or from nowhere.

import { BadData, bytesOfBase64, parseJson, parseStage, type Stage } from "./protocol";
import { kTrackColours, RecordedSource } from "./sources";
import { Track } from "./track";

export type Loaded =
  | { kind: "recording"; stage: Stage; sources: RecordedSource[] }
  | { kind: "live"; address: string }
  | { kind: "nothing" };

function scriptText(id: string): string | null {
  return document.getElementById(id)?.textContent.trim() ?? null;
}

export function trackName(stage: Stage, k: number): { name: string; colour: string } {
  const info = stage.tracks[k] as Stage["tracks"][number] | undefined;
  const standard = kTrackColours[k % kTrackColours.length];
  return { name: info?.name ?? `track ${k + 1}`, colour: info?.colour ?? standard };
}

async function unpack(stage: Stage, packed: readonly Uint8Array<ArrayBuffer>[]): Promise<Loaded> {
  const tracks = await Promise.all(packed.map((bytes) => Track.unpack(bytes)));
  if (tracks.length === 0) throw new BadData("There is a stage, but no track: nothing to show");
  const sources = tracks.map((track, k) => {
    if (track.bodyCount !== stage.bodies.length)
      throw new BadData(`Track ${k} has ${track.bodyCount} bodies, but the stage has ${stage.bodies.length}`);
    const { name, colour } = trackName(stage, k);
    return new RecordedSource(track, name, colour);
  });
  return { kind: "recording", stage, sources };
}

function loadFromPage(text: string): Promise<Loaded> {
  const stage = parseStage(parseJson(text, "The stage in this file"));
  const packed: Uint8Array<ArrayBuffer>[] = [];
  for (;;) {
    const id = `stiction-track-${packed.length}`;
    const track = scriptText(id);
    if (track === null) break;
    packed.push(bytesOfBase64(track, id));
  }
  return unpack(stage, packed);
}

async function loadFromServer(): Promise<Loaded> {
  const { search, host, protocol } = window.location;
  const address = `${protocol === "https:" ? "wss" : "ws"}://${host}/live${search}`;
  const answer = await fetch(`stage${search}`);
  if (!answer.ok || !(answer.headers.get("content-type") ?? "").includes("json"))
    return new URLSearchParams(search).has("token") ? { kind: "live", address } : { kind: "nothing" };
  const stage = parseStage(parseJson(await answer.text(), "The stage that the server sent"));
  if (stage.live) return { kind: "live", address };
  const packed = await Promise.all(
    Array.from({ length: Math.max(stage.tracks.length, 1) }, async (_, k) => {
      const track = await fetch(`track/${k}${search}`);
      if (!track.ok) throw new BadData(`The server does not give track ${k}: ${track.status} ${track.statusText}`);
      return new Uint8Array(await track.arrayBuffer());
    }),
  );
  return unpack(stage, packed);
}

export async function load(): Promise<Loaded> {
  const text = scriptText("stiction-stage");
  if (text !== null) return loadFromPage(text);
  return window.location.protocol.startsWith("http") ? loadFromServer() : { kind: "nothing" };
}
