// Numbers of the body that was picked: what it is, where it is, how it moves, what touches it.

import { differenceNow } from "./compare";
import { element, formatFixed, formatNumber, section } from "./dom";
import { kContact, kPose, type Moment } from "./moment";
import type { Stage } from "./protocol";
import { forceOn, type Source } from "./sources";

const kContactRows = 10;

type Vec = [number, number, number];

function vector(values: ArrayLike<number>, decimals: number): string {
  return Array.from(values, (value) => formatFixed(value, decimals)).join("  ");
}

function row(label: string, value: string, unit: string, field: string): HTMLElement {
  return element(
    "div",
    { class: unit === "" ? "row wide" : "row" },
    element("span", {}, label),
    element("output", { "data-field": field }, value),
    element("small", {}, unit),
  );
}

export interface BodyContact {
  other: number;
  force: Vec; // N, on this body
  normal: number; // N
  gap: number; // m
  slides: boolean;
}

// The contacts of a body, the strongest first.
export function contactsOf(body: number, moment: Moment): BodyContact[] {
  const found: BodyContact[] = [];
  for (let i = 0; i < moment.contactCount; ++i) {
    const c = moment.contacts.subarray(kContact * i, kContact * (i + 1));
    if (c[0] !== body && c[1] !== body) continue;
    const side = c[1] === body ? 1 : -1;
    found.push({
      other: c[1] === body ? c[0] : c[1],
      force: [side * c[8], side * c[9], side * c[10]],
      normal: c[8] * c[5] + c[9] * c[6] + c[10] * c[7],
      gap: c[11],
      slides: c[12] > 0.5,
    });
  }
  return found.sort((a, b) => Math.hypot(...b.force) - Math.hypot(...a.force));
}

export class Inspector {
  readonly root: HTMLDetailsElement;
  onPick: (body: number) => void = () => undefined;
  private readonly chooser = element("select", { "aria-label": "Body" });
  private readonly content = element("div", { class: "inspector" });
  private stage: Stage | null = null;

  constructor() {
    this.root = section("Body", "body", true, this.chooser, this.content);
    this.chooser.addEventListener("change", () => {
      this.onPick(Number(this.chooser.value));
    });
  }

  setStage(stage: Stage): void {
    this.stage = stage;
    this.chooser.replaceChildren(
      element("option", { value: "-1" }, "Click a body in the picture, or choose it here"),
      ...stage.bodies.map((body, i) => element("option", { value: String(i) }, body.name || `body ${i}`)),
    );
  }

  update(picked: number, sources: readonly Source[]): void {
    this.chooser.value = String(picked);
    const { stage } = this;
    if (stage === null || !this.root.open) return;
    if (picked < 0) {
      this.content.replaceChildren();
      return;
    }
    const body = stage.bodies[picked];
    const parent = body.parent >= 0 ? stage.bodies[body.parent].name || `body ${body.parent}` : "none";
    this.content.replaceChildren(
      row("mass", formatNumber(body.mass), "kg", "mass"),
      row("parent", parent, "", "parent"),
      ...sources.flatMap((source, k) => this.trackRows(stage, picked, sources, source, k)),
    );
  }

  private trackRows(stage: Stage, picked: number, sources: readonly Source[], source: Source, k: number): HTMLElement[] {
    const { moment } = source;
    const pose = moment.poses.subarray(kPose * picked, kPose * (picked + 1));
    const velocity = source.velocityOf(picked);
    const force: Vec = [0, 0, 0];
    forceOn(picked, moment, force);
    const rows: HTMLElement[] = [];
    if (sources.length > 1)
      rows.push(element("h4", { style: `--colour: ${source.colour}` }, element("i"), source.name));
    rows.push(
      row("place", vector(pose.subarray(4, 7), 4), "m", `place-${k}`),
      row("quaternion", vector(pose.subarray(0, 4), 4), "", `quaternion-${k}`),
      row("velocity", vector(velocity.linear, 3), "m/s", `velocity-${k}`),
      row("turning", vector(velocity.angular, 3), "rad/s", `turning-${k}`),
    );
    if (!velocity.measured)
      rows.push(element("p", { class: "note" }, "Velocities are differences of the recorded poses."));
    if (k > 0) {
      const d = differenceNow(stage.bodies, sources[0].moment, moment, picked);
      rows.push(row("distance", formatNumber(d.body), "m", `distance-${k}`));
    }
    const contacts = contactsOf(picked, moment);
    rows.push(
      row("contacts", String(contacts.length), "", `contacts-${k}`),
      row("force", vector(force, 3), "N", `force-${k}`),
    );
    if (contacts.length > 0) rows.push(contactTable(stage, contacts));
    return rows;
  }
}

function contactTable(stage: Stage, contacts: BodyContact[]): HTMLElement {
  const line = (contact: BodyContact) =>
    element(
      "tr",
      { class: contact.slides ? "slips" : "sticks" },
      element("td", {}, stage.bodies[contact.other]?.name || `body ${contact.other}`),
      element("td", {}, formatNumber(Math.hypot(...contact.force), 3)),
      element("td", {}, formatNumber(contact.normal, 3)),
      element("td", {}, formatFixed(1e3 * contact.gap, 3)),
      element("td", {}, contact.slides ? "slips" : "sticks"),
    );
  const more = contacts.length - kContactRows;
  return element(
    "table",
    { class: "contacts" },
    element(
      "thead",
      {},
      element("tr", {}, ...["with", "force N", "normal N", "gap mm", ""].map((name) => element("th", {}, name))),
    ),
    element(
      "tbody",
      {},
      ...contacts.slice(0, kContactRows).map(line),
      ...(more > 0 ? [element("tr", {}, element("td", { colspan: "5" }, `and ${more} more`))] : []),
    ),
  );
}
