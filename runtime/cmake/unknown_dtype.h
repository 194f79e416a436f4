// The message about a word that is not a dtype in a signature: the word, and what was meant. It may
// be a struct that the file declares.
#pragma once

#include <cuvec/signature.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>
#include <utility>
#include <vector>

/// Names of dtypes in C and in Rust that are like the name of another dtype or of none.
inline constexpr std::pair<const char *, const char *> other_names[] = {
    {"half", "float16"}, {"float", "float32"}, {"double", "float64"},      {"int", "int32"},
    {"long", "int64"},   {"size_t", "int64"},  {"f16", "float16"},         {"f32", "float32"},
    {"f64", "float64"},  {"i8", "int8"},       {"i16", "int16"},           {"i32", "int32"},
    {"i64", "int64"},    {"u8", "uint8"},      {"u16", "uint16"},          {"u32", "uint32"},
    {"u64", "uint64"},   {"bf16", "bfloat16"}, {"float8", "float8_e4m3fn"}};

/// How many letters are to be added, removed, changed or swapped to make one word of the other.
inline std::size_t slips(const std::string &a, const std::string &b) {
  std::vector<std::vector<std::size_t>> best(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t k = 0; k <= b.size(); ++k) {
      if (i == 0 || k == 0) {
        best[i][k] = i + k;
        continue;
      }
      const std::size_t changed = best[i - 1][k - 1] + std::size_t(a[i - 1] != b[k - 1]);
      best[i][k] = std::min({best[i - 1][k] + 1, best[i][k - 1] + 1, changed});
      if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1]) {
        best[i][k] = std::min(best[i][k], best[i - 2][k - 2] + 1);
      }
    }
  }
  return best[a.size()][b.size()];
}

/// The dtype that was meant, most likely: with a slip or two in it, or its end missing; empty if
/// none is like it. `cuvec-new add` finds the same.
inline std::string similar_dtype(std::string word) {
  for (char &letter : word) {
    letter = char(std::tolower(static_cast<unsigned char>(letter)));
  }
  for (const auto &[name, dtype] : other_names) {
    if (word == name) {
      return dtype;
    }
  }
  std::string found;
  std::size_t fewest = std::string::npos;
  for (const cuvec::detail::NamedDtype &dtype : cuvec::detail::dtypes) {
    const std::string name = dtype.name;
    const std::size_t count = slips(name, word);
    const bool is_begun = word.size() > 1 && name.compare(0, word.size(), word) == 0;
    const bool is_near = count <= 1 + word.size() / 6;
    if (name[0] == word[0] && (is_begun || is_near) && count < fewest) {
      found = name;
      fewest = count;
    }
  }
  return found;
}

/// The word at a place of the signature.
inline std::string word_at(const std::string &signature, std::size_t place) {
  const auto is_part = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
  std::size_t end = place;
  while (end < signature.size() && is_part(static_cast<unsigned char>(signature[end]))) {
    ++end;
  }
  return signature.substr(place, end - place);
}

/// Checks whether the word at a place of the signature, followed by a comma, was to be a dtype.
inline bool is_like_dtype(const std::string &signature, std::size_t place) {
  const std::string word = word_at(signature, place);
  const std::size_t next = signature.find_first_not_of(" \n", place + word.size());
  return next != std::string::npos && signature[next] == ',' && !similar_dtype(word).empty();
}

/// Returns the end of the message for the word at a place of the signature.
inline std::string said_of_dtype(const std::string &signature, std::size_t place) {
  const std::string word = word_at(signature, place);
  for (const cuvec::detail::NamedDtype &dtype : cuvec::detail::dtypes) {
    if (word == dtype.name) { // in parentheses
      return ": `" + word + "` is not a variable, such as T of `<T: float32, float64>`";
    }
  }
  const std::string meant = similar_dtype(word);
  const bool is_upper = !word.empty() && std::isupper(static_cast<unsigned char>(word[0])) != 0;
  std::string hint;
  if (!meant.empty()) {
    hint = "; did you mean `" + meant + "`?";
  } else if (is_upper && word.size() == 1) {
    hint = "; a variable is declared before the arguments, `<" + word + ": float32, float64>(`";
  } else if (is_upper) {
    hint = "; a struct is declared with CUVEC_STRUCT, in the file or in what "
           "it includes";
  }
  return ": `" + word + "`" + hint;
}

inline std::string read_file(const std::string &path) {
  std::ifstream stream(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(stream), {});
}

/// The structs that a file of kernels/ can name: the ones of CUVEC_STRUCT in it, and in what it
/// includes.
class KnownStructs {
public:
  explicit KnownStructs(const std::string &path) { look(path); }

  /// Checks whether a struct of this name may exist: only compilers know files in other folders.
  bool may_have(const std::string &name) const { return is_partial_ || names_.count(name) != 0; }

private:
  void look(const std::string &path) {
    if (!seen_.insert(path).second) {
      return;
    }
    const std::string file = read_file(path), folder = path.substr(0, path.find_last_of("/\\") + 1);
    is_partial_ = is_partial_ || file.empty();
    each(file, std::regex("CUVEC_STRUCT\\( *(\\w+)"),
         [&](const std::string &name) { names_.insert(name); });
    each(file, std::regex("#include \"([^\"]+)\""),
         [&](const std::string &name) { look(folder + name); });
  }

  template <class Use> static void each(const std::string &file, const std::regex &what, Use use) {
    for (std::sregex_iterator it(file.begin(), file.end(), what), end; it != end; ++it) {
      use((*it)[1].str());
    }
  }

  std::set<std::string> names_, seen_;
  bool is_partial_ = false;
};
