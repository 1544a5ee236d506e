#pragma once
// Siconos' solvers of friction contact (Acary, Bremond, Huber 2018): Gauss-Seidel (NSGS), Newton's method on
// Alart and Curnier's map (NSN_AC), proximal point around it (PROX), and ADMM, with dense and with sparse
// block storage of W and otherwise as Siconos sets them.

#include "bench/race/solver_peers.h"

namespace stiction::race {

SolverPeers siconos_peers();

}  // namespace stiction::race
