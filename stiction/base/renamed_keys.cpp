#include "stiction/base/renamed_keys.h"

#include "stiction/base/check.h"
#include "stiction/base/log.h"

namespace stiction {

std::string renamed_key_note(const RenamedKey& renamed) {
  return format("'{}' is now called '{}'; the old name is still read", renamed.old_key, renamed.key);
}

const RenamedKey* OldKeys::find(std::string_view section, std::string_view key) const {
  for (const RenamedKey& renamed : list_)
    if (section == renamed.section && key == renamed.old_key) return &renamed;
  return nullptr;
}

void OldKeys::note(const RenamedKey& renamed, std::string_view place, bool has_both) {
  STICTION_USER_CHECK(!has_both, "{}: '{}' is the old name of '{}': only one of them may be given", place,
                      renamed.old_key, renamed.key);
  if (!noted_.insert(&renamed).second) return;
  const std::string message = format("{}: {}", place, renamed_key_note(renamed));
  warn_once(message, message);
}

}  // namespace stiction
