"""Tests of check_links.py on small trees of pages."""

import tempfile
import unittest
from pathlib import Path

import check_links


class CheckLinks(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        (self.root / "docs").mkdir()
        (self.root / "docs/other.md").write_text("# A *heading*, with `code` (and more)\n\n## Twice\n\n## Twice\n")
        (self.root / "docs/picture.svg").write_text("<svg/>")

    def broken(self, text):
        (self.root / "docs/page.md").write_text(text)
        return list(check_links.broken_links(self.root))

    def test_what_is_there_is_fine(self):
        self.assertEqual(self.broken("[a](other.md) [b](other.md#twice-1) ![c](picture.svg) [d](https://example.org/x#y)\n"
                                     "[e](other.md#a-heading-with-code-and-more) [f](#mine)\n\n# Mine\n"), [])

    def test_a_missing_file_is_found_with_its_line(self):
        self.assertEqual(self.broken("\n\n[a](gone.md)\n"), ["docs/page.md:3: gone.md: there is no gone.md"])

    def test_a_missing_picture_is_found(self):
        self.assertEqual(len(self.broken("![a](gone.svg)\n")), 1)
        self.assertEqual(len(self.broken('<img src="gone.svg">\n')), 1)

    def test_a_missing_heading_is_found(self):
        self.assertEqual(len(self.broken("[a](other.md#thrice)\n[b](#nothing)\n")), 2)

    def test_code_is_not_read(self):
        self.assertEqual(self.broken("`[a](gone.md)`\n\n```\n[b](gone.md)\n# no heading\n```\n"), [])

    def test_a_file_that_the_readme_of_a_folder_names_must_be_there(self):
        (self.root / "stiction/law").mkdir(parents=True)
        (self.root / "stiction/law/sap.h").write_text("")
        (self.root / "stiction/problem.h").write_text("")
        (self.root / "stiction/law/README.md").write_text("`sap.h`, `law/sap.h`, `../problem.h`, `docs/other.md`, `x<T>`\n`all_laws.h`\n")
        self.assertEqual(list(check_links.missing_files(self.root)), ["stiction/law/README.md:2: there is no all_laws.h"])


if __name__ == "__main__":
    unittest.main()
