#pragma once
// The viewer's server: the page, the data of a recording, and live messages over WebSockets, on one port.
//
// It has a thread of its own; the simulation hands it texts and frames and never waits for a client. A slow
// client gets the newest frame when it is ready for one, and misses those in between.
//
// Who may connect: every request needs the token, 128 random bits in the address. The Host of a request must
// be an IP address, localhost or, if the server is bound to more than the loopback device, the name of this
// machine, so that a name that somebody else's DNS points here is refused. A request with an Origin must come
// from the page itself, so that other pages in the same browser cannot use a token that they have seen.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "apps/viewer/audience.h"

namespace stiction::viewer {

struct ServerOptions {
  std::string address = "127.0.0.1";  // to bind to
  int port = 0;                       // 0: any free one
  std::string token;                  // empty: made at random
  std::string page;                   // HTML
  std::vector<std::string> tracks;    // packed, of a recording; none in live mode
};

class ViewServer final : public Audience {
 public:
  // All are called by the server's thread and must not block. Without `received`, messages of pages are
  // answered with an error.
  struct Handlers {
    std::function<void(std::uint64_t viewer)> joined, left;
    std::function<void(std::uint64_t viewer, std::string message)> received;
  };

  // Throws UserError if the address cannot be bound.
  ViewServer(const ServerOptions& options, Handlers handlers);
  // Ends all connections.
  ~ViewServer() override;

  std::string url() const;  // with the token
  int port() const;
  const std::string& token() const;
  std::size_t num_viewers() const;

  void set_stage(std::string stage_json) override;
  void set_status(std::string status_json) override;
  void send_error(std::uint64_t viewer, const std::string& message) override;
  void send_frame(std::size_t track, std::string bytes) override;

 private:
  class Core;
  std::unique_ptr<Core> core_;
};

}  // namespace stiction::viewer
