#include "apps/viewer/request_check.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>

#include <arpa/inet.h>
#include <sys/random.h>

#include "stiction/base/check.h"

namespace stiction::viewer {
namespace {

std::string lower_case(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

// Without the port.
std::string host_name(std::string_view host) {
  if (host.starts_with('[')) {
    const std::size_t end = host.find(']');
    return end == std::string_view::npos ? std::string() : std::string(host.substr(1, end - 1));
  }
  return lower_case(host.substr(0, host.find(':')));
}

}  // namespace

std::string_view path_of(std::string_view target) { return target.substr(0, target.find('?')); }

std::string_view value_of(std::string_view target, std::string_view key) {
  const std::size_t question = target.find('?');
  if (question == std::string_view::npos) return {};
  std::string_view rest = target.substr(question + 1);
  while (!rest.empty()) {
    const std::string_view item = rest.substr(0, rest.find('&'));
    const std::size_t equals = item.find('=');
    if (equals != std::string_view::npos && item.substr(0, equals) == key) return item.substr(equals + 1);
    rest.remove_prefix(std::min(rest.size(), item.size() + 1));
  }
  return {};
}

bool is_same_secret(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) difference |= static_cast<unsigned>(a[i] ^ b[i]) & 255u;
  return difference == 0;
}

std::string random_token() {
  std::array<unsigned char, 16> bytes = {};
  STICTION_USER_CHECK(getrandom(bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size()),
                      "the system has no random numbers for a token");
  std::string token;
  for (const unsigned char byte : bytes)
    for (const int digit : {byte >> 4, byte & 15}) token += "0123456789abcdef"[digit];
  return token;
}

bool is_own_host(std::string_view host, std::string_view machine) {
  const std::string name = host_name(host);
  if (name.empty()) return false;
  std::array<unsigned char, 16> address = {};
  if (inet_pton(AF_INET, name.c_str(), address.data()) == 1) return true;
  if (inet_pton(AF_INET6, name.c_str(), address.data()) == 1) return true;
  return name == "localhost" || (!machine.empty() && name == lower_case(machine));
}

bool is_own_origin(std::string_view origin, std::string_view host) {
  if (origin.empty()) return true;
  const std::string given = lower_case(origin), own = lower_case(host);
  return given == "http://" + own || given == "https://" + own;
}

}  // namespace stiction::viewer
