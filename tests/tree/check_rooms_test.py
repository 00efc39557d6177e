import unittest

from fake_tree import FakeTree

GOOD = {
    "src/seam/base/CMakeLists.txt": 'seam_room(base DOES "errors (all)" SOURCES a.cpp)\n',
    "src/seam/base/a.hpp": "#pragma once\n",
    "src/seam/lti/CMakeLists.txt": 'seam_room(lti # "linear"\n  DOES "linear; SEES nothing"\n  SOURCES a.cpp\n  WORDS LAPACKE_ EigenSolver)\n',
    "src/seam/lti/a.cpp": '#include "seam/base/a.hpp"\n#include "seam/lti/detail/b.hpp"\nint x = LAPACKE_dgeev(EigenSolver);\n',
    "src/seam/lti/detail/b.hpp": "#pragma once\n",
    "src/seam/system/CMakeLists.txt": "seam_room(system SEES lti SOURCES a.cpp)\n",
    "src/seam/system/a.cpp": '#include "seam/lti/a.hpp"\n// an EigenSolver is not for us, see #include "seam/engine/a.hpp"\nint EigenSolvers;\n',
    "src/seam/engine/CMakeLists.txt": "seam_room(engine SEES system SOURCES a.cpp)\n",
    "src/seam/engine/a.cpp": '#include "seam/system/a.hpp"\n#include <vector>\n',
    "apps/cli/main.cpp": '#include "seam/engine/a.hpp"\n#include "seam/base/a.hpp"\nint main(int, char** argv);\n',
}


class CheckRooms(FakeTree):
    check = "check_rooms"

    def test_a_tree_that_follows_its_cards_passes(self):
        self.assert_passes(GOOD)

    def test_an_include_that_is_not_granted_is_named(self):
        self.assert_fails(GOOD | {"src/seam/lti/c.cpp": '\n#  include "seam/system/a.hpp"\n'},
                          'src/seam/lti/c.cpp:2: lti may not include "seam/system/a.hpp"; it sees base.')

    def test_what_a_seen_room_sees_is_not_granted_with_it(self):
        self.assert_fails(GOOD | {"src/seam/engine/c.hpp": "#include <seam/lti/a.hpp>\n"},
                          'src/seam/engine/c.hpp:1: engine may not include "seam/lti/a.hpp"; it sees base, system.')

    def test_a_relative_include_cannot_go_round_the_check(self):
        self.assert_fails(GOOD | {"src/seam/lti/c.cpp": '#include "../system/a.hpp"\n'},
                          'src/seam/lti/c.cpp:1: includes "../system/a.hpp" by a relative path')

    def test_the_detail_of_another_room_is_private(self):
        self.assert_fails(GOOD | {"src/seam/system/c.cpp": '#include "seam/lti/detail/b.hpp"\n'},
                          'src/seam/system/c.cpp:1: "seam/lti/detail/b.hpp" is private to lti')

    def test_a_cycle_of_cards_is_named_with_its_rooms(self):
        self.assert_fails(GOOD | {"src/seam/lti/CMakeLists.txt": "seam_room(lti SEES engine)\n"},
                          "the SEES lists form a cycle: engine -> system -> lti -> engine")

    def test_a_card_that_sees_a_room_that_is_not_there_is_named(self):
        self.assert_fails(GOOD | {"src/seam/lti/CMakeLists.txt": "seam_room(lti SEES sistem)\n"},
                          "src/seam/lti/CMakeLists.txt:1: SEES names 'sistem', but there is no folder src/seam/sistem")

    def test_a_folder_with_sources_needs_a_card_of_its_own_name(self):
        self.assert_fails(GOOD | {"src/seam/new/a.cpp": "", "src/seam/old/a.cpp": "", "src/seam/old/CMakeLists.txt": "seam_room(odl)\n"},
                          "src/seam/new/CMakeLists.txt:1: the folder has no card",
                          "src/seam/old/CMakeLists.txt:1: the card is of room 'odl', but the folder is 'old'")

    def test_a_word_of_another_room_is_named_where_it_is_said(self):
        self.assert_fails(GOOD | {"src/seam/system/c.cpp": "\nEigenSolver s;  // EigenSolver\nint y = LAPACKE_dgesv();\n"},
                          "src/seam/system/c.cpp:2: 'EigenSolver' may be said in lti alone",
                          "src/seam/system/c.cpp:3: 'LAPACKE_' may be said in lti alone")

    def test_only_apps_talk_to_the_terminal(self):
        self.assert_fails(GOOD | {"src/seam/system/c.cpp": "void f() { std::cout << 1; }\n"},
                          "src/seam/system/c.cpp:1: 'std::cout' may be said in apps alone")

    def test_apps_see_the_top_of_the_engine_alone(self):
        self.assert_fails(GOOD | {"apps/cli/run.cpp": '#include "seam/lti/a.hpp"\n'},
                          'apps/cli/run.cpp:1: apps may not include "seam/lti/a.hpp"; it sees base, engine, report, study.')


if __name__ == "__main__":
    unittest.main()
