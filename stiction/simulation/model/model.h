#pragma once
// A model: the forest of bodies and joints with the named frames and shapes on it. Immutable once built;
// worlds, rollouts and threads share one.
//
// What a step needs of a model beyond these lists (collision shapes with their bounds, materials of pairs,
// actuators and constraints with their names looked up) is compiled once, into the tables of
// simulation/model_tables.h.

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "stiction/constraint/material.h"
#include "stiction/geometry/shape/shape.h"
#include "stiction/multibody/tree.h"
#include "stiction/simulation/model/elements.h"

namespace stiction {

struct Frame {
  std::string name;
  int body = 0;
  Pose X_BF;
};

struct PlacedShape {
  std::string name;
  int body = 0;
  Pose X_BS;
  Shape shape;
  double rounding = 0.0;    // m, the shape collides as its Minkowski sum with a ball of this radius
  ContactMaterial contact;  // of its surface
  Vec3 surface_velocity = Vec3::Zero();  // m/s, of its surface against the body, in B: a conveyor belt
};

// Parameters of one pair of shapes, which replace those given by rules or by a file.
struct PairOverride {
  std::pair<int, int> shapes;  // in Model::shapes, the smaller first
  std::optional<double> friction;
  std::optional<double> stiffness;        // N/m
  std::optional<double> dissipation;      // s/m
  std::optional<double> relaxation_time;  // s
  std::optional<double> restitution;
};

// The numbers of a pair by their names, for files and for everything that treats all of them alike.
struct PairNumber {
  const char* name;
  std::optional<double> PairOverride::*number;
};
inline constexpr PairNumber kPairNumbers[] = {{"friction", &PairOverride::friction},
                                              {"stiffness", &PairOverride::stiffness},
                                              {"dissipation", &PairOverride::dissipation},
                                              {"relaxation_time", &PairOverride::relaxation_time},
                                              {"restitution", &PairOverride::restitution}};

struct Model;
struct ModelTables;

// The compiled tables of one model: made when they are first needed, by one thread. A copy of a model may
// be changed before it is used, so it starts without tables.
class CompiledTables {
 public:
  CompiledTables() = default;
  CompiledTables(const CompiledTables&) {}
  CompiledTables(CompiledTables&& other) noexcept;
  CompiledTables& operator=(const CompiledTables&);
  CompiledTables& operator=(CompiledTables&& other) noexcept;

  const ModelTables& of(const Model& model) const;
  std::shared_ptr<const ModelTables> shared(const Model& model) const;
  void set(std::shared_ptr<const ModelTables> tables);

 private:
  mutable std::mutex mutex_;  // while they are made
  mutable std::shared_ptr<const ModelTables> tables_;
  mutable std::atomic<const ModelTables*> ready_ = nullptr;
};

struct Model {
  std::string name;
  Forest forest;
  std::vector<Frame> frames;
  std::vector<PlacedShape> shapes;
  VecX q0;  // where a new State starts: the reference position unless the builder was told otherwise
  VecX v0;  // its velocities; empty: at rest
  Elements elements;  // everything else that a model file contains
  std::vector<PairOverride> pair_overrides;
  CompiledTables compiled;

  // simulation/model_tables.h
  const ModelTables& tables() const { return compiled.of(*this); }

  int num_q() const { return forest.num_q; }
  int num_v() const { return forest.num_v; }
  // Index by name; throws UserError with the closest name there is.
  int body(std::string_view name) const;
  int joint(std::string_view name) const;
  int frame(std::string_view name) const;
  int shape(std::string_view name) const;
  int actuator(std::string_view name) const;  // or its number from 0
  int num_activations() const;                // of the actuators that have one
};

}  // namespace stiction
