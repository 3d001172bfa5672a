#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <io/files.hpp>

#include <shardplan/io/json_file.hpp>

namespace {

using namespace shardplan;
using test::check_says;
using test::complaint;

std::string complaint_about(std::string const& text) {
  test::temporary_folder const folder;
  return complaint([&] { io::read_json_object(folder.write("input.json", text)); });
}

TEST_CASE("files that are none") {
  test::temporary_folder const folder;
  check_says(complaint([&] { io::read_json_object(folder.path() + "/absent.json"); }),
             {"absent.json", "missing", "a JSON file that exists"});
  check_says(complaint([&] { io::read_json_object(folder.path()); }), {folder.path(), "a directory", "a JSON file"});
  check_says(complaint([&] { io::read_json_object("no\nsuch\nfile"); }), {"no?such?file", "missing"});
}

TEST_CASE("empty files") {
  for (std::string const text : {"", " \n\t\r\n"})
    check_says(complaint_about(text), {"input.json", "the file is empty", "a JSON object"});
}

TEST_CASE("a file that is too large") {
  test::temporary_folder const folder;
  auto const path = folder.write("large.json", "{}");
  std::filesystem::resize_file(path, io::largest_file + 1);
  check_says(complaint([&] { io::read_json_object(path); }), {"large.json", "larger than 64 MiB", "at most 64 MiB"});
}

TEST_CASE("broken JSON is reported with line and column") {
  check_says(complaint_about("{\n  \"a\": 1,\n  \"b\": tru\n}"),
             {"input.json: line 3, column 11 is not JSON", "invalid literal", "it must be valid JSON"});
  check_says(complaint_about("{\"a\": 1"), {"line 1, column 8", "unexpected end of input"});
  check_says(complaint_about("{'a': 1}"), {"line 1, column 2"});
  check_says(complaint_about("{\"a\": NaN}"), {"line 1", "not JSON"});
  check_says(complaint_about("{\"a\": 1}\n{\"b\": 1}"), {"line 2, column 1", "expected end of input"});
  check_says(complaint_about("{\"a\": 1e999}"), {"input.json", "number overflow", "valid JSON"});
  check_says(complaint_about("{\"a\": \"\xff\"}"), {"line 1", "not JSON"});
  check_says(complaint_about(std::string(100000, '[')), {"line 1", "not JSON"});
  check_says(complaint_about("{\"" + std::string(100000, 'a')), {"line 1", "not JSON"});
}

TEST_CASE("the top level must be an object") {
  check_says(complaint_about("[1, 2]"), {"input.json", "the top level is an array of 2 values", "a JSON object"});
  check_says(complaint_about("3"), {"the top level is 3"});
  check_says(complaint_about("null"), {"the top level is null"});
  std::string const deep = std::string(200000, '[') + std::string(200000, ']');
  check_says(complaint_about(deep), {"the top level is an array of 1 value;"});
}

TEST_CASE("a key that is there twice is an error, at any depth; equal keys of different objects are none") {
  check_says(complaint_about(R"({"hidden": 1, "heads": 2, "hidden": 3})"),
             {"input.json", "key \"hidden\" is there twice", "there once"});
  check_says(complaint_about(R"({"outer": {"list": [{"deep": 1, "deep": 1}]}})"), {"key \"deep\" is there twice"});
  CHECK(complaint_about(R"({"a": {"x": 1}, "b": [{"x": 1}, {"x": 2}], "x": 3})").empty());
}

TEST_CASE("a byte order mark is no part of the JSON") { CHECK(complaint_about("\xef\xbb\xbf{\"a\": 1}").empty()); }

struct one_file {
  test::temporary_folder folder;
  io::json_object object;
  explicit one_file(std::string const& text) : object(io::read_json_object(folder.write("input.json", text))) {}
};

TEST_CASE("whole numbers") {
  one_file const file(R"({"good": 12, "exact": 12.0, "exponent": 1e3, "half": 1.5, "below": -4, "above": 1e30,
                          "beyond": 99999999999999999999, "wide": 18446744073709551615, "text": "12", "switch": true,
                          "none": null, "list": [1], "object": {"x": 1}})");
  auto const& object = file.object;
  CHECK(object.whole("good", 1, 100) == 12);
  CHECK(object.whole("exact", 1, 100) == 12);
  CHECK(object.whole("exponent", 1, 1000) == 1000);
  CHECK(object.whole_or("absent", 1, 100, 7) == 7);
  CHECK(object.whole_or("none", 1, 100, 7) == 7);
  CHECK(object.whole_or("good", 1, 100, 7) == 12);
  auto const complain = [&](const char* key) { return complaint([&] { object.whole(key, 1, 1'000'000'000); }); };
  std::string const right = "a whole number from 1 to 1e9";
  check_says(complain("half"), {"input.json: key \"half\" is 1.5; it must be " + right});
  check_says(complain("below"), {"key \"below\" is -4; it must be " + right});
  check_says(complain("above"), {"key \"above\" is 1e+30", right});
  check_says(complain("beyond"), {"key \"beyond\" is 1e+20", right});
  check_says(complain("wide"), {"key \"wide\" is 18446744073709551615", right});
  check_says(complain("text"), {"key \"text\" is \"12\"", right});
  check_says(complain("switch"), {"key \"switch\" is true", right});
  check_says(complain("none"), {"key \"none\" is null", right});
  check_says(complain("list"), {"key \"list\" is an array of 1 value", right});
  check_says(complain("object"), {"key \"object\" is an object", right});
  check_says(complain("absent"), {"key \"absent\" is missing; it must be " + right});
  check_says(complain("goof"), {"key \"goof\" is missing", "(the file has \"good\")"});
  check_says(complaint([&] { object.whole_or("text", 1, 100, 7); }), {"\"12\"", "from 1 to 100"});
}

TEST_CASE("numbers, shares, switches, texts, names, arrays, objects") {
  one_file const file(R"({"number": 0.25, "whole": 3, "text": "abc", "switch": false, "list": ["a", "b"],
                          "mixed": ["a", 1], "inner": {"deep": {"x": -1}}})");
  auto const& object = file.object;
  CHECK(object.number("number", 0, 1) == 0.25);
  CHECK(object.number("whole", 0, 10) == 3);
  CHECK(object.number_or("absent", 0, 1, 0.5) == 0.5);
  CHECK(object.share("number") == 0.25);
  CHECK(object.flag("switch") == false);
  CHECK(object.flag_or("absent", true) == true);
  CHECK(object.text("text") == "abc");
  CHECK(object.name("text", {"abc", "def"}) == "abc");
  CHECK(object.texts("list") == std::vector<std::string>{"a", "b"});
  check_says(complaint([&] { object.number("whole", 0, 1); }), {"\"whole\" is 3", "a number from 0 to 1"});
  check_says(complaint([&] { object.number("text", 0, 1); }), {"\"text\" is \"abc\"", "a number from 0 to 1"});
  check_says(complaint([&] { object.share("whole"); }), {"\"whole\" is 3", "above 0 and at most 1"});
  check_says(complaint([&] { object.flag("whole"); }), {"\"whole\" is 3", "true or false"});
  check_says(complaint([&] { object.text("whole"); }), {"\"whole\" is 3", "a string"});
  check_says(complaint([&] { object.name("text", {"abd", "xyz"}); }),
             {"\"text\" is \"abc\"", "one of abd, xyz", "did you mean abd?"});
  check_says(complaint([&] { object.texts("text"); }), {"\"text\" is \"abc\"", "an array of strings"});
  check_says(complaint([&] { object.texts("mixed"); }), {"\"mixed\" is an array that holds 1", "an array of strings"});
  check_says(complaint([&] { object.object("text"); }), {"\"text\" is \"abc\"", "an object"});
  check_says(complaint([&] { object.object("inner").object("deep").whole("x", 0, 9); }),
             {"key \"inner.deep.x\" is -1", "a whole number from 0 to 9"});
  check_says(complaint([&] { object.object("inner").allow_only({"deeper"}); }),
             {"key \"inner.deep\" is unknown", "one of deeper (did you mean deeper?)"});
}

TEST_CASE("an object outlives what it was taken from") {
  auto const inner = [] { return one_file(R"({"inner": {"x": 5}})").object.object("inner"); }();
  CHECK(inner.whole("x", 1, 9) == 5);
}

TEST_CASE("long values are shortened and control characters kept off the line") {
  one_file const file(R"({"long": ")" + std::string(1000, 'z') + R"(", "lines": "a\nb"})");
  auto const message = complaint([&] { file.object.whole("long", 1, 2); });
  check_says(message, {"zzz...", "a whole number from 1 to 2"});
  CHECK(message.size() < 400);
  check_says(complaint([&] { file.object.whole("lines", 1, 2); }), {"\"a\\nb\""});
}

TEST_CASE("the parts of an input error") {
  io::input_error const error("config.json", "num_attention_heads", "-4", "a whole number from 1 to 1e9");
  CHECK(std::string(error.what()) ==
        "config.json: key \"num_attention_heads\" is -4; it must be a whole number from 1 to 1e9");
  CHECK(error.file() == "config.json");
  CHECK(error.key() == "num_attention_heads");
  CHECK(error.value() == "-4");
  CHECK(error.expected() == "a whole number from 1 to 1e9");
  CHECK(io::input_error::at("f", "the file", "empty", "full").key().empty());
}

TEST_CASE("suggestions") {
  std::vector<std::string> const ids{"h100-sxm", "h100-pcie", "h800", "h200", "l4", "rtx-4090"};
  using names = std::vector<std::string>;
  CHECK(io::edit_distance("kitten", "sitting") == 3);
  CHECK(io::edit_distance("", "abc") == 3);
  CHECK(io::edit_distance("qvk", "qkv") == 1);
  CHECK(io::edit_distance("H100", "h100") == 0);
  CHECK(io::nearest("h100", ids) == names{"h100-sxm", "h100-pcie"});
  CHECK(io::nearest("H100_SXM", ids) == names{"h100-sxm"});
  CHECK(io::nearest("rtx4090", ids) == names{"rtx-4090"});
  CHECK(io::nearest("h300", ids) == names{"h800", "h200"});
  CHECK(io::nearest("tpu-v5", ids).empty());
  CHECK(io::nearest("", ids).empty());
  CHECK(io::nearest(std::string(100000, 'h'), ids).empty());
}

}  // namespace
