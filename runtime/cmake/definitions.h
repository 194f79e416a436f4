// Finds what a file in C++ defines that the linker takes once for all files,
// without a word where definitions differ: templates, inline functions, and
// classes, whose members are inline.
#pragma once

#include <algorithm>
#include <cctype>
#include <cstring>
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
    bool is_first = true; // of what is in a line
    for (std::size_t at = 0, end = 0; at < file.size(); at = end) {
      end = end_of_other(file, at, is_first);
      is_first =
          file[at] == '\n' || (is_first && std::isspace(static_cast<unsigned char>(file[at])) != 0);
      if (end > at) {
        std::fill(code.begin() + std::ptrdiff_t(at), code.begin() + std::ptrdiff_t(end), ' ');
      }
      end = std::max(end, at + 1);
    }
    return code;
  }

  /// Where a comment, a literal or a line of the preprocessor ends; `at` for
  /// what is code.
  static std::size_t end_of_other(const std::string &file, std::size_t at, bool is_first) {
    const auto is_at = [&](const char *text) {
      return file.compare(at, std::strlen(text), text) == 0;
    };
    const auto behind = [&](const std::string &text, std::size_t from) {
      const std::size_t found = file.find(text, from);
      return found == std::string::npos ? file.size() : found + text.size();
    };
    if (is_at("//")) {
      return behind("\n", at) - 1;
    }
    if (is_at("/*")) {
      return behind("*/", at + 2);
    }
    if (is_at("R\"")) {
      const std::size_t open = std::min(file.find('(', at), file.size() - 1);
      return behind(')' + file.substr(at + 2, open - at - 2) + '"', open);
    }
    const bool is_number = at > 0 && std::isalnum(static_cast<unsigned char>(file[at - 1])) != 0;
    const bool is_literal = is_at("\"") || (is_at("'") && !is_number); // not of 1'000
    if (!is_literal && !(is_at("#") && is_first)) {
      return at;
    }
    const char last = is_literal ? file[at] : '\n';
    std::size_t end = at + 1;
    while (end < file.size() && file[end] != last) {
      end += file[end] == '\\' ? 2 : 1;
    }
    return std::min(is_literal ? end + 1 : end, file.size());
  }

  /// Reads definitions of a namespace up to its end; those of an unnamed one
  /// are no one else's.
  void read(const std::string &scope, bool is_shared = true) {
    std::size_t start = at_;
    for (; at_ < code_.size() && code_[at_] != '}'; ++at_) {
      if (code_[at_] == ';') {
        start = at_ + 1;
      } else if (code_[at_] == '(') {
        at_ = end_of(at_);
      } else if (code_[at_] == '{') {
        const std::string head = code_.substr(start, at_ - start);
        std::smatch space;
        if (std::regex_search(head, space,
                              std::regex(R"(\bnamespace\s+([\w:]*)\s*$|\bextern\s*$)"))) {
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
