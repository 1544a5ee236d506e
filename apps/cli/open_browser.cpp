#include "apps/cli/open_browser.h"

#include <cstdio>
#include <cstdlib>

#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

#include "stiction/base/html_text.h"

extern char** environ;

namespace stiction::cli {
namespace {

std::string folder_for_private_files() {
  for (const char* name : {"XDG_RUNTIME_DIR", "TMPDIR"}) {
    const char* folder = std::getenv(name);
    if (folder != nullptr && *folder == '/') return folder;
  }
  return "/tmp";
}

// A page that leads to the address (which has no quotes), readable by its owner alone; empty if it cannot be
// written.
std::string write_page(const std::string& url) {
  std::string file = folder_for_private_files() + "/stiction-view-XXXXXX.html";
  const int descriptor = mkstemps(file.data(), 5);
  if (descriptor < 0) return "";
  const std::string page =
      "<!DOCTYPE html><meta charset=\"utf-8\"><meta http-equiv=\"refresh\" content=\"0; url=" +
      html_text(url) + "\"><title>Stiction</title>\n";
  const bool is_written = write(descriptor, page.data(), page.size()) == static_cast<ssize_t>(page.size());
  close(descriptor);
  if (is_written) return file;
  std::remove(file.c_str());
  return "";
}

bool start_xdg_open(std::string argument) {
  posix_spawn_file_actions_t actions;
  if (posix_spawn_file_actions_init(&actions) != 0) return false;
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  std::string program = "xdg-open";
  char* const arguments[] = {program.data(), argument.data(), nullptr};
  pid_t child = 0;
  const int error = posix_spawnp(&child, program.c_str(), &actions, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  return error == 0;
}

}  // namespace

BrowserPage::BrowserPage(const std::string& url) {
  const bool has_screen = std::getenv("DISPLAY") != nullptr || std::getenv("WAYLAND_DISPLAY") != nullptr;
  if (!has_screen) return;
  file_ = write_page(url);
  if (file_.empty() || !start_xdg_open(file_)) std::fprintf(stderr, "stiction: no browser could be opened\n");
}

BrowserPage::~BrowserPage() {
  if (!file_.empty()) std::remove(file_.c_str());
}

}  // namespace stiction::cli
