// SPDX-License-Identifier: MIT
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "support.hpp"

extern char** environ;

namespace gpt2::test {

/// GPT2_PROGRAM in the environment, or the program beside the tests' folder.
inline fs::path program() {
  if (const char* path = std::getenv("GPT2_PROGRAM")) return path;
  return fs::read_symlink("/proc/self/exe").parent_path().parent_path() / "samples/gpt2/gpt2";
}

/// The result of a run.
struct Outcome {
  int status;  // of exit, or -1 for a signal
  std::string out;
  std::string err;
};

/// Runs the program with `in` as standard input.
inline Outcome run(std::vector<std::string> arguments, const std::string& in = "") {
  const fs::path dir = make_folder("run");
  write(dir / "in", in);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  const auto open = [&](int fd, const char* name, int flags) {
    posix_spawn_file_actions_addopen(&actions, fd, (dir / name).c_str(), flags, 0600);
  };
  open(0, "in", O_RDONLY);
  open(1, "out", O_WRONLY | O_CREAT);
  open(2, "err", O_WRONLY | O_CREAT);
  arguments.insert(arguments.begin(), program().string());
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  pid_t child = 0;
  const int error = posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), ::environ);
  posix_spawn_file_actions_destroy(&actions);
  EXPECT_EQ(error, 0) << argv[0];
  int status = 0;
  waitpid(child, &status, 0);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read(dir / "out"), read(dir / "err")};
}

}  // namespace gpt2::test
