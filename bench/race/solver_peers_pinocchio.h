#pragma once
// Pinocchio's solvers of frictional contact: ADMM, with its three rules for the penalty, without and with
// Anderson acceleration, on a dense and on a sparse Delassus matrix, and projected Gauss-Seidel.

#include "bench/race/solver_peers.h"

namespace stiction::race {

[[gnu::visibility("default")]] SolverPeers pinocchio_solver_peers();

}  // namespace stiction::race
