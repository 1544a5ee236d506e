#pragma once
// Bodies that slide, stick, or are pushed.

#include "stiction/simulation/model/model.h"

namespace stiction::scenes {

// A cube of 10 cm and 1 kg on a slope of `angle` (rad) with friction mu.
Model slope(double angle, double mu);
Model slope_of_20_degrees();

// A cube of 10 cm and 1 kg that slides over the floor at 1 m/s, mu 0.5.
Model sliding_block();

// A cube of 1 kg, mu 0.5, pushed horizontally at its foot by a constant force (N) from a spring.
Model push(double force);
Model push_below_the_limit();

// A 1 kg, 5 cm box on a belt that runs at 1 m/s, mu 0.7.
Model conveyor();

// A steel ball of 0.5 kg and 5 cm across that falls 5 cm with a horizontal velocity of 2 m/s, mu 0.5 (I
// section XI-B).
Model falling_sphere();

// A rod of 0.5 m and 0.3 kg, 30 degrees from the horizontal, that slides on its tip at 10 m/s, mu 2.3:
// Painleve's paradox (I section XI-C).
Model sliding_rod();

// A plate of 3 kg on three feet 1.5 m from its centre.
Model three_point_plate();

// A box of 40 x 40 x 10 cm and 1 kg, mu 0.5, dragged at 1 m/s along x by a damper of 1e4 N s/m.
Model dragged_box();

}  // namespace stiction::scenes
