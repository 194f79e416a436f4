// Finds what a file in C++ defines that the linker takes once for all files,
// without a word where definitions differ: templates, inline functions, and
// classes, whose members are inline.
#pragma once

#include "found_signature.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <regex>
#include <string>
#include <vector>

/// A definition in a file.
struct Definition {
  std::string name;  // as it is shown
  std::string key;   // with its namespaces and the types of its parameters
  std::string text;  // without comments, each blank one space
  std::size_t place; // of the name in the file
  std::map<std::string, std::string>
      used; // what the file defines that it names, and what that names
};

class Definitions {
public:
  /// All of a file that are not in an unnamed namespace, nor `static`.
  static std::vector<Definition> of(const std::string &file) {
    Definitions reader(code_of(file));
    reader.read_macros(file);
    reader.read("");
    for (Definition &it : reader.found_) {
      reader.add_used(it.text, it.used);
    }
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

  /// Checks whether only blanks and comments are before a place of a line.
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

  void read_macros(const std::string &file) {
    static const std::regex macro(R"(^[ \t]*#[ \t]*define[ \t]+(\w+)((?:\\\n|[^\n])*))",
                                  std::regex::multiline);
    for (std::sregex_iterator it(file.begin(), file.end(), macro), end; it != end; ++it) {
      const std::string text = (*it)[2];
      named_[(*it)[1]] += text.substr(0, text.find("//"));
    }
  }

  /// Adds what a text names of this file, and what that names.
  void add_used(const std::string &text, std::map<std::string, std::string> &used) const {
    static const std::regex word(R"([A-Za-z_]\w*)");
    for (std::sregex_iterator it(text.begin(), text.end(), word), end; it != end; ++it) {
      const auto found = named_.find(it->str());
      if (found != named_.end() && used.insert(*found).second) {
        add_used(found->second, used);
      }
    }
  }

  /// Keeps the text of a declaration for each name in it that others may use.
  void keep_names(std::string head, const std::string &text) {
    static const std::regex of_macro(
        R"(\b(?:__launch_bounds__|alignas|__align__|__attribute__|decltype|noexcept)\s*\()");
    static const std::regex of_template(R"(\btemplate\s*<)");
    static const std::regex of_type(R"(\b(?:struct|class|union|using)\s+(\w+))");
    static const std::regex of_enum(R"(\benum\b)");
    static const std::regex word(R"([A-Za-z_]\w*)"), last(R"((\w+)\s*$)");
    std::smatch found;
    while (std::regex_search(head, found, of_template) ||
           std::regex_search(head, found, of_macro)) {
      const auto from = std::size_t(found.position());
      const std::size_t end = closed(head, from + std::size_t(found.length()) - 1, "(<{[", ")>}]");
      head.replace(from, end + 1 - from, " ");
    }
    if (std::regex_search(head, found, of_type)) {
      named_[found[1]] += text;
    } else if (std::regex_search(head, of_enum)) { // and its constants
      for (std::sregex_iterator it(text.begin(), text.end(), word), end; it != end; ++it) {
        named_[it->str()] += text;
      }
    } else {
      std::size_t start = 0; // `double a = 1, b = 2`
      while (start < head.size()) {
        const std::size_t end = std::min(head.find(',', start), head.size());
        const std::string one = head.substr(start, end - start);
        const std::string before = one.substr(0, one.find_first_of("=([{"));
        if (std::regex_search(before, found, last)) {
          named_[found[1]] += text;
        }
        start = one.find('(') == std::string::npos ? end + 1 : head.size();
      }
    }
  }

  /// Where the bracket at this place is closed.
  static std::size_t closed(const std::string &text, std::size_t open, const std::string &opening,
                            const std::string &closing) {
    std::size_t depth = 0;
    for (std::size_t at = open; at < text.size(); ++at) {
      if (opening.find(text[at]) != std::string::npos) {
        ++depth;
      } else if (closing.find(text[at]) != std::string::npos && --depth == 0) {
        return at;
      }
    }
    return text.size() - 1;
  }

  /// The code between two places, each blank one space.
  std::string text_of(std::size_t start, std::size_t end) const {
    static const std::regex blanks(R"(\s+)");
    const std::string text = code_.substr(start, end - start);
    const std::size_t first = text.find_first_not_of(" \t\n\r");
    return first == std::string::npos ? "" : std::regex_replace(text.substr(first), blanks, " ");
  }

  /// Reads definitions of a namespace up to its end; definitions of an unnamed one
  /// are no one else's.
  void read(const std::string &scope, bool is_shared = true) {
    static const std::regex of_namespace(R"(\bnamespace\s+([\w:]*)\s*$|\bextern\s*$)");
    std::size_t start = at_;
    for (; at_ < code_.size() && code_[at_] != '}'; ++at_) {
      if (code_[at_] == ';') {
        const std::string text = text_of(start, at_);
        keep_names(text, text);
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
          const bool goes_on = std::regex_search(head, std::regex(R"([=]\s*$)"));
          if (is_shared) {
            add(scope, start, head, end);
          }
          if (!goes_on) {
            keep_names(head, text_of(start, end + 1));
          }
          at_ = end;
          start = goes_on ? start : at_ + 1;
        }
      }
    }
  }

  /// The same in the code, where `<` may be a comparison.
  std::size_t end_of(std::size_t open) const { return closed(code_, open, "({[", ")}]"); }

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
    found_.push_back({found[1], key, text_of(start, end + 1), place, {}});
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
  std::map<std::string, std::string> named_; // all that the file defines, macros too
};
