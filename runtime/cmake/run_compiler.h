// Runs a compiler, passes on what it says, and explains where the code needs parts of CUDA that it
// lacks.
#pragma once

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <regex>
#include <string>

#ifndef _WIN32
#include <sys/wait.h>
#include <unistd.h>
#endif

/// Checks whether a command compiles a file of kernels/ for the CPU only.
inline bool is_without_cuda(char **command) {
  bool is_for_cpu = false;
  for (; *command != nullptr; ++command) {
    const std::string word = *command;
    is_for_cpu = is_for_cpu || word == "-xc++";
    if (word.rfind("-DCUVEC_CUDA", 0) == 0) {
      return false;
    }
  }
  return is_for_cpu;
}

/// If an error is about a name of CUDA's, says how such code is left unread.
inline void show_name_of_cuda(const std::string &output) {
  const std::string error = "error: ";
  const std::regex name("\\b(?:(?:cub|thrust|cooperative_groups|nvcuda|cuda)\\b|cuda[A-Z_]|"
                        "cu(?:fft|blas|rand|solver|sparse))[\\w/.]*");
  std::size_t end = 0;
  for (std::size_t place = 0; (place = output.find(error, end)) != std::string::npos;) {
    const std::size_t start = output.rfind('\n', place) + 1; // of the line; npos + 1 is 0
    end = std::min(output.find('\n', place), output.size());
    const std::string said = output.substr(place, std::min<std::size_t>(end - place, 1000));
    if (std::smatch found; std::regex_search(said, found, name)) {
      std::string where = output.substr(start, place - start); // FILE:LINE:COLUMN: fatal
      where = where.substr(0, where.find("fatal "));
      std::cerr << where << error << '`' << found[0].str()
                << "` is part of CUDA, which is not used here: put what needs it between "
                   "`#ifdef CUVEC_CUDA` and `#endif`\n";
      return;
    }
  }
}

/// If a header of a library of CUDA is missing, which nvcc does not bring, says where it comes
/// from.
inline void show_missing_header(const std::string &output) {
  const std::regex missing(
      "error: (?:cannot open source file \"|'|)"
      "((cu(?:rand|fft|blas|solver|sparse))\\w*\\.h)(?:\"|: No such|' file not)");
  if (std::smatch found; std::regex_search(output, found, missing)) {
    const std::string header = found[1], library = found[2];
    std::cerr << "error: `" << header << "` is not there: add `" << library
              << "` to `cuda-toolkit[nvcc,cccl]` in pyproject.toml, at `build.requires` and in the "
                 "group `build`\n";
  }
}

#ifndef _WIN32
/// Returns its exit code. Where it fails, `explain` is called with the file of kernels/ and the
/// output before that is passed on.
template <class Explain> int run_compiler(char **command, const Explain &explain) {
  int ends[2];
  if (pipe(ends) != 0) {
    return 1;
  }
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    dup2(ends[1], STDERR_FILENO);
    close(ends[0]);
    close(ends[1]);
    execvp(command[0], command);
    perror(command[0]);
    _exit(127);
  }
  close(ends[1]);
  std::string output;
  char buffer[1 << 14];
  for (ssize_t size; (size = read(ends[0], buffer, sizeof buffer)) > 0;) {
    output.append(buffer, std::size_t(size));
  }
  int status = 0;
  waitpid(child, &status, 0);
  const char *file = nullptr;
  for (char **it = command; *it != nullptr; ++it) {
    const std::string word = *it;
    file = word.size() > 3 && word.compare(word.size() - 3, 3, ".cu") == 0 ? *it : file;
  }
  if (status != 0 && file != nullptr) {
    explain(file, output);
  }
  std::fputs(output.c_str(), stderr);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
#endif
