"""Examples, notebook, README and types."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import stiction

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "examples" / "python").glob("*.py"))


def run(arguments, tmp_path, **options):
    """A program in an empty folder; fails with all that it said."""
    environment = {**os.environ, "MPLBACKEND": "Agg"}
    done = subprocess.run(arguments, cwd=tmp_path, env=environment, capture_output=True, text=True, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda file: file.stem)
def test_every_example_runs(example, tmp_path):
    assert run([sys.executable, str(example)], tmp_path, timeout=300).strip()


def test_the_program_in_the_readme_runs(tmp_path):
    program = re.search(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.S)
    assert program is not None
    assert "rad" in run([sys.executable, "-c", program.group(1)], tmp_path)


def test_programs_in_the_documentation_run(tmp_path):
    text = (ROOT / "docs" / "python.md").read_text()
    program = "\n".join(re.findall(r"```python\n(.*?)```", text, re.S))
    run([sys.executable, "-c", program], tmp_path, timeout=300)


def test_the_notebook_runs(tmp_path):
    nbclient, nbformat = pytest.importorskip("nbclient"), pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel")
    for file in sorted((ROOT / "examples" / "python").glob("*.ipynb")):
        notebook = nbformat.read(file, as_version=4)
        # The kernel of this very Python, whatever kernels are installed.
        client = nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}})
        client.execute()


def test_types_of_package_and_examples_are_clean_for_mypy(tmp_path):
    pytest.importorskip("mypy")
    package = Path(stiction.__file__).parent
    if not (package / "_core.pyi").exists():
        pytest.skip("types are told by the installed wheel alone")
    run([sys.executable, "-m", "mypy", "--disallow-untyped-defs", "--cache-dir", str(tmp_path), str(package)], tmp_path, timeout=600)
    run([sys.executable, "-m", "mypy", "--cache-dir", str(tmp_path), *map(str, EXAMPLES)], tmp_path, timeout=600)
