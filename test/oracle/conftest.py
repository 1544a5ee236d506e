import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import report  # noqa: E402


def pytest_terminal_summary(terminalreporter):
    if not report.rows:
        return
    report.write()
    terminalreporter.section("largest relative errors")
    for line in report.table():
        terminalreporter.write_line(line)
