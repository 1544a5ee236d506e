// The viewer: a page that shows a world, and pictures without a screen. stiction/_view.py is what people
// call.

#include <memory>
#include <mutex>

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>

#include "apps/viewer/page.h"
#include "apps/viewer/picture.h"
#include "apps/viewer/world_picture.h"
#include "apps/viewer/world_view.h"
#include "python/bindings/arrays.h"
#include "python/bindings/bindings.h"
#include "python/bindings/casters.h"
#include "python/bindings/simulation/batch.h"
#include "python/bindings/simulation/py_world.h"
#include "stiction/base/check.h"

namespace stiction::python {
namespace {

using namespace nb::literals;
using Pixels = nb::ndarray<nb::numpy, std::uint8_t, nb::ndim<3>, nb::c_contig>;

std::unique_ptr<viewer::WorldView> serve(PyWorld& world, const std::string& page, const std::string& address,
                                         int port) {
  viewer::ServerOptions options;
  options.address = address;
  options.port = port;
  options.page = viewer::load_page(page);
  World& ready = world.ready();
  world.push_inputs();
  return std::make_unique<viewer::WorldView>(ready, ready.input(), options);
}

// A browser takes a second to start: the last one stays for the next picture of the same size.
class Painters {
 public:
  viewer::Picture paint(const std::string& html, const viewer::PictureSize& size, const std::string& camera) {
    const std::scoped_lock lock(mutex_);
    const bool fits = painter_ && size.width == size_.width && size.height == size_.height;
    try {
      if (fits)
        painter_->load(html, camera);
      else
        painter_ = std::make_unique<viewer::PagePainter>(html, size, camera);
      size_ = size;
      return viewer::decode_png(painter_->png(0.0));
    } catch (...) {
      painter_.reset();
      throw;
    }
  }
  void close() {
    const std::scoped_lock lock(mutex_);
    painter_.reset();
  }

 private:
  std::mutex mutex_;
  std::unique_ptr<viewer::PagePainter> painter_;
  viewer::PictureSize size_;
};

Painters& painters() {
  static Painters all;
  return all;
}

// Meshes that pictures share.
struct Meshes {
  std::mutex mutex;
  viewer::ShapeMeshes all;
};

Meshes& meshes() {
  static Meshes shared;
  return shared;
}

Pixels pixels_of(std::unique_ptr<viewer::Picture> picture) {
  const std::size_t rows = static_cast<std::size_t>(picture->height),
                    columns = static_cast<std::size_t>(picture->width);
  std::uint8_t* data = picture->rgb.data();
  const nb::capsule owner(picture.release(),
                          [](void* p) noexcept { delete static_cast<viewer::Picture*>(p); });
  return Pixels(data, {rows, columns, 3}, owner);
}

// Without a browser.
Pixels draw(const Model& model, const std::vector<viewer::ViewPose>& poses, const std::string& camera,
            int width, int height, const viewer::ViewPolygons& patches = {},
            viewer::PatchColour by = viewer::PatchColour::pressure) {
  const viewer::PictureSize size = viewer::parse_size(format("{}x{}", width, height));
  const viewer::DrawingCamera from = viewer::drawing_camera(model, poses, camera, size);
  auto picture = std::make_unique<viewer::Picture>();
  {
    const nb::gil_scoped_release release;
    const std::scoped_lock lock(meshes().mutex);
    *picture = viewer::draw_model(model, poses, from, size, &meshes().all, patches, by);
  }
  return pixels_of(std::move(picture));
}

// patches: "pressure", "slip" or "", none.
Pixels draw_world(PyWorld& world, const std::string& camera, int width, int height,
                  const std::string& patches) {
  STICTION_USER_CHECK(patches.empty() || patches == "pressure" || patches == "slip",
                      "patches are coloured by 'pressure' or 'slip', not '{}'", patches);
  World& ready = world.ready();
  world.push_inputs();
  return draw(ready.model(), viewer::poses_of(ready.model(), ready.state(), ready.input()), camera, width,
              height, patches.empty() ? viewer::ViewPolygons() : viewer::patches_of(ready, ready.input()),
              patches == "slip" ? viewer::PatchColour::slip : viewer::PatchColour::pressure);
}

Pixels draw_of_batch(Batch& batch, int index, const std::string& camera, int width, int height) {
  World& world = batch.world(index);
  return draw(world.model(), viewer::poses_of(world.model(), world.state(), world.input()), camera, width,
              height);
}

// Eye and target (m) of a camera by its name.
std::pair<Vec3, Vec3> camera_of_batch(Batch& batch, int index, const std::string& camera) {
  World& world = batch.world(index);
  const viewer::DrawingCamera from = viewer::drawing_camera(
      world.model(), viewer::poses_of(world.model(), world.state(), world.input()), camera, {640, 480});
  return {from.eye.cast<double>(), from.target.cast<double>()};
}

Pixels render(PyWorld& world, const std::string& page, const std::string& camera, int width, int height) {
  viewer::check_camera(camera);
  const viewer::PictureSize size = viewer::parse_size(format("{}x{}", width, height));
  World& ready = world.ready();
  world.push_inputs();
  const std::string html = viewer::page_of_world(viewer::load_page(page), ready, ready.input());
  auto picture = std::make_unique<viewer::Picture>();
  {
    const nb::gil_scoped_release release;
    *picture = painters().paint(html, size, camera);
  }
  return pixels_of(std::move(picture));
}

}  // namespace

void bind_view(nb::module_& m) {
  nb::class_<viewer::WorldView>(m, "_WorldView", "The server of a page that shows a world.")
      .def_prop_ro("url", &viewer::WorldView::url, "Its address, with the token.")
      .def_prop_ro("num_viewers", &viewer::WorldView::num_viewers, "Pages that are open.")
      .def(
          "sync",
          [](viewer::WorldView& view, PyWorld& world) {
            World& ready = world.ready();
            world.push_inputs();
            view.sync(ready, ready.input());
          },
          "world"_a, "Shows the world as it is now.");
  m.def("_serve_world", &serve, "world"_a, "page"_a, "address"_a, "port"_a,
        "Serves a page that shows the world; without a page, the one that was built.");
  m.def("_render_world", &render, "world"_a, "page"_a, "camera"_a, "width"_a, "height"_a,
        "A picture of the world: rows from the top, red, green and blue.");
  m.def("_draw_world", &draw_world, "world"_a, "camera"_a, "width"_a, "height"_a, "patches"_a = "",
        "The same without a browser: shapes, ground, light and shadows.");
  m.def("_draw_of_batch", &draw_of_batch, "batch"_a, "world"_a, "camera"_a, "width"_a, "height"_a,
        "A picture of one world of a batch.");
  m.def("_camera_of_batch", &camera_of_batch, "batch"_a, "world"_a, "camera"_a,
        "Eye and target (m) from which a camera sees a world of a batch.");
  m.def(
      "_close_renderer", [] { painters().close(); }, "Ends the browser that draws pictures.");
}

}  // namespace stiction::python
