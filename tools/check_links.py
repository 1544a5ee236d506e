"""Finds links in the documentation that lead nowhere: to files, pictures and headings that are not there; and files that
the README of a folder of the library names and that are not there.

usage: python3 tools/check_links.py [ROOT]
"""
import pathlib
import re
import sys
import unicodedata

LINK = re.compile(r"(?<!\\)!?\[(?:[^\[\]]|\[[^\]]*\])*\]\(([^()\s]+(?:\([^()]*\))?)(?:\s+\"[^\"]*\")?\)")
FILE_NAME = re.compile(r"`([\w./-]+\.(?:h|cpp|md|py))`")
SOURCE = re.compile(r"(?:src|href)=\"([^\"]+)\"")


def without_code(text):
    """The text with blocks and spans of code blanked out, line by line as before."""
    lines, fence = [], None
    for line in text.split("\n"):
        mark = re.match(r"\s*(```+|~~~+)", line)
        if fence is None and mark:
            fence = mark[1]
            lines.append("")
        elif fence is not None:
            if line.strip().startswith(fence):
                fence = None
            lines.append("")
        else:
            lines.append(re.sub(r"`[^`]*`", "", line))
    return "\n".join(lines)


def slug(heading):
    """The name of a heading in an address, as GitHub and the site make it."""
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
    text = "".join(c for c in text if c in "-_ " or unicodedata.category(c)[0] in "LN" or unicodedata.category(c) == "Mn")
    return text.replace(" ", "-")


def headings(text):
    fence, found, counts = False, set(), {}
    for line in text.split("\n"):
        if re.match(r"\s*(```|~~~)", line):
            fence = not fence
        match = None if fence else re.match(r"#{1,6}\s+(.*?)\s*#*$", line)
        if match:
            name = slug(match[1])
            number = counts.get(name, 0)
            counts[name] = number + 1
            found.add(f"{name}-{number}" if number else name)
    return found | set(re.findall(r"<a (?:id|name)=\"([^\"]+)\"", text))


def broken_links(root):
    pages = [root / "README.md", root / "CONTRIBUTING.md", root / "CHANGELOG.md", *sorted((root / "docs").rglob("*.md"))]
    for page in pages:
        if not page.is_file():
            continue
        text = page.read_text(encoding="utf-8")
        for number, line in enumerate(without_code(text).split("\n"), 1):
            for target in LINK.findall(line) + SOURCE.findall(line):
                if re.match(r"[a-z]+:", target):
                    continue
                path, _, anchor = target.partition("#")
                file = (page.parent / path).resolve() if path else page
                if not file.exists():
                    yield f"{page.relative_to(root)}:{number}: {target}: there is no {path}"
                elif anchor and file.suffix == ".md" and anchor not in headings(file.read_text(encoding="utf-8")):
                    yield f"{page.relative_to(root)}:{number}: {target}: there is no heading #{anchor}"


def missing_files(root):
    """Files in backticks that are neither in the folder of the README nor in one above it."""
    for page in sorted((root / "stiction").rglob("README.md")):
        above = [page.parent, *(folder for folder in page.parent.parents if folder.is_relative_to(root))]
        for number, line in enumerate(page.read_text(encoding="utf-8").split("\n"), 1):
            for name in FILE_NAME.findall(line):
                if not any((folder / name).is_file() for folder in above):
                    yield f"{page.relative_to(root)}:{number}: there is no {name}"


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    broken = [*broken_links(root), *missing_files(root)]
    for line in broken:
        print(line)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
