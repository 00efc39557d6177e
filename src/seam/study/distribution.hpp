// Numbers that are drawn: the same for the same seed, sample and name, in any order.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "seam/system/description.hpp"

namespace seam::study {

struct Distribution {
  enum class Kind {
    uniform,      ///< between first and second
    log_uniform,  ///< the logarithm is uniform
    normal,       ///< mean first, standard deviation second
    log_normal,   ///< the logarithm is normal: median first, standard deviation of the logarithm second
    choice        ///< one of `choices`, each as likely
  } kind = Kind::uniform;
  double first = 0.0, second = 1.0;
  std::optional<std::pair<double, double>> within = {};  ///< drawn again until it lies there
  std::vector<system::Value> choices = {};
  std::string unit = {};
};

/// Which number of which stream.
struct DrawKey {
  std::uint64_t seed = 0;
  std::uint64_t sample = 0;
  std::string name;
};

/// A bijection of 64 bits in which every bit of the input moves half of the output.
std::uint64_t mixed(std::uint64_t bits);

/// `attempt` numbers the draws of one key.
std::uint64_t random_bits(const DrawKey& key, std::uint64_t attempt);
/// In (0, 1).
double uniform_number(const DrawKey& key, std::uint64_t attempt);

/// Not for choices. Throws base::Error if `within` is next to never met.
double draw_number(const Distribution& distribution, const DrawKey& key);

/// A number with its unit, or the choice.
system::Value draw(const Distribution& distribution, const DrawKey& key);

/// The number below which a share of all draws lies, `within` included; not for choices. A share is in (0, 1).
double number_at(const Distribution& distribution, double share);

/// That number with its unit; of choices the one at that share of their list.
system::Value value_at(const Distribution& distribution, double share);

}  // namespace seam::study
