#pragma once
// Grey pictures from PNG files, for height fields. A picture with colours gives its red channel, as in
// MuJoCo; 16 bits keep all of them, where MuJoCo keeps 8. Gamma and transparency are not applied.

#include <string_view>
#include <vector>

namespace stiction {

struct GreyImage {
  int rows = 0, cols = 0;
  std::vector<double> values;  // in [0, 1], row by row from the top; black is 0
};

// Throws UserError with the file name and what libpng says.
GreyImage parse_png(std::string_view bytes, std::string_view file_name);

}  // namespace stiction
