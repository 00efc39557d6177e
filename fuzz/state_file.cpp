// A saved state of a stranger: read, written, read again; and the run goes on from it for a few steps.
#include <string>

#include "formats/temporary_folder.hpp"
#include "fuzz/harness.hpp"
#include "seam/base/error.hpp"
#include "seam/coupling/advance.hpp"
#include "seam/engine/open/system.hpp"
#include "seam/engine/run/state_file.hpp"
#include "seam/formats/sha256.hpp"
#include "seam/formats/text_file.hpp"

namespace seam::fuzz {
namespace {

/// The system all states are of, with holds that remember samples. corpus/state_file/state was saved by it; as all of
/// that folder, without its checksum.
const engine::System& lags() {
  static const engine::System system = engine::open_text(R"(seam: 1
subsystems:
  a: {model: transfer-function, set: {num: [1], den: [1, 1]}}
  b: {model: transfer-function, set: {num: [-1], den: [0.1, 1]}}
connections: [a.y -> b.u, b.y -> a.u]
plan: {step: 0.1, connections: {a.u: soh, b.u: {emitter: fine, receiver: foh}}}
)",
                                                         "lags.yaml", {});
  return system;
}

void write_and_read(const engine::SavedState& state, const std::string& path) {
  engine::write_state(path, state);
  const std::string once = formats::read_text(path);
  engine::write_state(path, engine::read_state(path));
  must(formats::read_text(path) == once, "a state that was written is read as it was");
}

/// Lines that must be the same for a run to go on; they are taken from here, so that states of the corpus stay usable.
const std::vector<std::string>& layout() {
  static const std::vector<std::string> lines = [] {
    const engine::Live live = engine::make_live(lags(), {engine::Horizon::none});
    return engine::frozen(lags(), live, coupling::start(live.program), 0.0).layout;
  }();
  return lines;
}

void resume(const std::string& bytes) {
  static const formats::TemporaryFolder folder;
  const std::string path = folder.file("state");
  formats::Sha256 checksum;  // a changed state can also have the right checksum
  checksum.add(bytes);
  formats::write_text(path, bytes + checksum.finish());
  try {
    engine::SavedState state = engine::read_state(path);
    write_and_read(state, path);
    state.layout = layout();
    const engine::System system = engine::continued(lags(), state, path);
    const engine::Live live = engine::make_live(system, {engine::Horizon::none});
    coupling::Memory memory = engine::resumed(system, live, state, path);
    coupling::advance(live.program, memory, 3);
  } catch (const base::ProblemsFound&) {
  } catch (const base::Error&) {
  }
}

}  // namespace
}  // namespace seam::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  seam::fuzz::resume({reinterpret_cast<const char*>(bytes), size});
  return 0;
}
