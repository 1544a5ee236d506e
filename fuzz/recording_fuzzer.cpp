// Any bytes as a recording and as each of its messages: read to an end, or UserError.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <sys/mman.h>
#include <unistd.h>

#include "stiction/base/check.h"
#include "stiction/io/recording/proto_message.h"
#include "stiction/io/recording/recording.h"

namespace stiction {
namespace {

template <class Message>
Message read_message(std::string_view bytes) {
  Message message;
  decode(bytes, &message);
  // What was read can be written and read again.
  std::string written;
  encode(message, &written);
  Message again;
  decode(written, &again);
  return message;
}

void read_messages(std::string_view bytes) {
  read_message<recorded::State>(bytes);
  read_message<recorded::Contacts>(bytes);
  read_message<recorded::Residual>(bytes);
  read_message<recorded::Timings>(bytes);
  State state;
  recorded::set_state(read_message<recorded::Snapshot>(bytes), &state);
  Input input;
  recorded::set_input(read_message<recorded::Input>(bytes), &input);
}

// A file in memory, since recordings are read from files.
struct MemoryFile {
  explicit MemoryFile(std::string_view bytes) : descriptor(memfd_create("recording", MFD_CLOEXEC)) {
    STICTION_ASSERT(write(descriptor, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
  }
  ~MemoryFile() { close(descriptor); }
  std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor); }
  int descriptor;
};

}  // namespace
}  // namespace stiction

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace stiction;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    read_messages(bytes);
  } catch (const UserError&) {
  }
  try {
    const MemoryFile file(bytes);
    McapReader reader(file.path());
    McapMessage message;
    while (reader.next(&message)) {
    }
    RecordingReader recording(file.path());
    RecordedMessage recorded;
    while (recording.next(&recorded)) {
    }
  } catch (const UserError&) {
  }
  return 0;
}
