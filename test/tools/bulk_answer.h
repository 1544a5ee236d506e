#pragma once
// Quantities of a model in many states, in binary, since text would take longer than computing them.
//
// In: for every state q, v, a (acceleration). Out: for every state the arrays of bulk_fields() in their
// order, each a number of entries and the entries. All numbers are doubles of this machine.

#include <iosfwd>
#include <vector>

#include "stiction/simulation/model/model.h"

namespace stiction {

// poses, shape_poses   3 x 4 matrices [R p] by rows, of bodies and of shapes, in the world
// mass_matrix          the blocks of the trees, by rows
// bias, inverse_dynamics
// tendon_lengths, tendon_rows, tendon_columns, tendon_moments       moment arms that are not zero, by entries
// actuator_lengths, actuator_rows, actuator_columns, actuator_moments
const std::vector<const char*>& bulk_fields();

void answer_in_bulk(const Model& model, int num_states, std::istream& in, std::ostream& out);

}  // namespace stiction
