#include "seam/fmi/description/attributes.hpp"

#include <fmt/format.h>

#include "seam/base/names.hpp"
#include "seam/formats/encoding.hpp"

namespace seam::fmi {
namespace {

// A type definition's text is copied into every variable of the type: a long one would be a bomb, and is no unit.
constexpr std::size_t longest_default = 100;

}  // namespace

std::optional<std::string_view> Attributes::find(const char* name) const {
  std::optional<std::string_view> written = element_.attribute(name);
  if (written || !defaults_) return written;
  written = defaults_->attribute(name);
  return written && written->size() <= longest_default ? written : std::nullopt;
}

std::string Attributes::text(const char* name) const { return std::string(find(name).value_or("")); }

std::string Attributes::required_text(const char* name) const {
  std::string written = text(name);
  if (written.empty()) {
    notes_.error(line(), fmt::format("<{}> needs the attribute {}", element_.name(), name));
  }
  return written;
}

std::optional<std::vector<std::uint32_t>> Attributes::references(const char* name) const {
  const std::optional<std::string_view> written = find(name);
  if (!written) return std::nullopt;
  std::vector<std::uint32_t> references;
  for (const std::string_view item : formats::list_items(*written)) {
    const std::optional<std::uint32_t> reference = formats::read_integer<std::uint32_t>(item);
    if (!reference) {
      note_unreadable(name, item, "a whole number that is not negative");
      return std::nullopt;
    }
    references.push_back(*reference);
  }
  return references;
}

void Attributes::note_unreadable(const char* name, std::string_view written, std::string_view wanted) const {
  notes_.error(line(), fmt::format("{} of <{}> is {}, which is not {}", name, formats::printable(element_.name(), 60),
                                   in_quotes(written), wanted));
}

void Attributes::note_unknown_word(const char* name, std::string_view written,
                                   const std::vector<std::string>& known) const {
  const std::string mend = base::did_you_mean(written, known);
  notes_.error(line(), fmt::format("{} of <{}> is {}, which the standard does not know; {}", name,
                                   formats::printable(element_.name(), 60), in_quotes(written), mend));
}

}  // namespace seam::fmi
