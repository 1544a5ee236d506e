#include "stiction/simulation/scheme/geometric/layers.h"

#include <algorithm>

#include "stiction/math/rotation.h"
#include "stiction/simulation/model_tables.h"

namespace stiction {
namespace {

double elastic_energy(const SoftLayer& layer, const Vec3& d) {
  return layer.is_soft ? 0.5 * d.dot(layer.K * d) : 0.0;
}

// s: what the layer bears, N s.
void add_work(const SoftLayer& layer, const Vec3& d, const Vec3& d0, double core, const Vec3& s, double h,
              LayerWork* work) {
  if (!layer.is_soft) return;
  const Vec3 D = d - d0;
  const Mat3 antisymmetric = 0.5 * (layer.K - layer.K.transpose());
  work->before += elastic_energy(layer, d0);
  work->after += elastic_energy(layer, d);
  work->spring += elastic_energy(layer, D);
  work->damper += D.dot(layer.C * D) / h + D.dot(antisymmetric * d);
  work->core += core * D[0] / h;
  work->pressed += s[0] * D[0] / h;
  work->sheared += s.tail<2>().dot(D.tail<2>()) / h;
  const Vec3 held = h * (layer.K * d) + layer.C * D + core * Vec3::UnitX();
  work->beside += (s - held).dot(D) / h;
}

}  // namespace

PairLayers pair_layers(const Model& model, const GeometricOptions& options, const StepRecord& r, int pair) {
  const ShapePair& of = r.collision.pairs[static_cast<std::size_t>(pair)];
  const std::vector<ContactItem>& items = model.tables().contact->items;
  const ContactMaterial &A = items[of.item_A].material, &B = items[of.item_B].material;
  const bool neither = !A.stiffness && !B.stiffness;
  const auto layer_of = [&](const ContactMaterial& material, int shape) {
    SoftLayer layer;
    const double k = neither ? 2.0 * r.contact.materials[static_cast<std::size_t>(pair)].stiffness
                             : material.stiffness.value_or(0.0);
    layer.is_soft = k > 0.0;
    layer.K = k * Mat3::Identity();
    layer.C = material.relaxation_time.value_or(0.0) * layer.K;
    if (material.max_deflection) layer.most = *material.max_deflection;
    for (const QuasiRigidLayer& given : options.layers) {
      if (given.shape != shape) continue;
      layer.is_soft = true;
      layer.K = given.K;
      layer.C = given.C;
      layer.most = given.max_deflection;
    }
    return layer;
  };
  return {layer_of(A, of.shape_A), layer_of(B, of.shape_B)};
}

LayerWork layer_work(const PairLayers& layers, const GeometricContact& contact, double h) {
  LayerWork work;
  const double p = contact.n.dot(contact.impulse);
  const Vec3 friction = contact.impulse - p * contact.n;
  const Vec3 s(p, -friction.dot(contact.t1), -friction.dot(contact.t2));
  add_work(layers.A, contact.deflection_A, contact.start_A, contact.core_A, s, h, &work);
  add_work(layers.B, contact.deflection_B, contact.start_B, contact.core_B, s, h, &work);
  const double gap = contact.start_distance + contact.start_A[0] + contact.start_B[0];
  work.closing = p * std::max(0.0, gap) / h;
  return work;
}

double layer_energy(const Model& model, const GeometricOptions& options, const StepRecord& r) {
  double energy = 0.0;
  for (const RememberedDeflection& remembered : r.deflections) {
    for (std::size_t k = 0; k < r.collision.pairs.size(); ++k) {
      const ShapePair& pair = r.collision.pairs[k];
      if (pair.shape_A != remembered.shape_A || pair.shape_B != remembered.shape_B) continue;
      if (k >= r.contact.places.size() || r.contact.places[k].begin < 0) continue;
      // In the axes that a step from here would have.
      const ContactPoint& deepest = *std::min_element(
          r.collision.points.begin() + pair.begin, r.collision.points.begin() + pair.end,
          [](const ContactPoint& a, const ContactPoint& b) { return a.distance < b.distance; });
      const Mat3 tangents = frame_with_z(deepest.normal);
      const auto in_axes = [&](double normal, const Vec3& shear) {
        return Vec3(normal, tangents.col(0).dot(shear), tangents.col(1).dot(shear));
      };
      const PairLayers layers = pair_layers(model, options, r, static_cast<int>(k));
      energy += elastic_energy(layers.A, in_axes(remembered.normal_A, remembered.shear_A)) +
                elastic_energy(layers.B, in_axes(remembered.normal_B, remembered.shear_B));
    }
  }
  return energy;
}

}  // namespace stiction
