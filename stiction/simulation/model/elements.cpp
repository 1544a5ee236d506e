#include "stiction/simulation/model/elements.h"

#include <algorithm>
#include <utility>

#include "stiction/math/rotation.h"

namespace stiction {
namespace {

class Renaming {
 public:
  explicit Renaming(const ElementsPlace& place) : place_(place) {}

  void name(std::string* text) const {
    if (!text->empty()) *text = place_.prefix + *text;
  }
  void body(std::string* text) const {
    if (*text == "world")
      *text = place_.world;
    else
      name(text);
  }
  // The name of a frame; the world's frame has none.
  void frame(std::string* text) const { *text = place_.prefix + (text->empty() ? "world" : *text); }
  // The name of an object of one of MJCF's types.
  void object(const std::string& type, std::string* text) const {
    if (type == "body" || type == "xbody" || type == "subtree")
      body(text);
    else
      name(text);
  }

 private:
  const ElementsPlace& place_;
};

void rename(const Renaming& to, Equality* equality) {
  to.name(&equality->name);
  const bool has_bodies = (equality->kind == EqualityKind::connect || equality->kind == EqualityKind::weld) &&
                          !equality->between_sites;
  for (std::string* object : {&equality->object1, &equality->object2}) {
    if (has_bodies)
      to.body(object);
    else if (equality->between_sites)
      to.frame(object);
    else
      to.name(object);
  }
}

// An empty second body, or "world", is the other model's world; it is replaced by a body, whose frame may
// differ.
void move_world(const ElementsPlace& place, Equality* equality) {
  const bool has_bodies = (equality->kind == EqualityKind::connect || equality->kind == EqualityKind::weld) &&
                          !equality->between_sites;
  if (!has_bodies) return;
  const auto is_world = [](const std::string& name) { return name.empty() || name == "world"; };
  const bool is_given = equality->relative_quaternion.norm() > 0.0;
  Pose X_12{rotation_from_quaternion<double>(is_given ? equality->relative_quaternion : Vec4(1, 0, 0, 0)),
            equality->relative_position};
  if (is_world(equality->object1)) {
    if (equality->kind == EqualityKind::connect) equality->anchor = place.X_world * equality->anchor;
    X_12 = place.X_world * X_12;
  }
  if (is_world(equality->object2)) {
    equality->object2 = "world";
    if (equality->kind == EqualityKind::weld) equality->anchor = place.X_world * equality->anchor;
    X_12 = X_12 * place.X_world.inverse();
  }
  if (!is_given) return;
  equality->relative_quaternion = quaternion_from_rotation(X_12.R);
  equality->relative_position = X_12.p;
}

void rename(const Renaming& to, Tendon* tendon) {
  to.name(&tendon->name);
  to.name(&tendon->material);
  for (TendonWrap& wrap : tendon->wraps) {
    to.name(&wrap.name);
    to.name(&wrap.side_site);
  }
}

void rename(const Renaming& to, Actuator* actuator) {
  to.name(&actuator->name);
  if (actuator->transmission == TransmissionKind::body)
    to.body(&actuator->target);
  else
    to.name(&actuator->target);
  to.name(&actuator->reference_site);
  to.name(&actuator->slider_site);
}

void rename(const Renaming& to, Sensor* sensor) {
  to.name(&sensor->name);
  to.object(sensor->object_type, &sensor->object);
  to.object(sensor->reference_type, &sensor->reference);
}

// Children of the other model's world become children of a body, at another pose.
void place_on_body(const ElementsPlace& place, std::string* body, Pose* X) {
  if (*body == "world") *X = place.X_world * *X;
  Renaming(place).body(body);
}

}  // namespace

int activation_count(const Actuator& actuator) {
  const PidController& pid = actuator.pid;
  if (pid.is_used) return (pid.integral != 0.0 ? 1 : 0) + (pid.fastest >= 0.0 ? 1 : 0);
  return has_activation(actuator) ? 1 : 0;
}

bool has_activation(const Actuator& actuator) {
  if (actuator.pid.is_used) return activation_count(actuator) > 0;
  return actuator.dynamics == "integrator" || actuator.dynamics == "filter" ||
         actuator.dynamics == "filterexact" || actuator.dynamics == "muscle";
}

bool names_the_world_frame(const Elements& elements) {
  const auto has_end = [](const auto& closure) { return closure.frame1.empty() || closure.frame2.empty(); };
  bool found = false;
  for_each_frame_constraint([&](const auto& row) {
    const auto& items = elements.*row.items;
    found = found || std::any_of(items.begin(), items.end(), has_end);
  });
  return found || std::any_of(elements.equalities.begin(), elements.equalities.end(), [](const Equality& e) {
           return e.between_sites && (e.object1.empty() || e.object2.empty());
         });
}

void append(const Elements& other, const ElementsPlace& place, Elements* elements) {
  const Renaming to(place);
  const auto append_all = [](const auto& from, auto* items, const auto& change) {
    for (auto item : from) {
      change(&item);
      items->push_back(std::move(item));
    }
  };

  // Shapes keep the indices of Model::shapes.
  if (!other.shapes.empty() || !elements->shapes.empty()) {
    elements->shapes.resize(place.num_shapes);
    append_all(other.shapes, &elements->shapes, [&](ShapeProperties* p) { to.name(&p->material); });
    elements->shapes.resize(place.num_shapes + place.num_other_shapes);
  }
  elements->mujoco_contact = elements->mujoco_contact || other.mujoco_contact;
  append_all(other.sites, &elements->sites, [&](Site* s) {
    to.name(&s->frame);
    to.name(&s->material);
  });
  append_all(other.excludes, &elements->excludes, [&](ContactExclude* e) {
    to.name(&e->name);
    to.body(&e->body1);
    to.body(&e->body2);
  });
  append_all(other.collision_groups, &elements->collision_groups, [&](CollisionGroup* g) {
    to.name(&g->name);
    for (std::string& body : g->bodies) to.body(&body);
    for (std::string& shape : g->shapes) to.name(&shape);
    for (std::string& group : g->ignores) to.name(&group);
  });
  append_all(other.pairs, &elements->pairs, [&](ContactPair* p) {
    to.name(&p->name);
    to.name(&p->shape1);
    to.name(&p->shape2);
  });
  append_all(other.equalities, &elements->equalities, [&](Equality* e) {
    move_world(place, e);
    rename(to, e);
  });
  for_each_frame_constraint([&](const auto& row) {
    append_all(other.*row.items, &(elements->*row.items), [&](auto* constraint) {
      to.name(&constraint->name);
      to.frame(&constraint->frame1);
      to.frame(&constraint->frame2);
    });
  });
  append_all(other.tendons, &elements->tendons, [&](Tendon* t) { rename(to, t); });
  append_all(other.actuators, &elements->actuators, [&](Actuator* a) { rename(to, a); });
  append_all(other.joint_actuation, &elements->joint_actuation,
             [&](JointActuation* j) { to.name(&j->joint); });
  append_all(other.sensors, &elements->sensors, [&](Sensor* s) { rename(to, s); });
  append_all(other.inertial_axes, &elements->inertial_axes, [&](InertialAxes* a) { to.body(&a->body); });
  append_all(other.materials, &elements->materials, [&](Material* m) {
    to.name(&m->name);
    to.name(&m->texture);
  });
  append_all(other.textures, &elements->textures, [&](Texture* t) { to.name(&t->name); });
  append_all(other.cameras, &elements->cameras, [&](Camera* c) {
    to.name(&c->name);
    to.body(&c->target);
    place_on_body(place, &c->body, &c->X_BC);
  });
  append_all(other.lights, &elements->lights, [&](Light* l) {
    to.name(&l->name);
    to.body(&l->target);
    if (l->body == "world") {
      l->position = place.X_world * l->position;
      l->direction = place.X_world.R * l->direction;
    }
    to.body(&l->body);
  });
  append_all(other.numbers, &elements->numbers, [&](CustomNumbers* n) { to.name(&n->name); });
  append_all(other.texts, &elements->texts, [&](CustomText* t) { to.name(&t->name); });
  append_all(other.gravity_compensation, &elements->gravity_compensation,
             [&](GravityCompensation* g) { to.body(&g->body); });
  append_all(other.mocap_bodies, &elements->mocap_bodies, [&](std::string* b) { to.name(b); });
}

}  // namespace stiction
