// Finds what a file in C++ defines that the linker takes once for all files,
// without a word where definitions differ: templates, inline functions, and
// classes, whose members are inline.
#pragma once

#include "found_signature.h"

#include <algorithm>
#include <cctype>
#include <regex>
#include <string>
#include <vector>

/// A definition in a file.
struct Definition {
  std::string name;  // as it is shown
  std::string key;   // with its namespaces and the types of its parameters
  std::string text;  // without comments, each blank one space
  std::size_t place; // of the name in the file
};

class Definitions {
public:
  /// All of a file that are not in an unnamed namespace, nor `static`.
  static std::vector<Definition> of(const std::string &file) {
    Definitions reader(code_of(file));
    reader.read("");
    return reader.found_;
  }

private:
  explicit Definitions(std::string code) : code_(std::move(code)) {}

  /// The file with spaces for comments, literals and lines of the preprocessor.
  static std::string code_of(const std::string &file) {
    std::string code = file;
    CodeReader reader(file);
    while (reader.place() < file.size()) {
      const std::size_t from = reader.place();
      if (file[from] == '#' && begins_line(code, file, from)) {
        reader.move_to(end_of_line(file, from));
      } else if (!reader.skip_other()) {
        reader.move_to(from + 1);
        continue;
      }
      std::fill(code.begin() + std::ptrdiff_t(from), code.begin() + std::ptrdiff_t(reader.place()),
                ' ');
    }
    return code;
  }

  /// Whether only blanks and comments are before a place of a line.
  static bool begins_line(const std::string &code, const std::string &file, std::size_t place) {
    const std::size_t start = place == 0 ? 0 : file.rfind('\n', place - 1) + 1;
    return code.find_first_not_of(" \t", start) == place;
  }

  /// The end of a line that may go on in the next.
  static std::size_t end_of_line(const std::string &file, std::size_t at) {
    while (at < file.size() && file[at] != '\n') {
      at += file[at] == '\\' ? 2 : 1;
    }
    return at;
  }

  /// Reads definitions of a namespace up to its end; those of an unnamed one
  /// are no one else's.
  void read(const std::string &scope, bool is_shared = true) {
    static const std::regex of_namespace(R"(\bnamespace\s+([\w:]*)\s*$|\bextern\s*$)");
    std::size_t start = at_;
    for (; at_ < code_.size() && code_[at_] != '}'; ++at_) {
      if (code_[at_] == ';') {
        start = at_ + 1;
      } else if (code_[at_] == '(') {
        at_ = end_of(at_);
      } else if (code_[at_] == '{') {
        const std::string head = code_.substr(start, at_ - start);
        std::smatch space;
        if (std::regex_search(head, space, of_namespace)) {
          const std::string name = space[1];
          const bool is_named = !name.empty() || head.find("extern") != std::string::npos;
          ++at_;
          read(name.empty() ? scope : scope + name + "::", is_shared && is_named);
          start = at_ + 1;
        } else {
          const std::size_t end = end_of(at_);
          if (is_shared) {
            add(scope, start, head, end);
          }
          at_ = end;
          start = std::regex_search(head, std::regex(R"([=]\s*$)")) ? start : at_ + 1;
        }
      }
    }
  }

  /// Where a bracket is closed.
  std::size_t end_of(std::size_t open) const {
    std::size_t depth = 0;
    for (std::size_t at = open; at < code_.size(); ++at) {
      if (std::string("({[").find(code_[at]) != std::string::npos) {
        ++depth;
      } else if (std::string(")}]").find(code_[at]) != std::string::npos && --depth == 0) {
        return at;
      }
    }
    return code_.size() - 1;
  }

  /// Adds what begins with this head, if others can have it too.
  void add(const std::string &scope, std::size_t start, const std::string &head, std::size_t end) {
    static const std::regex of_class(
        R"(\b(?:struct|class|union)\s+(?:(?:alignas|__align__)\s*\([^)]*\)\s*)?(\w+)\s*(?:final\b|<|:[^:]|$))");
    static const std::regex is_inline(
        R"(\b(?:template|inline|constexpr|__forceinline__|__inline__)\b)");
    static const std::regex of_function(R"(([\w:~]+|operator[^\w\s(]+)\s*\()");
    std::smatch found;
    std::string key;
    const bool is_function = head.find('(') != std::string::npos && head.find('=') > head.find('(');
    if (std::regex_search(head, found, of_class) &&
        (!is_function || found.position() < long(head.find('(')))) {
      key = "class " + scope + found[1].str();
    } else if (!is_function || !std::regex_search(head, is_inline) ||
               std::regex_search(head, std::regex(R"(\bstatic\b)"))) {
      return;
    } else {
      static const std::regex others(
          R"(^(?:__launch_bounds__|alignas|decltype|noexcept|requires|__attribute__)$)");
      std::string::const_iterator from = head.begin();
      do {
        if (!std::regex_search(from, head.end(), found, of_function)) {
          return;
        }
        from = found[0].second;
      } while (std::regex_match(found[1].str(), others));
      const auto open = std::size_t(from - head.begin()) - 1;
      key = scope + found[1].str() +
            types_of(code_.substr(start + open, end_of(start + open) - start - open));
    }
    const auto place = start + std::size_t(found[1].first - head.begin());
    const std::string text = code_.substr(start, end + 1 - start);
    static const std::regex blanks(R"(\s+)");
    const std::size_t first = text.find_first_not_of(" \t\n\r");
    found_.push_back({found[1], key, std::regex_replace(text.substr(first), blanks, " "), place});
  }

  /// `(const T *x, int n = 1` as `(const T *,int`.
  static std::string types_of(const std::string &parameters) {
    std::string types, one;
    int depth = 0;
    const auto finish = [&] {
      const std::string type = one.substr(0, one.find('='));
      types +=
          std::regex_replace(type, std::regex(R"(([\w>*&])(\s+|\s*[*&]\s*)\w+\s*$)"), "$1$2") + ',';
      one.clear();
    };
    for (const char c : parameters.substr(1)) {
      depth += c == '<' || c == '(' || c == '{' ? 1 : c == '>' || c == ')' || c == '}' ? -1 : 0;
      if (c == ',' && depth == 0) {
        finish();
      } else if (!std::isspace(static_cast<unsigned char>(c)) ||
                 (!one.empty() && one.back() != ' ')) {
        one += std::isspace(static_cast<unsigned char>(c)) ? ' ' : c;
      }
    }
    finish();
    return '(' + std::regex_replace(types, std::regex(R"(\s+)"), "");
  }

  std::string code_;
  std::size_t at_ = 0;
  std::vector<Definition> found_;
};
