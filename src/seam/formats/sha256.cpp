#include "seam/formats/sha256.hpp"

#define OPENSSL_API_COMPAT 0x10100000L  // EVP_Digest of later versions reads configuration files first: 1 ms a process
#include <fmt/format.h>
#include <openssl/sha.h>

#include <array>
#include <vector>

#include "seam/formats/text_file.hpp"

namespace seam::formats {

struct Sha256::State {
  SHA256_CTX context;
};

Sha256::Sha256() : state_(std::make_unique<State>()) { SHA256_Init(&state_->context); }
Sha256::~Sha256() = default;

void Sha256::add(std::string_view bytes) { SHA256_Update(&state_->context, bytes.data(), bytes.size()); }

std::string Sha256::finish() {
  std::array<unsigned char, SHA256_DIGEST_LENGTH> digest;
  SHA256_Final(digest.data(), &state_->context);
  return fmt::format("{:02x}", fmt::join(digest, ""));
}

std::string sha256_of_file(const std::string& path) {
  OpenFile file(path, OpenFile::For::reading);
  std::vector<char> buffer(std::size_t{1} << 16);
  Sha256 hash;
  while (const std::size_t got = file.read(buffer.data(), buffer.size())) hash.add({buffer.data(), got});
  return hash.finish();
}

}  // namespace seam::formats
