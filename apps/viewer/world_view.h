#pragma once
// A viewer page for a world that is stepped by the caller's program: it shows the world and changes nothing.

#include <memory>
#include <string>

#include "apps/viewer/frame.h"
#include "apps/viewer/server.h"

namespace stiction::viewer {

class WorldView {
 public:
  // Serves the page and shows the present state. Throws UserError if the address cannot be bound.
  WorldView(const World& world, const Input& input, const ServerOptions& options);

  // Shows the present state; may be called as often as one likes. A world of another model starts a new
  // scene.
  void sync(const World& world, const Input& input);
  std::string url() const { return server_->url(); }
  std::size_t num_viewers() const { return server_->num_viewers(); }

 private:
  void show_stage(const World& world, const Input& input);

  std::unique_ptr<ViewServer> server_;
  std::unique_ptr<FrameMaker> maker_;
  const Model* model_ = nullptr;  // the model of the stage; only compared
  ViewFrame frame_;
  std::int64_t syncs_ = 0;
};

// A page with the present state embedded, for pictures.
std::string page_of_world(const std::string& page, const World& world, const Input& input);

}  // namespace stiction::viewer
