#include "scenes/catalog.h"

#include <string>

#include "scenes/all_joints.h"
#include "scenes/arm.h"
#include "scenes/driven_robots.h"
#include "scenes/free_bodies_and_arms.h"
#include "scenes/geometric.h"
#include "scenes/hand.h"
#include "scenes/humanoid.h"
#include "scenes/mechanisms.h"
#include "scenes/pendulums.h"
#include "scenes/piles.h"
#include "scenes/pressure_fields.h"
#include "scenes/quadruped.h"
#include "scenes/rollers.h"
#include "scenes/sliders.h"
#include "stiction/base/check.h"
#include "stiction/simulation/model/name_lookup.h"

namespace stiction {

const std::vector<SceneEntry>& scene_catalog() {
  static const std::vector<SceneEntry> catalog = {
      {"pendulum", "A rod on a hinge, 30 degrees off the vertical.", scenes::pendulum},
      {"double_pendulum", "Two rods on parallel hinges, held level: chaotic.", scenes::double_pendulum},
      {"spring_mass", "A block on a vertical slide and a spring.", scenes::spring_mass},
      {"spinning_body", "A free brick with three different principal moments, without gravity.",
       scenes::spinning_body},
      {"chain", "Fifty links on hinges, stretched out level from the world.", scenes::chain},
      {"arm", "An arm of seven hinges on a fixed base.", scenes::arm},
      {"hand", "A fixed palm with three fingers and a thumb of four hinges each.", scenes::hand},
      {"quadruped", "A four-legged robot with twelve hinges and a free trunk.", scenes::quadruped},
      {"humanoid", "A humanoid with 24 hinges and a free pelvis.", scenes::humanoid},
      {"free_bodies_and_arms", "Forty free bodies between two arms.", scenes::free_bodies_and_arms},
      {"all_joints", "Every kind of joint in one tree on a fixed pedestal.", scenes::all_joints},
      {"all_joints_free", "Every kind of joint on a free base.", scenes::all_joints_free},
      {"all_joints_mujoco", "Every kind of joint that MuJoCo has, on a fixed pedestal.",
       scenes::all_joints_mujoco},
      {"clutter", "Forty spheres and cubes that fall into a box.", scenes::clutter_of_40},
      {"clutter_160", "A hundred and sixty spheres and cubes that fall into a box.", scenes::clutter_of_160},
      {"box_stack", "Ten cubes on top of each other.", scenes::box_stack_of_10},
      {"book_pile", "Twenty books on top of each other: too much for sap's near-rigid rule.",
       scenes::book_pile_of_20},
      {"brick_wall", "Ten courses of ten bricks.", scenes::brick_wall_of_10},
      {"card_house", "Three levels of cards that lean on each other.", scenes::card_house_of_3},
      {"arch", "Nine wedges between two springers.", scenes::arch_of_9},
      {"dominoes", "Twenty dominoes, the first of which falls.", scenes::dominoes},
      {"slope", "A cube that sticks on a slope of 20 degrees.", scenes::slope_of_20_degrees},
      {"sliding_block", "A cube that slides to a stop.", scenes::sliding_block},
      {"push", "A cube pushed a little less than friction holds.", scenes::push_below_the_limit},
      {"conveyor", "A box on a running belt.", scenes::conveyor},
      {"falling_sphere", "A ball that falls, slides and rolls.", scenes::falling_sphere},
      {"sliding_rod", "A rod that slides on its tip, jams and jumps.", scenes::sliding_rod},
      {"three_point_plate", "A plate on three feet.", scenes::three_point_plate},
      {"dragged_box", "A flat box dragged at 1 m/s.", scenes::dragged_box},
      {"spring_cylinder", "A cylinder that rolls to and fro on a spring.", scenes::rolling_spring_cylinder},
      {"rolling_sphere", "A sphere that rolls down a slope of 15 degrees.",
       scenes::rolling_sphere_on_15_degrees},
      {"bowling", "A ball thrown without spin.", scenes::bowling},
      {"lawn_ball", "A ball that rolls to a stop.", scenes::lawn_ball},
      {"spinning_top", "A top that slows by the friction of its tip.", scenes::spinning_top},
      {"newtons_cradle", "Five steel balls on pendulums.", scenes::newtons_cradle},
      {"rattleback", "A stone that turns back when spun the wrong way.", scenes::rattleback},
      {"four_bar", "A crank, a coupler and a rocker that close a loop, driven.", scenes::driven_four_bar},
      {"slider_crank", "A crank that drives a slider to and fro.", scenes::driven_slider_crank},
      {"gripper", "Two fingers that squeeze a cube and hold it.", scenes::gripper_with_cube},
      {"quadruped_standing", "The quadruped drops and stands under its servos.", scenes::quadruped_standing},
      {"quadruped_trotting", "The quadruped trots open loop.", scenes::quadruped_trotting, scenes::trot},
      {"humanoid_standing", "The humanoid drops and stands under its servos.", scenes::humanoid_standing},
      {"hand_with_ball", "The hand closes around a ball on its palm.", scenes::hand_with_ball},
      {"rolling_disc", "A disc that rolls in a plane.", scenes::rolling_disc},
      {"sphere_on_two_spheres", "A sphere that rolls and slides off two fixed ones.",
       scenes::sphere_on_two_spheres},
      {"disc_on_shallow_layer", "A disc that falls through a soft layer on its core.",
       scenes::disc_on_shallow_layer},
      {"disc_on_deep_layer", "A disc that bounces on a soft layer.", scenes::disc_on_deep_layer},
      {"ellipsoid_on_slope", "An ellipsoid that rolls down a slope.", scenes::ellipsoid_on_slope},
      {"superellipsoids_in_bowl", "Five superellipsoids that fall into a bowl.",
       scenes::superellipsoids_in_bowl},
      {"gear_in_jaws", "Two jaws that close on a gear.", scenes::gear_in_jaws_at_sweet_spot},
      {"soft_pile", "Seven bodies, six of them with pressure fields, that fall on each other.",
       scenes::soft_pile},
      {"bubble_gripper", "Two soft bubbles that hold a spatula by its handle.", scenes::bubble_gripper,
       scenes::grip_of_bubbles},
  };
  return catalog;
}

const SceneEntry* find_scene(std::string_view name) {
  for (const SceneEntry& entry : scene_catalog()) {
    if (entry.name == name) return &entry;
  }
  return nullptr;
}

Model make_scene(std::string_view name) {
  if (const SceneEntry* found = find_scene(name)) return found->make();
  std::vector<std::string> names;
  for (const SceneEntry& entry : scene_catalog()) names.push_back(entry.name);
  std::string known;
  for (const std::string& one : names) known += (known.empty() ? "" : ", ") + one;
  throw_user_error(format("{} (scenes: {})", unknown_name_message("scene", name, names), known));
}

}  // namespace stiction
