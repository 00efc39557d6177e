import unittest

from fake_tree import FakeTree


def lines(count, line="  work();\n"):
    return line * count


class CheckSizes(FakeTree):
    check = "check_sizes"

    def test_what_is_just_within_the_caps_passes(self):
        self.assert_passes({"src/a.cpp": "void f() {\n" + lines(48) + "}\n",
                            "src/b.hpp": "\n" * 400,
                            "src/c.hpp": "void f(std::map<int, int> a, int (*b)(int, int), int c = g(1, 2), int d = {}, int e = 1 < 2);\n"})

    def test_a_file_over_the_cap_is_named_with_its_length(self):
        self.assert_fails({"apps/a.cpp": "\n" * 401}, "apps/a.cpp:1: the file has 401 lines, at most 400 are allowed")

    def test_a_function_over_the_cap_is_named_where_it_begins(self):
        self.assert_fails({"src/a.cpp": "namespace a {\n\nint f(int a,\n      int b) {\n" + lines(48) + "}\n}\n"},
                          "src/a.cpp:3: f has 51 lines, at most 50 are allowed")

    def test_the_bodies_of_namespaces_classes_enums_and_tables_are_not_functions(self):
        self.assert_passes({"src/a.cpp": "namespace a::b {\n" + lines(60, "class A;\n") + "}\n"
                                         + "class A final : public B<int(int)> {\n public:\n" + lines(60, "  int a{1};\n") + "};\n"
                                         + "enum class E : int {\n" + lines(60, "  e = f(1),\n") + "};\n"
                                         + "const Entry entries[] = {\n" + lines(60, "  {1, [](int a) { return a; }},\n") + "};\n"
                                         + "const std::vector<int> numbers{\n" + lines(60, "  f(1),\n") + "};\n"})

    def test_a_long_method_in_a_class_is_found(self):
        for head in ("void f() const noexcept override {", "A() : a_{1}, b_(2) {", "auto f() -> std::vector<int> {", "A& operator=(const A& a) {",
                     "template <class T = int> requires(sizeof(T) > 1) void f(T t) {", "~A() {", "bool operator()(int a) {", "explicit A(int a = {}) {"):
            code, text = self.run_on({"src/a.hpp": "struct A {\n  int x = 1;\n private:\n  " + head + "\n" + lines(49) + "  }\n};\n"})
            self.assertEqual(code, 1, head)
            self.assertIn("src/a.hpp:4:", text)
            self.assertIn("has 51 lines", text)

    def test_a_lambda_counts_into_its_function(self):
        self.assert_fails({"src/a.cpp": "void f() {\n  each([&](int i) {\n" + lines(30) + "  });\n  auto g = [] {\n" + lines(30) + "  };\n}\n"},
                          "src/a.cpp:1: f has 66 lines")

    def test_a_lambda_outside_of_functions_is_one_itself(self):
        self.assert_fails({"src/a.cpp": "const auto f = [](int a) -> int {\n" + lines(50) + "};\n"}, "src/a.cpp:1: lambda has 52 lines")

    def test_braces_in_texts_and_comments_do_not_count(self):
        self.assert_passes({"src/a.cpp": "void f() {\n  a = \"}{{\"; b = '{'; c = 1'000; // {\n  /* { */ d = R\"x({{ )\" {)x\";\n}\n" + lines(30, "void g();\n") + "void h() {\n" + lines(30) + "}\n"})

    def test_parameters_are_counted_in_declarations_and_definitions(self):
        self.assert_fails({"src/a.hpp": "struct A {\n  virtual void f(int a, int b, int c, int d, int e, int g) const = 0;\n};\n",
                           "src/a.cpp": "namespace {\nA::A(std::array<int, 2> a, int b, int c, int d, int e, int g) : a_{a} {}\n}\n"},
                          "src/a.hpp:2: f has 6 parameters, at most 5 are allowed",
                          "src/a.cpp:2: A has 6 parameters, at most 5 are allowed")

    def test_every_way_to_name_a_parameter_counts(self):
        self.assert_fails({"src/a.cpp": "void f(const A& a, B *b, double c[3], std::span<const int> d, Args&&... e, int (*g)(int), unsigned h = 1) {}\n"},
                          "src/a.cpp:1: f has 7 parameters")

    def test_a_parameter_without_name_does_not_count_a_library_dictates_it(self):
        self.assert_passes({"src/a.cpp": "int f(int, const A&, std::size_t, double /*t*/, void*, const B, unsigned long, std::vector<int> = {}) {}\n"})

    def test_calls_and_types_are_not_functions(self):
        self.assert_passes({"src/a.cpp": "using F = std::function<void(int, int, int, int, int, int)>;\nconst int a = f(1, 2, 3, 4, 5, 6);\n"
                                         "static_assert(f(1, 2, 3, 4, 5, 6) == 1, \"\");\nvoid g() { f(1, 2, 3, 4, 5, 6); }\n"})

    def test_tests_may_be_long(self):
        self.assert_passes({"tests/a_test.cpp": "\n" * 500})


if __name__ == "__main__":
    unittest.main()
