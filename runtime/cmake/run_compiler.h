// Runs a compiler, and passes on what it says.
#pragma once

#ifndef _WIN32
#include <cstdio>
#include <string>

#include <sys/wait.h>
#include <unistd.h>

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
