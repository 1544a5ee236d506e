// Small ways of making elements, and how numbers are written.

type Child = Node | string | null;

// element("button", {class: "round", title: "Play"}, child, ...): attributes by their names.
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, string> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children.filter((child) => child !== null));
  return made;
}

export function byId(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no element ${id}`);
  return found;
}

// Paths on a grid of 24 x 24.
const kIcons = {
  play: "M8 5.5v13l10.5-6.5z",
  pause: "M7.5 5.5h3.2v13H7.5zM13.3 5.5h3.2v13h-3.2z",
  forward: "M6 5.5v13l8.5-6.5zM16 5.5h2.6v13H16z",
  back: "M18 5.5v13L9.5 12zM5.4 5.5H8v13H5.4z",
  reset: "M12 5a7 7 0 1 1-6.7 5h2.1a5 5 0 1 0 4.6-3v3L7.5 6.3 12 2.5z",
  camera: "M9 5 7.7 7H5a1.5 1.5 0 0 0-1.5 1.5v9A1.5 1.5 0 0 0 5 19h14a1.5 1.5 0 0 0 1.5-1.5v-9A1.5 1.5 0 0 0 19 7h-2.7L15 5zm3 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8zm0 1.8a2.2 2.2 0 1 0 0 4.4 2.2 2.2 0 0 0 0-4.4z",
  video: "M5 7h9a1.5 1.5 0 0 1 1.5 1.5v2l5-3v9l-5-3v2A1.5 1.5 0 0 1 14 17H5a1.5 1.5 0 0 1-1.5-1.5v-7A1.5 1.5 0 0 1 5 7z",
  stop: "M7 7h10v10H7z",
  theme: "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zm0 2v13a6.5 6.5 0 0 1 0-13z",
  help: "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zm-1 11.8h2v2h-2zm1-8.8a3.4 3.4 0 0 1 3.4 3.3c0 1.9-2.4 2.3-2.4 4h-2c0-2.6 2.4-2.9 2.4-4a1.4 1.4 0 0 0-2.8 0h-2A3.4 3.4 0 0 1 12 6.5z",
  panel: "M4.5 5h15A1.5 1.5 0 0 1 21 6.5v11a1.5 1.5 0 0 1-1.5 1.5h-15A1.5 1.5 0 0 1 3 17.5v-11A1.5 1.5 0 0 1 4.5 5zM5 7v10h9V7z",
  close: "m6.7 5.3 5.3 5.3 5.3-5.3 1.4 1.4-5.3 5.3 5.3 5.3-1.4 1.4-5.3-5.3-5.3 5.3-1.4-1.4 5.3-5.3-5.3-5.3z",
  home: "M12 4 3.5 11H6v8h4.7v-5h2.6v5H18v-8h2.5z",
  overlay: "M4 4h11v4h5v12H9v-4H4zm2 2v8h3V8h4V6zm5 4v8h7v-8z",
  side: "M3.5 5h8v14h-8zm2 2v10h4V7zM12.5 5h8v14h-8z",
};
export type IconName = keyof typeof kIcons;

export function icon(name: IconName): SVGSVGElement {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", kIcons[name]);
  path.setAttribute("fill-rule", "evenodd");
  svg.append(path);
  return svg;
}

export function iconButton(name: IconName, title: string, action: () => void): HTMLButtonElement {
  const button = element("button", { type: "button", class: "icon", title, "aria-label": title }, icon(name));
  button.addEventListener("click", action);
  return button;
}

export function setIcon(button: HTMLElement, name: IconName, title: string): void {
  if (button.title === title) return;
  button.title = title;
  button.setAttribute("aria-label", title);
  button.replaceChildren(icon(name));
}

const kMinus = "\u2212";

// Four significant digits unless told otherwise; powers of ten where zeros would hide them.
export function formatNumber(x: number, digits = 4): string {
  if (Number.isNaN(x)) return "n/a";
  if (!Number.isFinite(x)) return x > 0 ? "\u221e" : `${kMinus}\u221e`;
  if (x === 0) return "0";
  const size = Math.abs(x);
  const text =
    size >= 1e5 || size < 1e-3 ? x.toExponential(Math.max(digits - 2, 0)).replace("e+", "e") : x.toPrecision(digits);
  return text.replace("-", kMinus).replace("e-", `e${kMinus}`);
}

// A fixed number of decimals, for numbers that stand below each other.
export function formatFixed(x: number, decimals: number): string {
  if (!Number.isFinite(x)) return formatNumber(x);
  const text = x.toFixed(decimals);
  return Number(text) === 0 ? (0).toFixed(decimals) : text.replace("-", kMinus);
}

export function section(title: string, id: string, open: boolean, ...children: Child[]): HTMLDetailsElement {
  const details = element("details", { id, class: "section" }, element("summary", {}, title), ...children);
  details.open = open;
  return details;
}

export function setText(target: HTMLElement, text: string): void {
  if (target.textContent !== text) target.textContent = text;
}
