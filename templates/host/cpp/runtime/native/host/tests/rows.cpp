// Extents as they are declared: how they read, and what they are.
#include "functions/rows.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <host/error.hpp>

#include "test.hpp"

namespace {

constexpr std::int64_t LARGEST = std::numeric_limits<std::int64_t>::max();

/// A row with the dimensions m and n, and one extent in postfix notation, such as
/// `2 n * 1 -`.
class Extent {
public:
  explicit Extent(const std::string &postfix) {
    std::string word;
    for (const char letter : postfix + " ") {
      if (letter != ' ') {
        word += letter;
        continue;
      }
      const bool is_number = word.find_first_not_of("0123456789") == std::string::npos;
      if (is_number) {
        terms_.push_back({'#', std::stoll(word)});
      } else if (word == "m" || word == "n") {
        terms_.push_back({'d', word == "m" ? 0 : 1});
      } else {
        terms_.push_back({word[0], 0});
      }
      word.clear();
    }
  }

  std::string text() const { return host::rows::text_of(row(), extent()); }

  std::int64_t value(std::int64_t m, std::int64_t n) const {
    const std::array<std::int64_t, 2> dimensions{m, n};
    return host::rows::evaluate(row(), extent(), dimensions.data());
  }

private:
  cuvec_function row() const {
    static constexpr std::array<cuvec_dimension, 2> DIMENSIONS{{{"m", -1}, {"n", -1}}};
    cuvec_function row{};
    row.dimensions = DIMENSIONS.data();
    row.terms = terms_.data();
    return row;
  }

  cuvec_extent extent() const { return {0, static_cast<std::int16_t>(terms_.size())}; }

  std::vector<cuvec_term> terms_;
};

} // namespace

TEST(an_extent_reads_as_it_was_declared) {
  for (const auto &[postfix, text] : std::vector<std::pair<std::string, std::string>>{
           {"3", "3"},
           {"n", "n"},
           {"n 1 -", "n-1"},
           {"2 n * 1 +", "2*n+1"},
           {"m n + 2 *", "(m+n)*2"},
           {"2 m n + *", "2*(m+n)"},
           {"m n - 1 -", "m-n-1"},
           {"m n 1 - -", "m-(n-1)"},
           {"2 n 3 / *", "2*(n/3)"},
           {"2 n * 3 /", "2*n/3"},
       }) {
    CHECK(Extent(postfix).text() == text);
  }
}

TEST(an_extent_is_calculated) {
  CHECK(Extent("3").value(5, 7) == 3);
  CHECK(Extent("n 1 -").value(5, 7) == 6);
  CHECK(Extent("2 n * 1 +").value(5, 7) == 15);
  CHECK(Extent("m n + 2 *").value(5, 7) == 24);
  CHECK(Extent("m n 1 - -").value(5, 7) == -1);
}

TEST(divisions_round_down) {
  CHECK(Extent("n 2 /").value(0, 7) == 3);
  CHECK(Extent("m n - 2 /").value(0, 7) == -4);
  CHECK(Extent("m n - 7 /").value(0, 7) == -1);
  CHECK(Extent("n 0 2 - /").value(0, 7) == -4);
  CHECK(Extent("m n - 0 2 - /").value(0, 7) == 3);
  CHECK(Extent("n 0 1 - /").value(0, 7) == -7);
}

TEST(what_no_number_is_raises) {
  CHECK_THROWS(Extent("n m /").value(0, 7), host::ValueError, "divided by zero");
  CHECK_THROWS(Extent("n m +").value(1, LARGEST), host::ValueError, "address space");
  CHECK_THROWS(Extent("n 2 *").value(1, LARGEST), host::ValueError, "address space");
  CHECK_THROWS(Extent("0 n - m - 1 -").value(1, LARGEST), host::ValueError, "address space");
  // The smallest number, by -1: the CPU itself would end the process.
  CHECK_THROWS(Extent("0 n - m - 0 1 - /").value(1, LARGEST), host::ValueError, "address space");
}

TEST(shapes_read_as_in_python) {
  constexpr std::array<cuvec_term, 4> TERMS{{{'d', 0}, {'d', 1}, {'#', 1}, {'-', 0}}};
  constexpr std::array<cuvec_dimension, 2> DIMENSIONS{{{"m", -1}, {"n", -1}}};
  cuvec_function row{};
  row.terms = TERMS.data();
  row.dimensions = DIMENSIONS.data();
  cuvec_argument a{};
  a.shape[0] = {0, 1};
  a.shape[1] = {1, 3};
  const std::array<std::int64_t, 2> dimensions{4, 3};
  for (const auto &[rank, declared, numbers] :
       std::vector<std::tuple<int, std::string, std::string>>{
           {0, "()", "()"}, {1, "(m,)", "(4,)"}, {2, "(m, n-1)", "(4, 2)"}}) {
    a.rank = static_cast<std::int8_t>(rank);
    CHECK(host::rows::shape_of(row, a) == declared);
    CHECK(host::rows::shape_of(row, a, dimensions.data()) == numbers);
  }
}

TEST(an_argument_without_a_name_is_called_out) {
  cuvec_argument a{};
  CHECK(std::string(host::rows::name_of(a)) == "out");
  a.name[0] = 'y';
  CHECK(std::string(host::rows::name_of(a)) == "y");
}
