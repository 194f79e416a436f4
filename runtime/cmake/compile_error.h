// The message in one line about a function whose body does not go with its signature.
#pragma once

#include <cuvec/signature.h>

#include <algorithm>
#include <regex>
#include <string>
#include <vector>

/// Message of an error, and where to look: a name in the file.
struct CompileError {
  std::string what, where;
};

/// A text as it is written in one line: with one blank for several, or for a new line, and none
/// at its ends and within parentheses.
inline std::string in_one_line(const std::string &text) {
  std::string line;
  for (const char c : text) {
    const bool is_blank = c == ' ' || c == '\n', is_start = line.empty() || line.back() == '(';
    if (!line.empty() && line.back() == ' ' && (is_blank || c == ')')) {
      line.pop_back();
    }
    if (!is_blank) {
      line += c;
    } else if (!is_start) {
      line += ' ';
    }
  }
  return line.substr(0, line.find_last_not_of(' ') + 1);
}

/// The parts between commas, but for those in brackets.
inline std::vector<std::string> split(const std::string &text) {
  std::vector<std::string> parts;
  int depth = 0;
  std::string part;
  for (const char c : text + ',') {
    depth += int(std::string("(<[{").find(c) != std::string::npos);
    depth -= int(std::string(")>]}").find(c) != std::string::npos);
    if (c == ',' && depth <= 0) {
      parts.push_back(in_one_line(part));
      part.clear();
    } else {
      part += c;
    }
  }
  return parts;
}

/// The arguments and the results, as they are declared.
inline std::vector<std::string> declared(const std::string &signature) {
  const std::size_t arrow = signature.find("->"), open = signature.find('(');
  const std::size_t close = signature.rfind(')', arrow);
  std::vector<std::string> all = split(signature.substr(open + 1, close - open - 1));
  if (arrow != std::string::npos) {
    for (const std::string &result : split(signature.substr(arrow + 2))) {
      all.push_back(result);
    }
  }
  std::vector<std::string> some;
  for (const std::string &it : all) {
    if (!it.empty() && it != "*") {
      some.push_back(it);
    }
  }
  return some;
}

/// A type as kernels are written: `In<T, 2>`.
inline std::string shown(std::string type) {
  static const std::pair<const char *, const char *> words[] = {
      {"cuvec::(detail::)?", ""},
      {"small_float<5, 10, true>", "float16"},
      {"small_float<8, 7, true>", "bfloat16"},
      {"small_float<4, 3, false>", "float8_e4m3fn"},
      {"small_float<5, 2, true>", "float8_e5m2"},
      {"complex<float>", "complex64"},
      {"complex<double>", "complex128"},
      {"unsigned char", "uint8"},
      {"signed char", "int8"},
      {"short unsigned int|unsigned short", "uint16"},
      {"short int|\\bshort\\b", "int16"},
      {"long unsigned int|unsigned long", "uint64"},
      {"unsigned int", "uint32"},
      {"long int|\\blong\\b", "int64"},
      {"> *>", ">>"},
      {", Contiguous", ""},
      {"View<const ([^>]*)>", "In<$1>"},
      {"View<([^>]*)>", "Out<$1>"},
      {"((In|Out)<[^>,]*), 1>", "$1>"}};
  for (const auto &[word, other] : words) {
    type = std::regex_replace(type, std::regex(word), other);
  }
  return type.substr(0, type.find_last_not_of(' ') + 1);
}

/// The first thing that our headers say in the output of a compiler: GCC, clang or nvcc.
class CompilerOutput {
public:
  explicit CompilerOutput(const std::string &output) {
    constexpr std::size_t longest = 10'000; // std::regex takes stack for every letter
    for (std::size_t start = 0, end = 0; start < output.size(); start = end) {
      end = std::min(output.find('\n', start), output.size() - 1) + 1;
      if (end - start < longest) {
        output_.append(output, start, end - start);
      }
    }
  }

  /// The method that the first error is about; empty if that is a function or a constructor.
  std::string method() const {
    const std::size_t first = std::min(output_.find("error"), output_.size());
    const std::size_t line = std::min(output_.find('\n', first), output_.size());
    const std::string about = output_.substr(0, output_.find("error", line));
    std::smatch found;
    const std::regex method("Method<[^\\n]*?::(\\w+)>");
    return std::regex_search(about, found, method) ? found[1].str() : "";
  }

  /// Returns the error of the function, or the method, of a name and a signature, whose text is
  /// empty where it is unknown.
  CompileError error_of(const std::string &name, const std::string &signature) {
    name_ = name;
    is_known_ = !signature.empty();
    declared_ = declared(signature);
    return error();
  }

private:
  /// Nothing, if something else comes first, of which that may be a consequence.
  CompileError error() const {
    std::smatch found;
    const bool is_wrong = std::regex_search(output_, found, std::regex("error: [^\\n]*"));
    if (!is_wrong || !std::regex_search(found[0].str(), std::regex("cuvec:|WrongType<"))) {
      return {};
    }
    // nvcc has names for types in its first line, and types in another one.
    const std::regex type("Parameter<(\\d+)>, (?:cuvec::detail::)?Has<(.*)> ?, "
                          "(?:cuvec::detail::)?MustHave<(.*)> ?>");
    const std::regex instance(
        "Agrees<F, I, Written, Expected> \\[with F=.*, I=(\\d+), Written=(.*), Expected=(.*)\\]");
    if (std::regex_search(output_, found, instance)) {
      return wrong_type(std::stoul(found[1]), found[2], found[3]);
    }
    if (std::regex_search(output_, found, type)) {
      return wrong_type(std::stoul(found[1]) - 1, found[2], found[3]);
    }
    const std::regex said("error.*cuvec: (.*[^'\"\\n\\r])");
    if (!std::regex_search(output_, found, said)) {
      return {};
    }
    const std::string what = found[1];
    return what.find("another number of parameters") != std::string::npos
               ? wrong_number()
               : CompileError{said_of(what), "CUVEC_(EXPORT|CLASS)"};
  }

  /// The body that the compiler was at.
  std::string body() const {
    std::smatch found;
    const bool is_found =
        std::regex_search(output_, found, std::regex("Erased<[^\\n]*>::(cpu|gpu)['(]"));
    return output_.find("agree_each") != std::string::npos  ? "each"
           : output_.find("agree_row") != std::string::npos ? "row"
           : is_found                                       ? found[1].str()
                                                            : "a body";
  }

  CompileError wrong_type(std::size_t index, const std::string &has,
                          const std::string &must) const {
    const std::string must_be = index < declared_.size()
                                    ? "`" + declared_[index] + "` in the signature must be `"
                                    : "must be `";
    return {name_ + ": parameter " + std::to_string(index + 1) + " of `" + body() + "` is `" +
                shown(has) + "`, but " + must_be + shown(must) + "`",
            body()};
  }

  CompileError wrong_number() const {
    std::string all;
    for (const std::string &it : declared_) {
      all += (all.empty() ? ": " : "; ") + it;
    }
    const std::string has = ", which has " + std::to_string(declared_.size()) + all;
    return {name_ + ": `" + body() + "` has another number of parameters than its signature" +
                (is_known_ ? has : ""),
            body()};
  }

  /// As it is in the headers, of this function; nvcc has no letters beyond C.
  std::string said_of(std::string text) const {
    text = std::regex_replace(text, std::regex("\\?(\\w+)\\?"), "`$1`");
    text = std::regex_replace(text, std::regex("(function F|class C)\\b"), name_);
    return text.find(name_) == std::string::npos ? name_ + ": " + text : text;
  }

  std::string output_, name_;
  bool is_known_ = false;
  std::vector<std::string> declared_;
};
