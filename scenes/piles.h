#pragma once
// Many bodies on top of each other.

#include "stiction/simulation/model/model.h"

namespace stiction::scenes {

// Columns of spheres (radius 5 cm, 0.524 kg) and cubes (10 cm, 1 kg) that fall, mu 1: the clutter of the
// papers on SAP and ICF. Four columns go into a box of 80 x 80 cm; other (square) numbers of columns stand
// 0.3 m apart.
struct ClutterOptions {
  int bodies = 40;
  int columns = 4;
  bool walls = true;
  double stiffness = 1e7;         // N/m
  double dissipation = 10.0;      // s/m
  double relaxation_time = 1e-4;  // s, for sap
};
Model clutter(const ClutterOptions& options);
Model clutter_of_40();
Model clutter_of_160();

// Cubes of 10 cm and 1 kg, one on the other.
Model box_stack(int boxes);
Model box_stack_of_10();

// Bricks of 24 x 11.5 x 7 cm in courses that overlap by half a brick.
Model brick_wall(int courses, int bricks);
Model brick_wall_of_10();

// Cards of 90 x 60 x 2 mm leaning on each other, `levels` high, with friction mu.
Model card_house(int levels, double mu);
Model card_house_of_3();

// A half-circle of `blocks` wedges between two fixed springers, with friction mu.
Model arch(int blocks, double mu);
Model arch_of_9();

// Twenty dominoes, the first of which is pushed over.
Model dominoes();

}  // namespace stiction::scenes
