#!/usr/bin/env python3
"""Makes programs of the pieces of C++ in README.md and docs/, so that a build compiles them and a test runs them.

Every piece becomes a function of its own, after what its page says in words (BEFORE). Pieces with the same headers share
a source, which includes these headers alone: what a piece names without its header does not compile.

usage: write_examples.py ROOT FOLDER        writes FOLDER/*.cpp, and only what has changed
"""

import re
import sys
from pathlib import Path

# What stands around a piece: the page says it in words.
BEFORE = {
    "docs/constraints.md 2": """
        ModelBuilder builder("puck");
        builder.add_body("puck", "world", {}, solid_sphere(0.5, 0.1));
        builder.add_joint("puck", {.name = "x", .type = JointType::prismatic, .axis = Vec3::UnitX()});""",
    "docs/contact.md 1": """
        ModelBuilder builder("kitchen");
        builder.add_body("table", "world", translation(0, 0, 0.1));
        builder.add_shape("belt", "table", {}, Box{Vec3(0.5, 0.5, 0.1)});
        builder.add_free_body("cup", translation(0, 0, 0.25), solid_box(0.3, Vec3(0.05, 0.05, 0.05)));
        builder.add_shape("cup", "cup", {}, Box{Vec3(0.05, 0.05, 0.05)});
        builder.add_kinematic_body("lift", translation(2, 0, 0));
        Keyframe home;
        home.name = "home";
        builder.add_keyframe(home);
        World world(builder.build());
        world.step();
        const Pose X_WB = translation(2, 0, 0.1);
        const Vec6 V_WB = Vec6::Zero();""",
    "docs/dynamics.md 1": """
        const Model model = parse_mjcf("<mujoco><worldbody><body name='hand'><joint axis='0 1 0'/>"
                                       "<geom size='.1' pos='0 0 1'/></body></worldbody></mujoco>");
        VecX q = model.q0, v = VecX::Ones(1), vdot = VecX::Zero(1), bias(1), tau(1), x = VecX::Ones(1);
        const int tree = 0;""",
    "docs/mjcf.md 1": "",
    "docs/models.md 2": """
        write("scene.xml", R"(<mujoco><worldbody><geom name="table" type="plane" size="1 1 1"/>
          <body name="cube" pos="0 0 .1"><freejoint/><geom name="cube" type="box" size=".1 .1 .1"/></body>
          <body name="ball" pos="1 0 .1"><freejoint/><geom name="ball" size=".1"/></body>
          <body name="hand" pos="0 1 1"><joint name="elbow" axis="0 1 0"/><geom name="finger" size=".1"/></body>
          </worldbody><actuator><position name="elbow_servo" joint="elbow" kp="10"/></actuator></mujoco>)");
        const Inertia inertia = solid_box(1.0, Vec3(0.1, 0.1, 0.1));""",
    "docs/scene_files.md 1": """
        copy_example("06_rover.toml", "rover.toml");
        copy_example("rover.xml", "rover.xml");""",
    "docs/schemes.md 1": """
        const Model model = parse_mjcf("<mujoco><worldbody><body><joint axis='0 1 0'/>"
                                       "<geom size='.1' pos='0 0 1'/></body></worldbody></mujoco>");""",
    "docs/solvers/complementarity.md 1": """
        struct Square : MixedProblem {  // z^2 = 2, z >= 0
          Square() { lower = VecX::Zero(1), upper = VecX::Constant(1, kNoBound); }
          bool evaluate(const VecX& at, VecX* F) override {
            *F = at.cwiseProduct(at) - VecX::Constant(1, 2.0);
            return true;
          }
          bool linearise(const VecX& at, VecX* F, SparseRows* jacobian) override {
            *jacobian = {{0, 1}, {0}, {2.0 * at[0]}};
            return evaluate(at, F);
          }
        } problem;
        VecX z = VecX::Ones(1);""",
    "docs/solvers/sparse_cholesky.md 1": """
        const std::vector<int> sizes = {6, 6};
        const std::vector<BlockPair> pairs = {{0, 1}};
        const int i = 1, j = 1;
        const MatX B = MatX::Identity(6, 6);
        MatX x = MatX::Ones(12, 1);""",
    "docs/urdf.md 1": """
        write("solo12.urdf", R"(<robot name="solo12"><link name="base"><inertial><mass value="1"/>
          <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link></robot>)");""",
}
# What is true afterwards.
AFTER = {
    "README.md 1": "",
    "docs/constraints.md 1": "demand(pull.norm() < 1e3, \"the chain holds\");",
    "docs/constraints.md 2": "World(builder.build()).step();",
    "docs/dynamics.md 1": "demand(std::abs(x[0] - 1.0) > 1e-9, \"x was solved for\");",
    "docs/scene_files.md 1": "demand(world.time() > scene.time - 1e-9, \"the scene runs to its end\");",
    "docs/schemes.md 1": "demand(std::abs(world.time() - 2.0) < 1e-12, \"two seconds\");",
    "docs/solvers/complementarity.md 1": "demand(std::abs(z[0] * z[0] - 2.0) < 1e-9, \"z is the root of 2\");",
}
# Read files of the shared folder, and are left out where there is none.
SHARED = {"docs/actuators.md 1", "docs/mjcf.md 1", "docs/sensors.md 1"}

HELPERS = """#pragma once
// Beside the pieces of the documentation: files that they read, and what is true after them.

#include <string>

namespace docs {

void write(const std::string& file, const std::string& text);
void copy_example(const std::string& name, const std::string& as);
void demand(bool is_true, const char* what);

}  // namespace docs
"""

MAIN = """// Runs the pieces of the documentation, each by its page. usage: stiction_docs EXAMPLES SHARED_MODELS
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "examples.h"

namespace docs {

std::filesystem::path examples_folder;

void write(const std::string& file, const std::string& text) { std::ofstream(file) << text; }
void copy_example(const std::string& name, const std::string& as) {
  std::filesystem::copy_file(examples_folder / name, as, std::filesystem::copy_options::overwrite_existing);
}
void demand(bool is_true, const char* what) {
  if (!is_true) throw std::runtime_error(std::string("not true: ") + what);
}
DECLARATIONS
}  // namespace docs

int main(int, char** argv) {
  namespace fs = std::filesystem;
  docs::examples_folder = fs::absolute(argv[1]);
  const char* shared = std::getenv("STICTION_SHARED");
  const fs::path models = shared != nullptr ? fs::path(shared) / "models" : fs::absolute(argv[2]);
  const fs::path folder = fs::temp_directory_path() / ("stiction_docs_" + std::to_string(std::hash<fs::path>()(fs::current_path())));
  fs::remove_all(folder);
  fs::create_directories(folder);
  fs::current_path(folder);
  const bool has_models = fs::exists(models);
  if (has_models)
    for (const fs::directory_entry& entry : fs::directory_iterator(models))
      fs::create_directory_symlink(entry.path(), entry.path().filename());
  struct Piece {
    const char* page;
    void (*run)();
    bool needs_models;
  };
  const Piece pieces[] = {PIECES};
  int failed = 0, left_out = 0;
  for (const Piece& piece : pieces) {
    if (piece.needs_models && !has_models) {
      ++left_out;
      continue;
    }
    try {
      piece.run();
    } catch (const std::exception& error) {
      std::printf("%s: %s\\n", piece.page, error.what());
      ++failed;
    }
  }
  fs::current_path("/");
  fs::remove_all(folder);
  std::printf("%zu pieces of C++ in the documentation, %d failed, %d left out for want of their models\\n",
              std::size(pieces), failed, left_out);
  return failed == 0 ? 0 : 1;
}
"""


def pieces(root):
    """(page, text) of every piece of C++, in the order of the pages."""
    for page in [root / "README.md", *sorted((root / "docs").rglob("*.md"))]:
        for count, text in enumerate(re.findall(r"^```cpp\n(.*?)^```", page.read_text(), re.S | re.M), 1):
            yield f"{page.relative_to(root)} {count}", text


def write_if_other(file, text):
    if not file.exists() or file.read_text() != text:
        file.write_text(text)


def main():
    root, folder = Path(sys.argv[1]), Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    sources, declarations, table, seen = {}, "", "", set()
    for name, text in pieces(root):
        seen.add(name)
        function = re.sub(r"\W", "_", name.replace("docs/", ""))
        headers = tuple(sorted(re.findall(r"^#include .*$", text, re.M)))
        body = re.sub(r"^#include .*\n", "", text, flags=re.M).strip("\n")
        if "int main()" in body:
            function_text = body.replace("int main()", f"void {function}()")
        else:
            function_text = (f"void {function}() {{\n  using namespace stiction;\n{BEFORE.get(name, '')}\n"
                             f"#line 1 \"{name}\"\n{body}\n{AFTER.get(name, '')}\n}}")
        sources.setdefault(headers, []).append(function_text)
        declarations += f"void {function}();\n"
        table += f'{{"{name}", docs::{function}, {str(name in SHARED).lower()}}}, '
    unknown = (set(BEFORE) | set(AFTER) | SHARED) - seen
    if unknown:
        sys.exit(f"write_examples.py knows of pieces that are not there: {sorted(unknown)}")
    write_if_other(folder / "examples.h", HELPERS)
    write_if_other(folder / "main.cpp", MAIN.replace("DECLARATIONS", declarations).replace("PIECES", table))
    wanted = {"main.cpp"}
    for number, (headers, functions) in enumerate(sorted(sources.items())):
        file = folder / f"pieces_{number}.cpp"
        wanted.add(file.name)
        write_if_other(file, "\n".join(headers) + '\n\n#include "examples.h"\n\nnamespace docs {\n\n'
                       + "\n\n".join(functions) + "\n\n}  // namespace docs\n")
    for old in folder.glob("*.cpp"):
        if old.name not in wanted:
            old.unlink()


if __name__ == "__main__":
    main()
