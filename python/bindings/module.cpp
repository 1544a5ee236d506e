#include "python/bindings/bindings.h"

NB_MODULE(_core, m) {
  using namespace stiction::python;
  // Objects that a program still holds when it ends are no leak of ours.
  nanobind::set_leak_warnings(false);
  m.doc() = "The compiled part of stiction. Import stiction instead.";
  bind_errors(m);
  bind_warnings();
  bind_spatial(m);
  bind_shapes(m);
  bind_collision(m);
  bind_joints(m);
  bind_elements(m);
  bind_options(m);
  bind_reports(m);
  bind_model(m);
  bind_builder(m);
  bind_scenes(m);
  bind_state(m);
  bind_problems(m);
  bind_problem_collections(m);
  bind_world(m);
  bind_access(m);
  bind_scene_files(m);
  bind_recordings(m);
  bind_dynamics(m);
  bind_batch(m);
  bind_rollout(m);
  bind_view(m);
  bind_reprs(m);
}
