#include "test/tools/bulk_answer.h"

#include <istream>
#include <ostream>

#include "stiction/base/check.h"
#include "stiction/multibody/inverse_dynamics.h"
#include "stiction/multibody/kinematics.h"
#include "stiction/multibody/mass_matrix.h"
#include "stiction/simulation/actuation/transmission.h"

namespace stiction {
namespace {

using Numbers = std::vector<double>;

VecX read_vector(std::istream& in, int size) {
  VecX v(size);
  in.read(reinterpret_cast<char*>(v.data()), std::streamsize(sizeof(double)) * size);
  STICTION_USER_CHECK(in.good(), "the states end too early");
  return v;
}

void write(const Numbers& numbers, std::ostream& out) {
  const double count = double(numbers.size());
  out.write(reinterpret_cast<const char*>(&count), sizeof count);
  out.write(reinterpret_cast<const char*>(numbers.data()), std::streamsize(sizeof(double) * numbers.size()));
}

void write(const VecX& v, std::ostream& out) { write(Numbers(v.begin(), v.end()), out); }

void append(const Pose& X, Numbers* numbers) {
  for (int i = 0; i < 3; ++i) numbers->insert(numbers->end(), {X.R(i, 0), X.R(i, 1), X.R(i, 2), X.p[i]});
}

void write_poses(const Model& model, const Kinematics& kinematics, std::ostream& out) {
  const Forest& forest = model.forest;
  Numbers of_bodies, of_shapes;
  for (int b = 0; b < int(forest.bodies.size()); ++b) append(body_pose(forest, kinematics, b), &of_bodies);
  for (const PlacedShape& shape : model.shapes)
    append(body_pose(forest, kinematics, shape.body) * shape.X_BS, &of_shapes);
  write(of_bodies, out);
  write(of_shapes, out);
}

void write_mass_matrix(const Forest& forest, const MassMatrix& M, std::ostream& out) {
  Numbers blocks;
  for (int t = 0; t < int(forest.trees.size()); ++t) {
    // Symmetric, so that columns are rows.
    const MatX block = dense_mass_matrix(forest, M, t);
    blocks.insert(blocks.end(), block.data(), block.data() + block.size());
  }
  write(blocks, out);
}

void write_transmissions(const Numbers& lengths, const MomentRows& moments, std::ostream& out) {
  Numbers rows, columns, values;
  for (int i = 0; i < moments.num_rows(); ++i) {
    for (int k = moments.begin[i]; k < moments.begin[i + 1]; ++k) {
      rows.push_back(i);
      columns.push_back(moments.columns[k]);
      values.push_back(moments.values[k]);
    }
  }
  write(lengths, out);
  for (const Numbers* numbers : {&rows, &columns, &values}) write(*numbers, out);
}

}  // namespace

const std::vector<const char*>& bulk_fields() {
  static const std::vector<const char*> fields = {
      "poses",          "shape_poses",      "mass_matrix",     "bias",           "inverse_dynamics",
      "tendon_lengths", "tendon_rows",      "tendon_columns",  "tendon_moments", "actuator_lengths",
      "actuator_rows",  "actuator_columns", "actuator_moments"};
  return fields;
}

void answer_in_bulk(const Model& model, int num_states, std::istream& in, std::ostream& out) {
  const Forest& forest = model.forest;
  std::vector<VecX> states;
  for (int i = 0; i < num_states; ++i) {
    states.push_back(read_vector(in, forest.num_q));
    states.push_back(read_vector(in, forest.num_v));
    states.push_back(read_vector(in, forest.num_v));
  }
  const Transmissions transmissions(model);
  TransmissionState at(transmissions);
  Kinematics kinematics(forest);
  NodeForces work(forest);
  MassMatrix M(forest);
  VecX bias(forest.num_v), inverse(forest.num_v);
  for (std::size_t i = 0; i < states.size(); i += 3) {
    const VecX &q = states[i], &v = states[i + 1], &a = states[i + 2];
    compute_positions(forest, q.data(), &kinematics);
    compute_velocities(forest, v.data(), &kinematics);
    compute_mass_matrix(forest, kinematics, &M);
    compute_bias(forest, kinematics, &work, bias.data());
    inverse_dynamics(forest, kinematics, a.data(), &work, inverse.data());

    write_poses(model, kinematics, out);
    write_mass_matrix(forest, M, out);
    write(bias, out);
    write(inverse, out);
    transmissions.compute(kinematics, q.data(), &at);
    write_transmissions(at.tendon_lengths, at.tendon_rows, out);
    write_transmissions(at.actuator_lengths, at.actuator_rows, out);
  }
}

}  // namespace stiction
