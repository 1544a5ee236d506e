#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "apps/cli/commands.h"
#include "apps/cli/open_browser.h"
#include "apps/cli/page_file.h"
#include "apps/cli/progress.h"
#include "apps/cli/scene_arguments.h"
#include "apps/viewer/live_session.h"
#include "apps/viewer/page.h"
#include "apps/viewer/picture.h"
#include "apps/viewer/server.h"
#include "scenes/catalog.h"
#include "stiction/base/check.h"
#include "stiction/base/file_bytes.h"

namespace stiction::cli {
namespace {

struct Arguments {
  SceneArguments scene;
  PageArguments page;
  std::vector<std::string> formulations;
  std::string address = "127.0.0.1";
  int port = 0;
  double speed = 1.0;
  std::string png, mp4, size = "1280x720", camera;
  std::optional<double> at;
  bool no_browser = false, paused = false, quiet = false;
};

void print_address(const Arguments& a, const viewer::ViewServer& server, const char* what) {
  if (!a.quiet) std::printf("%s %s; Ctrl-C ends it. Open\n", a.scene.name.c_str(), what);
  std::printf("  %s\n", server.url().c_str());
  std::fflush(stdout);
}

// Opens the page unless that is not wanted, and waits.
void wait_for_interrupt(const Arguments& a, const viewer::ViewServer& server) {
  std::optional<BrowserPage> page;
  if (!a.no_browser) page.emplace(server.url());
  while (!interrupted()) std::this_thread::sleep_for(std::chrono::milliseconds(50));
}

viewer::ServerOptions server_options(const Arguments& a) {
  viewer::ServerOptions options;
  options.address = a.address;
  options.port = a.port;
  options.page = viewer::load_page();
  return options;
}

void serve_recording(const Arguments& a, viewer::ViewedRun run) {
  viewer::ServerOptions options = server_options(a);
  options.tracks = std::move(run.tracks);
  viewer::ViewServer server(options, {});
  server.set_stage(std::move(run.stage));
  print_address(a, server, "is shown as it was recorded");
  wait_for_interrupt(a, server);
}

void serve_scene(const Arguments& a) {
  if (a.scene.settle && !a.quiet) {
    const Scene scene = load(a.scene);
    World world(scene.model, scene.options);
    if (const std::optional<SettleReport> settled = start_scene(scene, &world))
      std::printf("%s\n", settled->text().c_str());
  }
  viewer::LiveOptions options;
  options.name = a.scene.name;
  options.load = [scene = a.scene] { return load(scene); };
  options.formulations = a.formulations;
  if (find_scene(a.scene.name) == nullptr) options.watched = a.scene.name;
  options.speed = a.speed;
  options.runs = !a.paused;
  // The server's thread may ask for the session before it is there.
  std::unique_ptr<viewer::LiveSession> session;
  std::mutex mutex;
  viewer::ViewServer::Handlers handlers;
  const auto with_session = [&session, &mutex](const auto& call) {
    const std::scoped_lock lock(mutex);
    if (session) call(session.get());
  };
  handlers.joined = [&with_session](std::uint64_t) {
    with_session([](viewer::LiveSession* one) { one->viewer_joined(); });
  };
  handlers.left = [&with_session](std::uint64_t) {
    with_session([](viewer::LiveSession* one) { one->viewer_left(); });
  };
  handlers.received = [&with_session](std::uint64_t viewer, std::string message) {
    with_session([&](viewer::LiveSession* one) { one->receive(viewer, std::move(message)); });
  };
  viewer::ViewServer server(server_options(a), handlers);
  {
    auto made = std::make_unique<viewer::LiveSession>(options, &server);
    const std::scoped_lock lock(mutex);
    session = std::move(made);
  }
  print_address(a, server, "is simulated as long as someone watches");
  wait_for_interrupt(a, server);
  std::unique_ptr<viewer::LiveSession> ended;
  {
    const std::scoped_lock lock(mutex);
    ended = std::move(session);
  }
}

// Pictures and a video, drawn without a screen.
void paint(const Arguments& a, const std::string& html) {
  viewer::PagePainter painter(html, viewer::parse_size(a.size), a.camera);
  if (!a.png.empty()) {
    const double time = a.at.value_or(painter.end());
    STICTION_USER_CHECK(time >= painter.begin() && time <= painter.end(),
                        "--at {}: the recording is from {} to {} s", time, painter.begin(), painter.end());
    write_file_bytes(a.png, painter.png(time));
  }
  if (a.mp4.empty()) return;
  viewer::VideoFile video(a.mp4, a.page.fps);
  const double length = painter.end() - painter.begin();
  const long frames = std::lround(std::floor(length * a.page.fps + 1e-6)) + 1;
  Progress progress(!a.quiet, a.mp4);
  for (long i = 0; i < frames && !interrupted(); ++i) {
    const double time = static_cast<double>(i) / a.page.fps;
    video.add(painter.png(painter.begin() + time));
    progress.show(time, length);
  }
  video.close();
}

void check(const Arguments& a) {
  viewer::check_fps(a.page.fps);
  viewer::check_camera(a.camera);
  viewer::parse_size(a.size);
  STICTION_USER_CHECK(!a.at || !a.png.empty(), "--at goes with --png FILE");
  STICTION_USER_CHECK(!a.at || std::isfinite(*a.at), "--at must be finite, not {}", *a.at);
  STICTION_USER_CHECK(a.camera.empty() || !a.png.empty() || !a.mp4.empty(),
                      "--camera goes with --png or --mp4");
  STICTION_USER_CHECK(a.speed >= 1e-3 && a.speed <= 100.0, "--speed must be from 0.001 to 100, not {}",
                      a.speed);
}

int view(const Arguments& a) {
  check(a);
  const bool writes = !a.page.file.empty() || !a.png.empty() || !a.mp4.empty();
  if (!viewer::is_recording(a.scene.name)) {
    STICTION_USER_CHECK(
        !writes,
        "{}: pages and pictures are of recordings; `stiction run {} --record FILE` makes one, and "
        "--html a page at once",
        a.scene.name, a.scene.name);
    serve_scene(a);
    return kInterrupted;
  }
  STICTION_USER_CHECK(a.formulations.empty(), "{}: a recording has its own formulation", a.scene.name);
  viewer::ViewedRun run = viewer::read_run(a.scene.name, a.page.fps);
  if (!writes) {
    serve_recording(a, std::move(run));
    return kInterrupted;
  }
  const std::string html = viewer::page_with(viewer::load_page(), run);
  if (!a.page.file.empty()) write_file_bytes(a.page.file, html);
  if (!a.png.empty() || !a.mp4.empty()) paint(a, html);
  for (const std::string& file : {a.page.file, a.png, a.mp4})
    if (!file.empty() && !a.quiet)
      std::printf("wrote %s%s\n", file.c_str(), file == a.page.file ? ": open it in a browser" : "");
  return interrupted() ? kInterrupted : kDone;
}

}  // namespace

void add_view(const Parser& app, int* exit_code) {
  auto arguments = std::make_shared<Arguments>();
  const Parser command = app.add_command(
      "view",
      "Shows a scene, live, or a recording in a browser; or writes a recording as a page or "
      "pictures.\nExample: "
      "stiction run clutter --time 1 --record run.mcap && stiction view run.mcap --html run.html");
  add_scene_options(command, &arguments->scene)
      .description("A scene or a file of one, as in stiction run, or a recording (stiction run --record)");
  add_settle_option(command, &arguments->scene);
  command
      .add_option("--formulations", &arguments->formulations,
                  "Up to eight formulations that run side by side, with commas between them")
      .delimiter(',')
      .allow_extra_args(false)
      .type_name("FORMULATION");
  add_page_options(command, &arguments->page);
  command.add_option("--png", &arguments->png, "Draw a picture of a recording to this file")
      .type_name("FILE");
  command.add_option("--at", &arguments->at, "Time of the picture (s); the end without it");
  command.add_option("--mp4", &arguments->mp4, "Draw a video of a recording to this file").type_name("FILE");
  command.add_option("--size", &arguments->size, "Pixels of pictures").capture_default_str().type_name("WxH");
  command
      .add_option(
          "--camera", &arguments->camera,
          "home, front, side, top, or eye and target with commas between them (m), and the angle of view "
          "(degrees)")
      .type_name("VIEW");
  command.add_option("--port", &arguments->port, "Port of the page; 0: any that is free")
      .capture_default_str();
  command
      .add_option("--bind", &arguments->address,
                  "IP address to listen at; another one than the loopback device's lets other machines in")
      .capture_default_str();
  command.add_option("--speed", &arguments->speed, "Of real time").capture_default_str();
  command.add_flag("--paused", &arguments->paused, "Wait for someone to press play");
  command.add_flag("--no-browser", &arguments->no_browser, "Only print the address");
  command.add_flag("--quiet", &arguments->quiet, "Print nothing but the address and errors");
  command.callback([arguments, exit_code] { *exit_code = view(*arguments); });
}

}  // namespace stiction::cli
