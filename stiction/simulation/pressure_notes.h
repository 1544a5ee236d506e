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
  int resting = -1;  // of the two, in Model::shapes, the one whose weight they carry; -1: neither has one
  double rest_depth = 0.0;  // m, of the overlap under that weight; infinite: no depth carries it
  double extent = 0.0;      // m, the depth H of the field that gives way most in proportion,
  double rest_share = 0.0;  // and the part of it that it gives way
};

// The lighter of two bodies that move rests on the other one, each on the side that it has towards the other at the start,
// at the depth of geometry/field/rest_depth.h: the depth of the flatter one's plane in the other. Two round ones, whose
// curvatures add up, are sqrt(d1^2 + d2^2) deep.
std::vector<FieldPair> field_pairs(const Model& model);

// Sentences for `check`; empty if no shape has a pressure modulus.
std::vector<std::string> pressure_notes(const Model& model, const ContactOptions& options);

// How many tetrahedra the meshes of the model have, whether they are a field, and what is wrong with them; each volume
// once, for the first shape that has it.
std::vector<std::string> tet_notes(const Model& model);

}  // namespace stiction
