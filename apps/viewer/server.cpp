#include "apps/viewer/server.h"

#include <array>
#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

#include <boost/asio.hpp>
#include <boost/beast.hpp>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "apps/viewer/outbox.h"
#include "apps/viewer/request_check.h"
#include "stiction/base/check.h"

namespace stiction::viewer {
namespace {

namespace net = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using tcp = net::ip::tcp;
using boost::system::error_code;

constexpr std::size_t kMostViewers = 64, kMostConnections = 256;
constexpr std::size_t kMostIncoming = std::size_t{64} << 10;              // bytes of a WebSocket message
constexpr std::size_t kMostHeader = std::size_t{8} << 10, kMostBody = 0;  // bytes of a request
constexpr std::chrono::seconds kReadTime(15), kWriteTime(120);

Text text_of(std::string text) { return std::make_shared<const std::string>(std::move(text)); }

Text error_message(const std::string& message) {
  using Json = nlohmann::json;
  const Json json = {{"type", "error"}, {"message", message}};
  return text_of(json.dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace

class ViewServer::Core {
 public:
  Core(const ServerOptions& options, Handlers handlers)
      : options_(options),
        handlers_(std::move(handlers)),
        page_(text_of(options.page)),
        acceptor_(io_),
        retry_(io_) {
    if (options_.token.empty()) options_.token = random_token();
    for (std::string& track : options_.tracks) tracks_.push_back(text_of(std::move(track)));
    options_.tracks.clear();
    options_.page.clear();
    bind();
    accept();
    thread_ = std::thread([this] { io_.run(); });
  }

  ~Core() {
    io_.stop();
    thread_.join();
  }

  std::string url() const;
  int port() const { return acceptor_port_; }
  const std::string& token() const { return options_.token; }
  std::size_t num_viewers() const { return num_viewers_; }

  // From any thread: puts something into the mailbox, which the server's thread empties.
  template <class Put>
  void mail(const Put& put) {
    bool is_first = false;
    {
      const std::scoped_lock lock(mutex_);
      put(&mailbox_);
      is_first = !std::exchange(is_mailed_, true);
    }
    if (is_first) net::post(io_, [this] { deliver(); });
  }

  struct Mailbox : Outbox {
    Text raw_stage;  // as GET /stage answers
    std::vector<std::pair<std::uint64_t, Text>> replies;
  };

 private:
  class Connection;
  class Viewer;

  void bind();
  void accept();
  void deliver();
  bool may_enter(const http::request<http::string_body>& request, std::string* why_not) const;

  ServerOptions options_;
  Handlers handlers_;
  Text page_, raw_stage_;
  std::vector<Text> tracks_;
  Outbox newest_;  // sent to a new client
  std::string machine_;
  int acceptor_port_ = 0;
  std::map<std::uint64_t, std::weak_ptr<Viewer>> viewers_;
  std::uint64_t last_viewer_ = kEveryone;
  std::atomic<std::size_t> num_viewers_ = 0;
  std::size_t num_connections_ = 0;

  std::mutex mutex_;
  Mailbox mailbox_;
  bool is_mailed_ = false;

  // Last, so that handlers that are destroyed with it still find the rest.
  net::io_context io_{1};
  tcp::acceptor acceptor_;
  net::steady_timer retry_;
  std::thread thread_;
};

// A client of the live messages. Lives as long as an operation of it does.
class ViewServer::Core::Viewer : public std::enable_shared_from_this<Viewer> {
 public:
  Viewer(tcp::socket socket, Core* core)
      : core_(core), id_(++core->last_viewer_), stream_(std::move(socket)) {
    ++core_->num_viewers_;
  }
  ~Viewer() {
    --core_->num_viewers_;
    core_->viewers_.erase(id_);
    if (has_joined_ && core_->handlers_.left) core_->handlers_.left(id_);
  }

  void begin(const http::request<http::string_body>& request) {
    core_->viewers_[id_] = weak_from_this();
    websocket::stream_base::timeout timeout{};
    timeout.handshake_timeout = kReadTime;
    timeout.idle_timeout = std::chrono::seconds(60);
    timeout.keep_alive_pings = true;
    stream_.set_option(timeout);
    stream_.read_message_max(kMostIncoming);
    stream_.async_accept(request, [self = shared_from_this()](error_code error) {
      if (error) return;
      self->is_open_ = self->has_joined_ = true;
      self->outbox_ = self->core_->newest_;
      self->send_next();
      self->read();
      if (self->core_->handlers_.joined) self->core_->handlers_.joined(self->id_);
    });
  }

  void add(const Mailbox& mail) {
    if (!is_open_) return;  // it begins with the newest of everything
    if (mail.stage) outbox_.set_stage(mail.stage);
    if (mail.status) outbox_.status = mail.status;
    for (const Text& error : mail.errors) outbox_.add_error(error);
    for (std::size_t t = 0; t < mail.frames.size(); ++t)
      if (mail.frames[t]) outbox_.frames[t] = mail.frames[t];
    send_next();
  }
  void add_error(const Text& error) {
    outbox_.add_error(error);
    if (is_open_) send_next();
  }

 private:
  void send_next() {
    if (is_sending_) return;
    bool is_binary = false;
    const Text next = outbox_.take(&is_binary);
    if (!next) return;
    is_sending_ = true;
    stream_.binary(is_binary);
    stream_.async_write(net::buffer(*next), [self = shared_from_this(), next](error_code error, std::size_t) {
      self->is_sending_ = false;
      if (!error) self->send_next();
    });
  }

  void read() {
    stream_.async_read(incoming_, [self = shared_from_this()](error_code error, std::size_t) {
      if (error) return self->end();
      if (self->core_->handlers_.received)
        self->core_->handlers_.received(self->id_, beast::buffers_to_string(self->incoming_.data()));
      else
        self->add_error(error_message("what is shown here cannot be changed from the page"));
      self->incoming_.consume(self->incoming_.size());
      self->read();
    });
  }

  // A write that still waits for a client that does not read ends too.
  void end() {
    is_open_ = false;
    error_code ignored;
    beast::get_lowest_layer(stream_).socket().close(ignored);
  }

  Core* core_;
  std::uint64_t id_;
  websocket::stream<beast::tcp_stream> stream_;
  beast::flat_buffer incoming_;
  Outbox outbox_;
  bool is_open_ = false, has_joined_ = false, is_sending_ = false;
};

// A connection that asks for pages, or becomes a Viewer.
class ViewServer::Core::Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(tcp::socket socket, Core* core) : core_(core), stream_(std::move(socket)) {
    ++core_->num_connections_;
  }
  ~Connection() { --core_->num_connections_; }

  void read() {
    parser_.emplace();
    parser_->header_limit(kMostHeader);
    parser_->body_limit(kMostBody);
    stream_.expires_after(kReadTime);
    http::async_read(stream_, buffer_, *parser_, [self = shared_from_this()](error_code error, std::size_t) {
      if (error == http::error::header_limit || error == http::error::body_limit)
        return self->refuse(http::status::payload_too_large, "the request is too large");
      if (!error) self->answer();
    });
  }

 private:
  void answer() {
    request_ = parser_->release();
    std::string why_not;
    if (!core_->may_enter(request_, &why_not)) return refuse(http::status::forbidden, why_not);
    const std::string_view target(request_.target().data(), request_.target().size());
    const std::string_view path = path_of(target);
    if (websocket::is_upgrade(request_)) {
      if (path != "/live") return refuse(http::status::not_found, "live messages are at /live");
      if (core_->num_viewers_ >= kMostViewers)
        return refuse(http::status::service_unavailable, "too many viewers are here already");
      std::make_shared<Viewer>(stream_.release_socket(), core_)->begin(request_);
      return;
    }
    if (request_.method() != http::verb::get && request_.method() != http::verb::head)
      return refuse(http::status::method_not_allowed, "only GET is answered here");
    if (path == "/") return send(core_->page_, "text/html; charset=utf-8");
    if (path == "/stage" && core_->raw_stage_) return send(core_->raw_stage_, "application/json");
    constexpr std::string_view kTrack = "/track/";
    if (path.starts_with(kTrack) && path.size() == kTrack.size() + 1) {
      const std::size_t track = static_cast<std::size_t>(path.back() - '0');
      if (track < core_->tracks_.size()) return send(core_->tracks_[track], "application/octet-stream");
    }
    refuse(http::status::not_found, "there is nothing at this address");
  }

  void refuse(http::status status, const std::string& why) {
    send(text_of(why + "\n"), "text/plain; charset=utf-8", status);
  }

  void send(const Text& body, const char* type, http::status status = http::status::ok) {
    const bool is_head = request_.method() == http::verb::head;
    response_.emplace(status, request_.version() == 0 ? 11 : request_.version());
    response_->set(http::field::content_type, type);
    response_->set(http::field::cache_control, "no-store");
    response_->set("X-Content-Type-Options", "nosniff");
    response_->set("Referrer-Policy", "no-referrer");
    response_->keep_alive(status == http::status::ok && request_.keep_alive());
    response_->content_length(body->size());
    if (!is_head) response_->body() = {body->data(), body->size()};
    stream_.expires_after(kWriteTime);
    const auto done = [self = shared_from_this(), body](error_code error, std::size_t) {
      if (error) return;
      if (self->response_->keep_alive()) return self->read();
      error_code ignored;
      self->stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
    };
    if (is_head) {
      head_.emplace(*response_);
      http::async_write_header(stream_, *head_, done);
    } else {
      http::async_write(stream_, *response_, done);
    }
  }

  Core* core_;
  beast::tcp_stream stream_;
  beast::flat_buffer buffer_{2 * kMostHeader};
  std::optional<http::request_parser<http::string_body>> parser_;
  http::request<http::string_body> request_;
  std::optional<http::response<http::span_body<const char>>> response_;
  std::optional<http::response_serializer<http::span_body<const char>>> head_;
};

std::string ViewServer::Core::url() const {
  const bool is_every = options_.address == "0.0.0.0" || options_.address == "::";
  const std::string host = is_every ? (machine_.empty() ? "localhost" : machine_)
                           : options_.address.find(':') != std::string::npos ? "[" + options_.address + "]"
                                                                             : options_.address;
  return "http://" + host + ":" + std::to_string(acceptor_port_) + "/?token=" + options_.token;
}

void ViewServer::Core::bind() {
  error_code error;
  const std::string& name = options_.address;
  // An interface after '%' would be part of every address that the server prints; browsers do not take it.
  STICTION_USER_CHECK(name.find('%') == std::string::npos,
                      "'{}' names an interface after '%': give the address alone", name);
  const net::ip::address address =
      name == "localhost" ? net::ip::address_v4::loopback() : net::ip::make_address(name, error);
  STICTION_USER_CHECK(!error, "'{}' is not an IP address to bind to", name);
  STICTION_USER_CHECK(options_.port >= 0 && options_.port < 65536, "a port is from 0 to 65535, not {}",
                      options_.port);
  if (!address.is_loopback()) {
    std::array<char, 256> host = {};
    if (gethostname(host.data(), host.size() - 1) == 0) machine_ = host.data();
  }
  const tcp::endpoint endpoint(address, static_cast<unsigned short>(options_.port));
  acceptor_.open(endpoint.protocol(), error);
  if (!error) acceptor_.set_option(net::socket_base::reuse_address(true), error);
  if (!error) acceptor_.bind(endpoint, error);
  if (!error) acceptor_.listen(net::socket_base::max_listen_connections, error);
  STICTION_USER_CHECK(!error, "cannot listen at port {} of {}: {}", options_.port, name, error.message());
  acceptor_port_ = acceptor_.local_endpoint().port();
}

void ViewServer::Core::accept() {
  acceptor_.async_accept([this](error_code error, tcp::socket socket) {
    if (error == net::error::operation_aborted) return;
    if (error) {
      // Out of file descriptors, most likely: some will be free again.
      retry_.expires_after(std::chrono::milliseconds(100));
      retry_.async_wait([this](error_code stopped) {
        if (!stopped) accept();
      });
      return;
    }
    if (num_connections_ < kMostConnections) {
      error_code ignored;
      socket.set_option(tcp::no_delay(true), ignored);
      std::make_shared<Connection>(std::move(socket), this)->read();
    }
    accept();
  });
}

void ViewServer::Core::deliver() {
  Mailbox mail;
  {
    const std::scoped_lock lock(mutex_);
    std::swap(mail, mailbox_);
    is_mailed_ = false;
  }
  if (mail.raw_stage) raw_stage_ = mail.raw_stage;
  if (mail.stage) newest_.set_stage(mail.stage);
  if (mail.status) newest_.status = mail.status;
  for (std::size_t t = 0; t < mail.frames.size(); ++t)
    if (mail.frames[t]) newest_.frames[t] = mail.frames[t];
  for (const auto& [id, viewer] : std::map(viewers_))
    if (const std::shared_ptr<Viewer> one = viewer.lock()) one->add(mail);
  for (const auto& [id, error] : mail.replies) {
    const auto found = viewers_.find(id);
    if (found == viewers_.end()) continue;
    if (const std::shared_ptr<Viewer> one = found->second.lock()) one->add_error(error);
  }
}

bool ViewServer::Core::may_enter(const http::request<http::string_body>& request,
                                 std::string* why_not) const {
  const auto header = [&](http::field field) {
    const auto value = request[field];
    return std::string_view(value.data(), value.size());
  };
  const std::string_view host = header(http::field::host);
  const std::string_view target(request.target().data(), request.target().size());
  if (!is_own_host(host, machine_))
    *why_not = "this server is not called so; use the address that it printed";
  else if (!is_own_origin(header(http::field::origin), host))
    *why_not = "a page from elsewhere may not use this server";
  else if (!is_same_secret(value_of(target, "token"), options_.token))
    *why_not = "the token is missing or wrong; use the address that `stiction view` printed";
  return why_not->empty();
}

ViewServer::ViewServer(const ServerOptions& options, Handlers handlers)
    : core_(std::make_unique<Core>(options, std::move(handlers))) {}
ViewServer::~ViewServer() = default;

std::string ViewServer::url() const { return core_->url(); }
int ViewServer::port() const { return core_->port(); }
const std::string& ViewServer::token() const { return core_->token(); }
std::size_t ViewServer::num_viewers() const { return core_->num_viewers(); }

void ViewServer::set_stage(std::string stage_json) {
  const Text message = text_of("{\"type\":\"stage\",\"stage\":" + stage_json + "}");
  const Text raw = text_of(std::move(stage_json));
  core_->mail([&](auto* mail) {
    mail->set_stage(message);
    mail->raw_stage = raw;
  });
}

void ViewServer::set_status(std::string status_json) {
  const Text message = text_of(std::move(status_json));
  core_->mail([&](auto* mail) { mail->status = message; });
}

void ViewServer::send_error(std::uint64_t viewer, const std::string& message) {
  const Text error = error_message(message);
  constexpr std::size_t kMostReplies = 1024;
  core_->mail([&](auto* mail) {
    if (viewer == kEveryone)
      mail->add_error(error);
    else if (mail->replies.size() < kMostReplies)
      mail->replies.emplace_back(viewer, error);
  });
}

void ViewServer::send_frame(std::size_t track, std::string bytes) {
  const Text frame = text_of(std::move(bytes));
  core_->mail([&](auto* mail) {
    if (track < mail->frames.size()) mail->frames[track] = frame;
  });
}

}  // namespace stiction::viewer
