"""Makes a static site of README.md and docs/: every page as HTML, with a list of all pages beside it.

usage: python3 tools/build_site.py OUT        after tools/set_up.sh site
"""
import html
import pathlib
import re
import shutil
import sys

import markdown

import check_links

GROUPS = [
    ("Begin", ["README.md", "docs/hello.md", "docs/viewer.md", "docs/command_line.md", "docs/python.md", "docs/symptoms.md"]),
    ("Model", ["docs/modelling.md", "docs/models.md", "docs/scene_files.md", "docs/mjcf.md", "docs/urdf.md", "docs/meshes.md",
               "docs/actuators.md", "docs/sensors.md", "docs/constraints.md", "docs/collision.md"]),
    ("Contact", ["docs/contact.md", "docs/parameters.md", "docs/compare.md", "docs/schemes.md", "docs/physics.md"]),
    ("Laws", "docs/models/*.md"),
    ("Solvers", "docs/solvers/*.md"),
    ("Files", ["docs/file_formats.md", "docs/recording.md", "docs/problem_files.md", "docs/export.md", "docs/robustness.md",
               "docs/viewer_protocol.md"]),
    ("Proof", ["docs/claims.md", "docs/peers.md", "docs/race.md"]),
    ("Inside", ["docs/architecture.md", "docs/notation.md", "docs/dynamics.md", "CONTRIBUTING.md", "CHANGELOG.md"]),
]

STYLE = """
:root { color-scheme: light dark; --text: #1d2733; --soft: #5b6876; --back: #ffffff; --panel: #f4f6f8; --line: #dde3e9; --link: #1563b0; }
@media (prefers-color-scheme: dark) {
  :root { --text: #dfe6ee; --soft: #93a1b0; --back: #14191f; --panel: #1b222a; --line: #2d3742; --link: #6db3f2; }
}
* { box-sizing: border-box; }
body { margin: 0; font: 16px/1.6 system-ui, sans-serif; color: var(--text); background: var(--back); display: flex; }
nav { flex: 0 0 15rem; height: 100vh; position: sticky; top: 0; overflow-y: auto; padding: 1.2rem; background: var(--panel);
      border-right: 1px solid var(--line); font-size: 0.9rem; }
nav h2 { font-size: 0.75rem; text-transform: uppercase; letter-spacing: 0.06em; color: var(--soft); margin: 1.2rem 0 0.3rem; }
nav a { display: block; padding: 0.1rem 0; color: var(--text); text-decoration: none; }
nav a:hover, nav a.here { color: var(--link); }
nav a.here { font-weight: 600; }
main { flex: 1; min-width: 0; max-width: 60rem; padding: 1.5rem 2.5rem 5rem; }
a { color: var(--link); }
h1, h2, h3 { line-height: 1.25; margin: 1.8em 0 0.5em; }
h1 { margin-top: 0; }
code { font: 0.88em/1.5 ui-monospace, monospace; background: var(--panel); padding: 0.1em 0.3em; border-radius: 4px; }
pre { background: var(--panel); border: 1px solid var(--line); border-radius: 6px; padding: 0.8rem 1rem; overflow-x: auto; }
pre code { background: none; padding: 0; }
table { border-collapse: collapse; display: block; overflow-x: auto; font-size: 0.92rem; }
th, td { border: 1px solid var(--line); padding: 0.3rem 0.6rem; text-align: left; vertical-align: top; }
th { background: var(--panel); }
img { max-width: 100%; background: #ffffff; border-radius: 6px; }
@media (max-width: 50rem) {
  body { display: block; }
  nav { position: static; height: auto; max-height: 40vh; width: 100%; border-right: 0; border-bottom: 1px solid var(--line); }
  main { padding: 1rem; }
}
"""


def title_of(text, path):
    match = re.search(r"^#\s+(.*)$", text, re.M)
    return match[1] if match else path.stem


def address_of(path):
    """Of a page of the sources in the site."""
    return "index.html" if path.as_posix() == "README.md" else path.with_suffix(".html").as_posix()


def relative(target, page):
    up = "../" * (len(pathlib.PurePosixPath(page).parts) - 1)
    return up + target


def links_to_pages(body, page, pages):
    """Links to .md files of the site lead to their .html; those to other files of the sources are left as text."""

    def change(match):
        target, _, anchor = match[2].partition("#")
        if not target or re.match(r"[a-z]+:", target):
            return match[0]
        file = pathlib.PurePosixPath(*[p for p in _normal((page.parent / target).as_posix())])
        if file.as_posix() in pages:
            there = relative(address_of(pathlib.Path(file)), address_of(page))
            return f'{match[1]}"{there}{"#" + anchor if anchor else ""}"'
        if file.suffix in {".svg", ".png", ".jpg", ".gif", ".webp"}:
            return f'{match[1]}"{relative(file.as_posix(), address_of(page))}"'
        return 'data-source="' + html.escape(file.as_posix()) + '"'

    return re.sub(r'((?:href|src)=)"([^"]*)"', change, body)


def _normal(path):
    parts = []
    for part in path.split("/"):
        if part == "..":
            parts.pop()
        elif part not in {"", "."}:
            parts.append(part)
    return parts


def navigation(pages, titles, here):
    out = []
    for name, group in pages:
        out.append(f"<h2>{name}</h2>")
        for path in group:
            mark = ' class="here"' if path == here else ""
            out.append(f'<a href="{relative(address_of(path), address_of(here))}"{mark}>{html.escape(titles[path])}</a>')
    return "\n".join(out)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    root, out = pathlib.Path(__file__).resolve().parent.parent, pathlib.Path(sys.argv[1])
    broken = list(check_links.broken_links(root))
    if broken:
        sys.exit("\n".join(broken))
    groups = []
    for name, paths in GROUPS:
        found = sorted(p.relative_to(root) for p in root.glob(paths)) if isinstance(paths, str) else map(pathlib.Path, paths)
        groups.append((name, [p for p in found if (root / p).is_file()]))
    listed = [p for _, group in groups for p in group]
    missing = {p.relative_to(root) for p in (root / "docs").rglob("*.md")} - set(listed) - {pathlib.Path("docs/README.md")}
    if missing:
        groups.append(("More", sorted(missing)))
    pages = [p for _, group in groups for p in group]
    texts = {p: (root / p).read_text(encoding="utf-8") for p in pages}
    titles = {p: re.sub(r"[`*]", "", title_of(texts[p], p)) for p in pages}
    names = {p.as_posix() for p in pages}
    # The list of pages is what docs/README.md is in the sources.
    texts_of_index = (root / "docs/README.md").read_text(encoding="utf-8")
    texts[pathlib.Path("docs/README.md")] = texts_of_index
    titles[pathlib.Path("docs/README.md")] = title_of(texts_of_index, pathlib.Path("docs"))
    names.add("docs/README.md")

    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    for page, text in texts.items():
        body = markdown.markdown(text, extensions=["tables", "fenced_code", "sane_lists", "md_in_html", "toc"],
                                 extension_configs={"toc": {"slugify": lambda value, _: check_links.slug(value)}})
        body = links_to_pages(body, page, names)
        file = out / address_of(page)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f'<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
                        f'<meta name="viewport" content="width=device-width">\n<link rel="icon" href="data:,">\n'
                        f"<title>{html.escape(titles[page])} - Stiction</title>\n<style>{STYLE}</style>\n"
                        f"<nav>\n{navigation(groups, titles, page)}\n</nav>\n<main>\n{body}\n</main>\n</html>\n", encoding="utf-8")
    for folder in ("docs/images", "docs/claims"):
        if (root / folder).is_dir():
            shutil.copytree(root / folder, out / folder)
    print(f"{len(texts)} pages: {out / 'index.html'}")


if __name__ == "__main__":
    main()
