#include "seam/fmi/instance/value_buffer.hpp"

namespace seam::fmi {

const char** ValueBuffer::room_for_texts(std::size_t count) {
  if (texts_.size() < count) {
    texts_.resize(count);
    sizes_.resize(count);
  }
  std::fill_n(texts_.begin(), count, nullptr);
  std::fill_n(sizes_.begin(), count, 0);
  return texts_.data();
}

const char* const* ValueBuffer::put_texts(const std::vector<std::string>& texts) {
  const char** const into = room_for_texts(texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i) {
    into[i] = texts[i].c_str();
    sizes_[i] = texts[i].size();
  }
  return into;
}

void ValueBuffer::take_strings(std::vector<std::string>& texts) const {
  for (std::size_t i = 0; i < texts.size(); ++i) texts[i] = texts_[i] ? texts_[i] : "";
}

void ValueBuffer::take_binaries(std::vector<std::string>& texts) const {
  for (std::size_t i = 0; i < texts.size(); ++i) texts[i].assign(texts_[i] ? texts_[i] : "", texts_[i] ? sizes_[i] : 0);
}

}  // namespace seam::fmi
