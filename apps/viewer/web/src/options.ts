// What one can choose about the display: one list, from which the panel, the keys, the address (#contacts=1&view=top) and
// window.stiction.setOption are made.

export interface Options {
  theme: "auto" | "light" | "dark";
  geometry: "visual" | "collision" | "both";
  layout: "overlay" | "side";
  contacts: boolean;
  forces: boolean;
  cones: boolean;
  pressure: boolean;
  slip: boolean;
  frames: boolean;
  com: boolean;
  inertia: boolean;
  hulls: boolean;
  transparent: boolean;
  wireframe: boolean;
  path: boolean;
  names: boolean;
  grid: boolean;
  shadows: boolean;
  follow: boolean;
  loop: boolean;
  forceScale: number; // factor on the length of arrows
  speed: number; // of real time
  ui: boolean;
}

export type OptionName = keyof Options;

export const kDefaults: Options = {
  theme: "auto",
  geometry: "visual",
  layout: "overlay",
  contacts: false,
  forces: false,
  cones: false,
  pressure: false,
  slip: false,
  frames: false,
  com: false,
  inertia: false,
  hulls: false,
  transparent: false,
  wireframe: false,
  path: false,
  names: false,
  grid: true,
  shadows: true,
  follow: false,
  loop: false,
  forceScale: 1,
  speed: 1,
  ui: true,
};

const kWords: Partial<Record<OptionName, readonly string[]>> = {
  theme: ["auto", "light", "dark"],
  geometry: ["visual", "collision", "both"],
  layout: ["overlay", "side"],
};

// The switches of the panel, with their keys. Letters are those of MuJoCo's viewer where it has the same switch.
export interface Switch {
  name: OptionName;
  label: string;
  key: string;
  hint: string;
}

export const kSwitches: Switch[] = [
  { name: "contacts", label: "Contact points", key: "c", hint: "Blue sticks, orange slips" },
  { name: "forces", label: "Contact forces", key: "f", hint: "On the body that moves, or on the one you picked" },
  { name: "cones", label: "Friction cones", key: "k", hint: "As high as the normal force: a slipping arrow ends at the rim" },
  { name: "pressure", label: "Pressure patches", key: "u", hint: "Of pressure fields: red where the pressure is largest" },
  { name: "slip", label: "Slip of patches", key: "y", hint: "Of pressure fields: red where one body slips fastest over the other" },
  { name: "frames", label: "Body frames", key: "e", hint: "x red, y green, z blue" },
  { name: "com", label: "Centres of mass", key: "m", hint: "" },
  { name: "inertia", label: "Inertia boxes", key: "i", hint: "The box of uniform density with the same inertia" },
  { name: "hulls", label: "Convex hulls", key: "h", hint: "By which meshes collide" },
  { name: "transparent", label: "Transparent", key: "t", hint: "" },
  { name: "wireframe", label: "Wireframe", key: "w", hint: "" },
  { name: "path", label: "Path of the body", key: "a", hint: "Of the body you picked" },
  { name: "names", label: "Names", key: "n", hint: "Of the bodies that move" },
  { name: "grid", label: "Grid", key: "g", hint: "Lines every 1 cm, 10 cm, 1 m and 10 m, as far as they can be told apart" },
  { name: "shadows", label: "Shadows", key: "s", hint: "" },
  { name: "follow", label: "Follow the body", key: "l", hint: "The camera moves with the body you picked" },
  { name: "loop", label: "Repeat", key: "r", hint: "Begin again at the end" },
];

// Reads a value that came as text or from a caller. Returns undefined where it does not fit.
export function readOption<K extends OptionName>(name: K, value: unknown): Options[K] | undefined {
  const standard = kDefaults[name];
  if (typeof standard === "boolean") {
    if (typeof value === "boolean") return value as Options[K];
    if (value === "1" || value === "true") return true as Options[K];
    if (value === "0" || value === "false") return false as Options[K];
    return undefined;
  }
  if (typeof standard === "number") {
    const number = typeof value === "number" ? value : typeof value === "string" && value !== "" ? Number(value) : NaN;
    return Number.isFinite(number) && number > 0 ? (number as Options[K]) : undefined;
  }
  return kWords[name]?.includes(value as string) === true ? (value as Options[K]) : undefined;
}

export function isOption(name: string): name is OptionName {
  return Object.hasOwn(kDefaults, name);
}

// The options in force, and who wants to know when they change.
export class OptionStore {
  private readonly values: Options = { ...kDefaults };
  private readonly listeners: ((name: OptionName) => void)[] = [];

  get<K extends OptionName>(name: K): Options[K] {
    return this.values[name];
  }

  set<K extends OptionName>(name: K, value: Options[K]): void {
    if (this.values[name] === value) return;
    this.values[name] = value;
    for (const listener of this.listeners) listener(name);
  }

  // Returns false where there is no such option or the value does not fit.
  setByName(name: string, value: unknown): boolean {
    if (!isOption(name)) return false;
    const read = readOption(name, value);
    if (read === undefined) return false;
    this.set(name, read);
    return true;
  }

  toggle(name: OptionName): void {
    const value = this.values[name];
    if (typeof value === "boolean") this.setByName(name, !value);
  }

  onChange(listener: (name: OptionName) => void): void {
    this.listeners.push(listener);
  }
}
