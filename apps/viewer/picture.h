#pragma once
// Pictures of the viewer's page without a screen: Chromium draws it in software, driven over its DevTools
// protocol (https://chromedevtools.github.io/devtools-protocol) through two pipes.

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <Eigen/Core>

namespace stiction::viewer {

struct PictureSize {
  int width = 1280, height = 720;  // pixels
};
// "640x360". Throws UserError for an invalid size.
PictureSize parse_size(const std::string& text);

// Checks a camera for the page's address: "front", "side", "top" or "home", or six numbers "x,y,z,x,y,z" for
// eye and target (m), and a seventh for the field of view (degrees). Empty: the page's default. Throws
// UserError.
void check_camera(const std::string& camera);

class PagePainter {
 public:
  // Loads a page with an embedded run. Throws UserError if there is no Chromium, or if the page reports an
  // error.
  PagePainter(const std::string& html, const PictureSize& size, const std::string& camera);
  ~PagePainter();

  // Seconds that the run lasts, and its first time.
  double begin() const { return begin_; }
  double end() const { return end_; }
  // PNG of the run at a time (s).
  std::string png(double time);
  // Another page of the same size.
  void load(const std::string& html, const std::string& camera);

 private:
  class Browser;
  std::unique_ptr<Browser> browser_;
  PictureSize size_;
  double begin_ = 0.0, end_ = 0.0;
};

// H.264 video by ffmpeg, from PNGs of one size. Throws UserError if there is no ffmpeg.
class VideoFile {
 public:
  VideoFile(const std::filesystem::path& file, double fps);
  ~VideoFile();
  void add(const std::string& png);
  void close();

 private:
  class Encoder;
  std::unique_ptr<Encoder> encoder_;
  std::filesystem::path file_;
};

// Pixels in rows from the top, as red, green and blue. Throws UserError if the data is no PNG.
struct Picture {
  int width = 0, height = 0;
  std::vector<unsigned char> rgb;
};
Picture decode_png(const std::string& png);

}  // namespace stiction::viewer
