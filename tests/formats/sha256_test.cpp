#include "seam/formats/sha256.hpp"

#include <gtest/gtest.h>

#include "formats/temporary_folder.hpp"
#include "seam/base/error.hpp"
#include "seam/formats/text_file.hpp"

namespace seam::formats {
namespace {

std::string hash(std::string_view text) {
  Sha256 sha;
  sha.add(text);
  return sha.finish();
}

// FIPS 180-2, appendix B, and NIST's example values.
TEST(Sha256, gives_the_digests_of_the_standard) {
  EXPECT_EQ(hash(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(hash("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(hash("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(hash(std::string(1'000'000, 'a')), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, does_not_depend_on_how_the_text_is_cut) {
  const std::string text(1000, 'x');
  for (const std::size_t piece : {1u, 3u, 55u, 56u, 63u, 64u, 65u, 999u}) {
    Sha256 sha;
    for (std::size_t at = 0; at < text.size(); at += piece) sha.add(std::string_view(text).substr(at, piece));
    EXPECT_EQ(sha.finish(), hash(text)) << piece;
  }
}

TEST(Sha256, of_a_file_is_that_of_its_bytes) {
  const TemporaryFolder folder;
  const std::string text(200'000, 'q');
  write_text(folder.file("a"), text);
  EXPECT_EQ(sha256_of_file(folder.file("a")), hash(text));
  EXPECT_THROW(sha256_of_file(folder.file("none")), base::Error);
}

}  // namespace
}  // namespace seam::formats
