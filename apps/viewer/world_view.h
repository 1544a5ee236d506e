#pragma once
// The page of a world that a program steps itself: it shows what the program tells it to, and changes
// nothing.

#include <memory>
#include <string>

#include "apps/viewer/frame.h"
#include "apps/viewer/server.h"

namespace stiction::viewer {

class WorldView {
 public:
  // Serves the page and shows the world as it is now. Throws UserError where the address cannot be bound to.
  WorldView(const World& world, const Input& input, const ServerOptions& options);

  // Shows the world as it is now; to be called as often as one likes. A world of another model is another
  // scene.
  void sync(const World& world, const Input& input);
  std::string url() const { return server_->url(); }
  std::size_t num_viewers() const { return server_->num_viewers(); }

 private:
  void show_stage(const World& world, const Input& input);

  std::unique_ptr<ViewServer> server_;
  std::unique_ptr<FrameMaker> maker_;
  const Model* model_ = nullptr;  // that the stage is of; only compared
  ViewFrame frame_;
  std::int64_t syncs_ = 0;
};

// A page with the world as it is now inside, for pictures.
std::string page_of_world(const std::string& page, const World& world, const Input& input);

}  // namespace stiction::viewer
