#include "apps/viewer/picture.h"

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include <nlohmann/json.hpp>
#include <png.h>
#include <unistd.h>

#include "apps/viewer/base64.h"
#include "apps/viewer/child_process.h"
#include "stiction/base/check.h"
#include "stiction/base/file_bytes.h"
#include "stiction/base/format.h"

namespace stiction::viewer {
namespace {

using Json = nlohmann::json;

constexpr double kPatience = 120.0;             // s, for an answer of a browser that draws in software
constexpr int kSmallest = 16, kLargest = 8192;  // pixels

std::vector<std::string> browser_command(const PictureSize& size, const std::string& profile) {
  std::string program;
  if (const char* named = std::getenv("STICTION_CHROMIUM"); named != nullptr && *named != '\0') {
    program = named;
  } else {
    const auto found =
        find_program({"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"});
    STICTION_USER_CHECK(
        found,
        "pictures are drawn by Chromium, which is not here: install it (Debian: apt-get install "
        "chromium), or say with STICTION_CHROMIUM where it is");
    program = *found;
  }
  std::vector<std::string> command = {program,
                                      "--headless",
                                      "--remote-debugging-pipe",
                                      "--use-angle=swiftshader",
                                      "--enable-unsafe-swiftshader",
                                      "--hide-scrollbars",
                                      "--mute-audio",
                                      "--no-first-run",
                                      "--no-default-browser-check",
                                      "--disable-extensions",
                                      "--disable-background-networking",
                                      "--disable-dev-shm-usage",
                                      "--force-device-scale-factor=1",
                                      "--user-data-dir=" + profile,
                                      format("--window-size={},{}", size.width, size.height)};
  // Chromium's sandbox refuses to run as root.
  if (geteuid() == 0) command.emplace_back("--no-sandbox");
  command.emplace_back("about:blank");
  return command;
}

// A folder that is gone afterwards.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "stiction-XXXXXX").string();
    STICTION_USER_CHECK(mkdtemp(name.data()) != nullptr, "no temporary folder can be made at '{}'", name);
    path_ = name;
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

bool is_view(const std::string& camera) {
  return camera == "home" || camera == "front" || camera == "side" || camera == "top";
}

}  // namespace

// One tab of a browser. Messages are JSON texts that end with a zero byte.
class PagePainter::Browser {
 public:
  explicit Browser(const PictureSize& size)
      : process_(browser_command(size, (folder_.path() / "profile").string()), 3, 4) {
    const Json target = call("Target.createTarget", {{"url", "about:blank"}});
    const Json attached =
        call("Target.attachToTarget", {{"targetId", target.at("targetId")}, {"flatten", true}});
    session_ = attached.at("sessionId").get<std::string>();
    call("Page.enable", Json::object());
    call("Emulation.setDeviceMetricsOverride",
         {{"width", size.width}, {"height", size.height}, {"deviceScaleFactor", 1}, {"mobile", false}});
  }
  ~Browser() { process_.write(Json({{"id", ++last_}, {"method", "Browser.close"}}).dump() + '\0'); }

  // Opens a page from a file; returns when the page says that it is ready.
  void open(const std::string& html, const std::string& hash) {
    const std::filesystem::path file = folder_.path() / format("page{}.html", ++pages_);
    write_file_bytes(file, html);
    has_loaded_ = false;
    call("Page.navigate", {{"url", "file://" + file.string() + "#" + hash}});
    while (!has_loaded_) handle(next_message());
    std::filesystem::remove(file);
  }

  // The value of an expression, of a promise when it has come true.
  Json evaluate(const std::string& expression) {
    const Json answer = call("Runtime.evaluate",
                             {{"expression", expression}, {"awaitPromise", true}, {"returnByValue", true}});
    STICTION_USER_CHECK(!answer.contains("exceptionDetails"), "the viewer's page failed: {}",
                        answer["exceptionDetails"].dump());
    return answer.at("result").value("value", Json());
  }

  std::string screenshot() {
    const Json answer = call("Page.captureScreenshot", {{"format", "png"}});
    return bytes_of_base64(answer.at("data").get_ref<const std::string&>());
  }

 private:
  Json call(const char* method, const Json& parameters) {
    Json message = {{"id", ++last_}, {"method", method}, {"params", parameters}};
    if (!session_.empty()) message["sessionId"] = session_;
    const int id = last_;
    STICTION_USER_CHECK(process_.write(message.dump() + '\0'), "Chromium has ended before {}", method);
    for (;;) {
      const Json answer = next_message();
      if (answer.value("id", 0) != id) {
        handle(answer);
        continue;
      }
      STICTION_USER_CHECK(answer.contains("result"), "Chromium does not do {}: {}", method, answer.dump());
      return answer["result"];
    }
  }

  void handle(const Json& message) {
    if (message.value("method", "") == "Page.loadEventFired") has_loaded_ = true;
  }

  Json next_message() {
    for (;;) {
      const std::size_t end = incoming_.find('\0', searched_);
      if (end != std::string::npos) {
        Json message = Json::parse(incoming_.substr(0, end), nullptr, false);
        incoming_.erase(0, end + 1);
        searched_ = 0;
        if (message.is_object()) return message;
        continue;
      }
      searched_ = incoming_.size();
      STICTION_USER_CHECK(process_.read(kPatience, &incoming_), "Chromium does not answer");
    }
  }

  Folder folder_;
  ChildProcess process_;
  std::string session_, incoming_;
  std::size_t searched_ = 0;  // bytes of `incoming_` in which no message ends
  int last_ = 0, pages_ = 0;
  bool has_loaded_ = false;
};

PictureSize parse_size(const std::string& text) {
  PictureSize size;
  const std::size_t by = text.find('x');
  const auto number = [&](std::size_t begin, std::size_t end, int* value) {
    const auto [stop, error] = std::from_chars(text.data() + begin, text.data() + end, *value);
    return error == std::errc() && stop == text.data() + end;
  };
  STICTION_USER_CHECK(
      by != std::string::npos && number(0, by, &size.width) && number(by + 1, text.size(), &size.height),
      "--size is written as WIDTHxHEIGHT, not '{}'", text);
  for (const int side : {size.width, size.height})
    STICTION_USER_CHECK(side >= kSmallest && side <= kLargest,
                        "a picture has from {} to {} pixels a side, not {}", kSmallest, kLargest, side);
  return size;
}

void check_camera(const std::string& camera) {
  if (camera.empty() || is_view(camera)) return;
  int count = 0;
  for (std::size_t begin = 0; begin <= camera.size(); ++count) {
    const std::size_t end = std::min(camera.find(',', begin), camera.size());
    double value = 0.0;
    const auto [stop, error] = std::from_chars(camera.data() + begin, camera.data() + end, value);
    STICTION_USER_CHECK(error == std::errc() && stop == camera.data() + end && std::isfinite(value),
                        "--camera is home, front, side, top or numbers with commas between them, not '{}'",
                        camera);
    begin = end + 1;
  }
  STICTION_USER_CHECK(
      count == 6 || count == 7,
      "--camera takes six numbers, eye and target (m), and may take the angle of view (degrees); not {}",
      count);
}

PagePainter::PagePainter(const std::string& html, const PictureSize& size, const std::string& camera)
    : browser_(std::make_unique<Browser>(size)), size_(size) {
  load(html, camera);
}
PagePainter::~PagePainter() = default;

void PagePainter::load(const std::string& html, const std::string& camera) {
  check_camera(camera);
  std::string hash = "manual=1&ui=0&t=0";
  if (is_view(camera)) hash += "&view=" + camera;
  if (!camera.empty() && !is_view(camera)) hash += "&camera=" + camera;
  browser_->open(html, hash);
  const Json answer = browser_->evaluate(
      "(async () => { if (!window.stiction) return {errors: ['the page has no viewer']}; await "
      "stiction.ready; "
      "const errors = [...stiction.errors]; const at = t => { stiction.seek(t); return "
      "stiction.state().time; }; "
      "return {errors, begin: at(-1e9), end: at(1e9)}; })()");
  const Json errors = answer.value("errors", Json::array());
  STICTION_USER_CHECK(errors.empty(), "the viewer's page says: {}", errors.dump());
  begin_ = answer.value("begin", 0.0);
  end_ = answer.value("end", 0.0);
}

std::string PagePainter::png(double time) {
  browser_->evaluate(format("stiction.renderAt({})", time));
  return browser_->screenshot();
}

class VideoFile::Encoder {
 public:
  Encoder(const std::filesystem::path& file, double fps)
      : process_({find().string(),
                  "-y",
                  "-loglevel",
                  "error",
                  "-f",
                  "image2pipe",
                  "-c:v",
                  "png",
                  "-framerate",
                  format("{}", fps),
                  "-i",
                  "-",
                  "-vf",
                  "crop=trunc(iw/2)*2:trunc(ih/2)*2",
                  "-c:v",
                  "libx264",
                  "-crf",
                  "18",
                  "-pix_fmt",
                  "yuv420p",
                  "-movflags",
                  "+faststart",
                  "-f",
                  "mp4",
                  file.string()},
                 STDIN_FILENO, -1) {}
  ChildProcess& process() { return process_; }

 private:
  static std::filesystem::path find() {
    const auto found = find_program({"ffmpeg"});
    STICTION_USER_CHECK(found,
                        "videos are written by ffmpeg, which is not here (Debian: apt-get install ffmpeg)");
    return *found;
  }
  ChildProcess process_;
};

VideoFile::VideoFile(const std::filesystem::path& file, double fps)
    : encoder_(std::make_unique<Encoder>(std::filesystem::absolute(file), fps)), file_(file) {}
VideoFile::~VideoFile() = default;

void VideoFile::add(const std::string& png) {
  STICTION_USER_CHECK(encoder_->process().write(png), "ffmpeg cannot write '{}'", file_.string());
}

void VideoFile::close() {
  STICTION_USER_CHECK(encoder_->process().finish() == 0, "ffmpeg cannot write '{}'", file_.string());
}

Picture decode_png(const std::string& png) {
  png_image image;
  std::memset(&image, 0, sizeof image);
  image.version = PNG_IMAGE_VERSION;
  STICTION_USER_CHECK(png_image_begin_read_from_memory(&image, png.data(), png.size()) != 0,
                      "a picture cannot be read: {}", std::string(image.message));
  image.format = PNG_FORMAT_RGB;
  Picture picture;
  picture.width = static_cast<int>(image.width);
  picture.height = static_cast<int>(image.height);
  picture.rgb.resize(PNG_IMAGE_SIZE(image));
  STICTION_USER_CHECK(png_image_finish_read(&image, nullptr, picture.rgb.data(), 0, nullptr) != 0,
                      "a picture cannot be read: {}", std::string(image.message));
  return picture;
}

}  // namespace stiction::viewer
