// Finds signatures in a file in C++, as they are written: in one literal or several, raw or not.
#pragma once

#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

/// A signature as it is in a file.
struct FoundSignature {
  std::string text;                // empty if it is no literal, such as a macro
  std::vector<std::size_t> places; // of its letters, and of its end
  std::size_t end = 0;             // behind it
};

/// Reads a file from a place on, past comments and other literals.
class CodeReader {
public:
  explicit CodeReader(const std::string &file, std::size_t from = 0)
      : file_(file), at_(std::min(from, file.size())) {}

  std::size_t place() const { return at_; }
  void move_to(std::size_t place) { at_ = std::min(place, file_.size()); }

  /// Skips a comment or a literal; returns whether there was one.
  bool skip_other() { return skip_comment() || skip_literal(); }

  /// The next signature that is initialized; without text if there is none.
  FoundSignature next() {
    while (at_ < file_.size()) {
      if (skip_other()) {
        continue;
      }
      const std::size_t start = at_;
      while (at_ < file_.size() && is_part(file_[at_])) {
        ++at_;
      }
      if (at_ == start) {
        ++at_;
      } else if (file_.compare(start, at_ - start, "signature") == 0 && take_equals()) {
        return text();
      }
    }
    return {};
  }

private:
  static bool is_part(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  }
  bool is_at(const char *text) const {
    return file_.compare(at_, std::string(text).size(), text) == 0;
  }

  /// Moves behind the next `text`, or to `otherwise`.
  void skip_to(const std::string &text, std::size_t otherwise) {
    const std::size_t found = file_.find(text, at_);
    at_ = found == std::string::npos ? otherwise : found + text.size();
  }
  bool skip_comment() {
    if (is_at("//")) {
      skip_to("\n", file_.size());
    } else if (is_at("/*")) {
      skip_to("*/", file_.size());
    } else {
      return false;
    }
    return true;
  }
  bool skip_space() {
    const bool is_space =
        at_ < file_.size() && std::isspace(static_cast<unsigned char>(file_[at_])) != 0;
    at_ += is_space ? 1 : 0;
    return is_space;
  }
  void blank() {
    while (skip_space() || skip_comment()) {
    }
  }

  /// `=`, perhaps behind `[]`.
  bool take_equals() {
    blank();
    if (is_at("[")) {
      skip_to("]", file_.size());
      blank();
    }
    const bool is_there = is_at("=") && !is_at("==");
    at_ += is_there ? 1 : 0;
    return is_there;
  }

  bool skip_literal() {
    FoundSignature ignored;
    if (is_at("R\"") || is_at("\"")) {
      const std::size_t start = at_;
      take_literal(ignored);
      at_ = std::max(at_, start + 1);
      return true;
    }
    const bool is_separator = at_ > 0 && is_part(file_[at_ - 1]); // 1'000
    if (!is_at("'") || is_separator) {
      return false;
    }
    const std::size_t line = std::min(file_.find('\n', at_), file_.size());
    std::size_t end = at_ + 1;
    while (end < line && file_[end] != '\'') {
      end += file_[end] == '\\' ? 2 : 1;
    }
    at_ = end < line ? end + 1 : at_ + 1; // one alone is an apostrophe, as in #error
    return true;
  }

  /// The literals here, which make one.
  FoundSignature text() {
    FoundSignature found;
    bool is_known = true;
    for (blank(); is_at("\"") || is_at("R\""); blank()) {
      is_known = take_literal(found) && is_known;
      found.end = at_;
    }
    if (!is_known || found.places.empty()) {
      return {};
    }
    found.places.push_back(last_);
    return found;
  }

  /// Passes over a literal; returns whether it could be read.
  bool take_literal(FoundSignature &found) {
    return is_at("R") ? take_raw(found) : take_plain(found);
  }

  bool take_raw(FoundSignature &found) {
    const std::size_t open = std::min(file_.find('(', at_), file_.size());
    const std::string name = file_.substr(at_ + 2, open - at_ - 2), close = ')' + name + '"';
    last_ = std::min(file_.find(close, open), file_.size());
    for (std::size_t it = open + 1; it < last_; ++it) {
      if (file_[it] != '\r') { // which compilers do not see before the end of a line
        add(found, file_[it], it);
      }
    }
    at_ = std::min(last_ + close.size(), file_.size());
    return true;
  }

  bool take_plain(FoundSignature &found) {
    bool is_known = true;
    for (++at_; at_ < file_.size() && file_[at_] != '"' && file_[at_] != '\n'; ++at_) {
      if (file_[at_] != '\\') {
        add(found, file_[at_], at_);
        continue;
      }
      ++at_;
      if (is_at("\r\n")) {
        ++at_;
      } else if (is_at("\"") || is_at("'") || is_at("n")) {
        add(found, is_at("n") ? '\n' : file_[at_], at_);
      } else {
        is_known = is_at("\n") && is_known; // a line that goes on
      }
    }
    last_ = at_;
    const bool is_closed = at_ < file_.size() && file_[at_] == '"';
    at_ += is_closed ? 1 : 0;
    return is_known && is_closed;
  }

  static void add(FoundSignature &found, char letter, std::size_t place) {
    found.text += letter;
    found.places.push_back(place);
  }

  const std::string &file_;
  std::size_t at_, last_ = 0;
};

/// The first signature from a place on.
inline FoundSignature find_signature(const std::string &file, std::size_t from = 0) {
  return CodeReader(file, from).next();
}
