#pragma once
// From what touches to the contact problem: trees, touched bodies and their Jacobians, patches and points.
//
// A point of contact lies halfway between its two witness points. The velocity of bodies that do not move by
// themselves, and the velocity of surfaces (conveyors), is in the bias of the points. Where B does not move
// by itself, A and B change places. Only trees that are touched get numbers.

#include "stiction/constraint/contact_rows.h"
#include "stiction/simulation/state.h"
#include "stiction/simulation/step_record.h"

namespace stiction {

// Needs find_contacts and the free motion of the scheme.
void assemble_problem(const Model& model, const State& now, const ContactOptions& options, StepRecord* r);

}  // namespace stiction
