#include "stiction/simulation/actuation/adhesion.h"

#include "stiction/simulation/model_tables.h"

namespace stiction {
namespace {

// Calls use(pair, point, weight) for the points at which a body is pulled. A point of contact has the weight 1; those
// of a patch, together their number, by area.
template <class Use>
void for_each_point(const CollisionModel& shapes, const CollisionRecord& collision, int body,
                    const Use& use) {
  for (const ShapePair& pair : collision.pairs) {
    if ((pair.body_A != body) == (pair.body_B != body)) continue;
    constexpr double kPlaced = 1e-6;  // m, tolerance for shapes that a model places in touch
    const double reach = shapes.margin(pair.item_A, pair.item_B) + kPlaced;
    double areas = 0.0, count = 0.0;
    for (int i = pair.begin; i < pair.end && pair.has_patch; ++i) {
      if (collision.contact(pair, i).distance > reach) continue;
      areas += collision.pressure_points[static_cast<std::size_t>(i)].area;
      count += 1.0;
    }
    for (int i = pair.begin; i < pair.end; ++i) {
      const ContactPoint point = collision.contact(pair, i);
      if (point.distance > reach) continue;
      const double weight =
          pair.has_patch ? count * collision.pressure_points[static_cast<std::size_t>(i)].area / areas : 1.0;
      use(pair, point, weight);
    }
  }
}

}  // namespace

void add_adhesion(const Model& model, const Kinematics& kinematics, const CollisionRecord& collision,
                  VecX* forces, ActuationRecord* actuation) {
  const ModelTables& tables = model.tables();
  for (const AdhesiveBody& adhesive : tables.actuation->adhesive_bodies) {
    const double force = actuation->actuators[adhesive.actuator].force;
    int count = 0;
    for_each_point(*tables.collision, collision, adhesive.body,
                   [&](const ShapePair&, const ContactPoint&, double) { ++count; });
    if (count == 0 || force == 0.0) continue;
    for_each_point(*tables.collision, collision, adhesive.body,
                   [&](const ShapePair& pair, const ContactPoint& point, double weight) {
                     const Vec3 p = point.p_A + 0.5 * point.distance * point.normal,
                                on_A = weight * (force / count) * point.normal;
                     for (double* tau : {forces->data(), actuation->joint_forces.data()}) {
                       add_wrench(model.forest, kinematics, pair.body_A, p, stack<double>(Vec3::Zero(), on_A),
                                  tau);
                       add_wrench(model.forest, kinematics, pair.body_B, p,
                                  stack<double>(Vec3::Zero(), Vec3(-on_A)), tau);
                     }
                   });
  }
}

}  // namespace stiction
