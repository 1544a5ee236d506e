#pragma once
// What to tell the user about the pressure fields of a model: which pairs of shapes touch by them, what of the materials
// they do not take, and where bodies sink too deep at rest.

#include <string>
#include <vector>

#include "stiction/contact/options.h"
#include "stiction/simulation/model/model.h"

namespace stiction {

// Two shapes that touch by their pressure fields under a law that takes them.
struct FieldPair {
  int shape_A = 0, shape_B = 0;  // in Model::shapes
  double modulus = 0.0;          // Pa/m, kappa of both in series
  double rest_depth = 0.0;       // m, estimated under the weight of the moving one; 0 without weight
  double extent = 0.0;           // m, the smaller of the depths of the compliant ones
};

// A body rests on one of its sides at about the depth m g/(kappa A), A the product of its two larger extents, a ball at
// sqrt(m g/(pi kappa R)).
std::vector<FieldPair> field_pairs(const Model& model);

// Sentences for `check`; empty if no shape has a pressure modulus.
std::vector<std::string> pressure_notes(const Model& model, const ContactOptions& options);

// How many tetrahedra the meshes of the model have, whether they are a field, and what is wrong with them; each volume
// once, for the first shape that has it.
std::vector<std::string> tet_notes(const Model& model);

}  // namespace stiction
