// Any text as a scene file: a scene whose model moves for a step under its inputs and that can be written, or
// UserError.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "fuzz/loaded_model.h"
#include "stiction/io/scene_file/scene_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace stiction;
  SceneFileOptions options;
  options.allow_files = false;
  options.max_objects = 50;
  return fuzz::try_model([&](CompatibilityReport* report) {
    Scene scene = parse_scene(std::string_view(reinterpret_cast<const char*>(data), size), "fuzz.toml",
                              options, report);
    try {
      World world = make_world(scene);
      world.step();
    } catch (const SimulationError&) {
    }
    // Written and read again, it is the same.
    const std::string text = write_scene(scene, "");
    STICTION_ASSERT(write_scene(parse_scene(text, "again.toml", options), "") == text);
    return std::move(scene.model);
  });
}
