#pragma once
// One function for each group of names of the module stiction._core, in the order in which they are bound: a
// signature may name only types that are bound already.

#include <nanobind/nanobind.h>

namespace stiction::python {

namespace nb = nanobind;

void bind_errors(nb::module_& m);
void bind_warnings();
void bind_spatial(nb::module_& m);
void bind_shapes(nb::module_& m);
void bind_collision(nb::module_& m);
void bind_joints(nb::module_& m);
void bind_elements(nb::module_& m);
void bind_options(nb::module_& m);
void bind_reports(nb::module_& m);
void bind_model(nb::module_& m);
void bind_builder(nb::module_& m);
void bind_scenes(nb::module_& m);
void bind_state(nb::module_& m);
void bind_problems(nb::module_& m);
void bind_problem_collections(nb::module_& m);
void bind_world(nb::module_& m);
void bind_access(nb::module_& m);
void bind_scene_files(nb::module_& m);
void bind_recordings(nb::module_& m);
void bind_dynamics(nb::module_& m);
void bind_batch(nb::module_& m);
void bind_rollout(nb::module_& m);
void bind_view(nb::module_& m);
void bind_reprs(nb::module_& m);

}  // namespace stiction::python
