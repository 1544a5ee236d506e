#pragma once
// A model as JSON, and back: everything that a Model holds, with the same bits in every number.
//
//   std::string text = model_to_json(model);
//   Model same = model_from_json(text);
//
// The schema is our own; it has a version, and docs/export.md describes it. Reading is strict: a key that is
// missing or not known, a wrong type or a number of elements that does not fit is a UserError that names the
// place, `robot.json: bodies[3].joints[0].axis: ...`. Older versions are read too (docs/file_formats.md).

#include <filesystem>
#include <string>
#include <string_view>

#include "stiction/base/format_version.h"
#include "stiction/simulation/model/model.h"

namespace stiction {

inline constexpr FileFormat kModelJson = {.plural = "stiction models", .version = 2};
inline constexpr FileFormat kShapeJson = {.plural = "stiction shapes", .version = 2};

// Throws UserError if a name is not UTF-8.
std::string model_to_json(const Model& model);

// `file` is the name in errors.
Model model_from_json(std::string_view text, const std::string& file = "model.json");

// One shape by itself, with its hull, mesh or terrain; read as strictly.
std::string shape_to_json(const Shape& shape);
Shape shape_from_json(std::string_view text, const std::string& file = "shape.json");

void save_model_json(const Model& model, const std::filesystem::path& file);
Model load_model_json(const std::filesystem::path& file);

}  // namespace stiction
