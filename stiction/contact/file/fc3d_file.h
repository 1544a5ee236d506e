#pragma once
// Problems of contact with Coulomb friction in the format of collections that others share (fc-json/1): find
// impulses r and velocities u, by contact (normal, t1, t2), with
//
//   u = W r + q,    r in K = {|r_t| <= mu r_n},    u + mu |u_t| n in K*,    r orthogonal to that,
//
// where W and q may come from a global problem, M v = H r + f and u = H' v + w:
//
//   W = H' M^-1 H,    q = H' M^-1 f + w.
//
// W is taken as it is, also where rounding made it unsymmetric. docs/problem_files.md describes the format.
// Rows of a DualProblem are ordered (t1, t2, normal) instead; R is zero.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stiction/contact/dual/problem.h"

namespace stiction {

// A sparse matrix as a list; entries at the same place add up.
struct SparseEntries {
  struct Entry {
    int row = 0, column = 0;
    double value = 0.0;
  };
  int rows = 0, columns = 0;
  std::vector<Entry> entries;
};

struct Fc3dProblem {
  struct Global {
    SparseEntries M, H;
    VecX f, w;
  };

  std::string name;
  std::vector<double> friction;  // mu, by contact
  SparseEntries W;               // rows (normal, t1, t2) by contact
  VecX q;
  std::optional<Global> global;

  int num_contacts() const { return static_cast<int>(friction.size()); }
};

inline constexpr const char* kFc3dFormat = "fc-json/1";

// `file` is the name that messages begin with. Throws UserError for what is not a problem in space.
Fc3dProblem fc3d_from_json(std::string_view text, const std::string& file);
std::string fc3d_to_json(const Fc3dProblem& problem);

Fc3dProblem load_fc3d_problem(const std::filesystem::path& file);
void save_fc3d(const Fc3dProblem& problem, const std::filesystem::path& file);

// With explicit W.
DualProblem dual_of(const Fc3dProblem& problem);
DualProblem load_fc3d(const std::filesystem::path& file);

// Impulses or velocities of a dual problem as those of the file, (t1, t2, normal) to (normal, t1, t2), and
// back.
VecX in_file_order(const VecX& rows);
VecX in_dual_order(const VecX& rows);

}  // namespace stiction
