"""Examples, notebook, README and types."""

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import stiction

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "examples" / "python").glob("*.py"))


def run(arguments, tmp_path, environment=os.environ, **options):
    """A program in an empty folder; fails with all that it said."""
    environment = {**environment, "MPLBACKEND": "Agg"}
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


def typed_package():
    """The folder of the package, with its stubs."""
    package = Path(stiction.__file__).parent
    if not (package / "_core.pyi").exists():
        pytest.skip("types are told by the installed wheel alone")
    return package


def test_types_of_package_and_examples_are_clean_for_mypy(tmp_path):
    pytest.importorskip("mypy")
    package = typed_package()
    run([sys.executable, "-m", "mypy", "--disallow-untyped-defs", "--cache-dir", str(tmp_path), str(package)], tmp_path, timeout=600)
    run([sys.executable, "-m", "mypy", "--cache-dir", str(tmp_path), *map(str, EXAMPLES)], tmp_path, timeout=600)


def pyright(tmp_path, *arguments):
    """Pyright by the Node of the path or beside this Python. Its own program would look for newer ones, and download Node."""
    spec = importlib.util.find_spec("pyright")
    if spec is None or spec.origin is None:
        pytest.skip("there is no pyright: tools/set_up.sh python installs it")
    places = [str(Path(sys.executable).parent), os.environ.get("PATH", "")]
    node = shutil.which("node", path=os.pathsep.join(places))
    if node is None:
        pytest.skip("there is no Node, which pyright needs: tools/build_viewer.sh --check installs one")
    # What is imported is that of the first Python on the path.
    environment = {**os.environ, "PATH": os.pathsep.join(places)}
    return run([node, str(Path(spec.origin).parent / "dist" / "index.js"), *arguments], tmp_path, environment, timeout=600)


# Of examples everything must be known, but for what Matplotlib leaves open in its own functions.
STRICT = {"typeCheckingMode": "strict", "reportUnknownMemberType": "none"}


@pytest.mark.parametrize("what, rules", [("package", {"typeCheckingMode": "standard"}), ("examples", STRICT)], ids=["package", "examples"])
def test_types_are_clean_for_pyright(what, rules, tmp_path):
    package = typed_package()
    files = [package] if what == "package" else EXAMPLES
    places = {"include": [os.path.relpath(file, tmp_path) for file in files], "exclude": [], "extraPaths": [str(package.parent)]}
    (tmp_path / "pyrightconfig.json").write_text(json.dumps({**places, **rules}))
    told = json.loads(pyright(tmp_path, "--warnings", "--outputjson"))
    assert told["summary"]["filesAnalyzed"] >= len(files)


def test_the_type_of_everything_public_is_known(tmp_path):
    typed_package()
    assert "Type completeness score: 100%" in pyright(tmp_path, "--verifytypes", "stiction", "--ignoreexternal")
