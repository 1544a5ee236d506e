#pragma once
// Many bodies on top of each other.

#include <cstdint>

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
  std::uint64_t seed = 1;         // which objects, how they are turned and where they begin
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

// Books of 24 x 17 x 3 cm and 0.86 kg lying on each other on the floor, 1e9 N/m, mu 0.5. The near-rigid rule of sap
// knows one book, while the lowest contact carries all of them: it sinks `books` times as deep as that of a book
// alone (S section VIII). Taken with ContactOptions::beta = book_pile_beta(books) it sinks as that of one book does.
Model book_pile(int books);
Model book_pile_of_20();
// R_n of S eq. 29 grows with beta^2, the load with the number of books.
double book_pile_beta(int books);

// Cards of 90 x 60 x 2 mm leaning on each other, `levels` high, with friction mu.
Model card_house(int levels, double mu);
Model card_house_of_3();

// A half-circle of `blocks` wedges between two fixed springers, with friction mu.
Model arch(int blocks, double mu);
Model arch_of_9();

// Twenty dominoes, the first of which is pushed over.
Model dominoes();

}  // namespace stiction::scenes
