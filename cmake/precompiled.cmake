# Headers from outside that many files include, parsed once for the rooms, once for the tests and once for the FMUs (not once a target: it
# is the flags that tell them apart). Never a header of ours: one edit would compile everything again.
#
#   seam_precompile(seam_room_headers OPTIONS -fPIC LINKS fmt::fmt HEADERS <string> <vector>)
#   target_precompile_headers(seam_lti REUSE_FROM seam_room_headers)
#
# A file still includes what it uses: `make lint` compiles without any of this.
function(seam_precompile name)
  cmake_parse_arguments(PRECOMPILED "" "" "OPTIONS;LINKS;HEADERS" ${ARGN})
  set(source ${CMAKE_BINARY_DIR}/precompiled/${name}.cpp) # CMake wants a source, though only the headers are compiled
  file(CONFIGURE OUTPUT ${source} CONTENT "")
  add_library(${name} OBJECT EXCLUDE_FROM_ALL ${source})
  target_compile_options(${name} PRIVATE ${SEAM_WARNINGS} ${PRECOMPILED_OPTIONS}) # -Wpedantic takes macros away
  target_link_libraries(${name} PRIVATE ${PRECOMPILED_LINKS})
  target_precompile_headers(${name} PRIVATE ${PRECOMPILED_HEADERS})
endfunction()

set(SEAM_STANDARD_HEADERS <algorithm> <array> <charconv> <cmath> <cstdint> <cstdlib> <cstring> <filesystem> <functional> <limits> <map> <memory>
    <optional> <span> <stdexcept> <string> <string_view> <unordered_map> <utility> <vector>)
