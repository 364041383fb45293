// SPDX-License-Identifier: MIT
// Runs the program itself.

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <string>
#include <thread>
#include <vector>

#include "../files.hpp"
#include "../options.hpp"
#include "../tokenizer.hpp"
#include "run_program.hpp"
#include "support.hpp"

namespace {

namespace fs = std::filesystem;
using gpt2::test::Ids;
using gpt2::test::make_folder;
using gpt2::test::Outcome;
using gpt2::test::program;
using gpt2::test::read;
using gpt2::test::run;
using gpt2::test::write;

void expect_error(const Outcome& found, int status, const std::string& err) {
  EXPECT_EQ(found.status, status);
  EXPECT_EQ(found.out, "");
  EXPECT_EQ(found.err, err);
}

void expect_usage(std::vector<std::string> arguments, const std::string& err) {
  expect_error(run(std::move(arguments)), 2, err + "; gpt2 --help lists the options\n");
}

// ---- usage

TEST(Gpt2Cli, HelpListsEveryOption) {
  const Outcome found = run({"--help"});
  EXPECT_EQ(found.status, 0);
  EXPECT_EQ(found.err, "");
  for (const char* option :
       {"--model", "--prompt", "--ids", "TEXT", "--tokens", "--temperature", "--top-k", "--top-p",
        "--seed", "--greedy", "--stop", "--tokenize", "--stats", "--json", "--logits",
        "--attention", "--pictures", "--profile", "--device"}) {
    EXPECT_NE(found.out.find(option), std::string::npos) << option;
  }
}

TEST(Gpt2Cli, NamesAWrongValueAndTheRule) {
  expect_usage({"--tokens", "many"},
               "gpt2: --tokens: \"many\" is not a whole number from 0 to 1000000000");
  expect_usage({"--tokens", "-1"},
               "gpt2: --tokens: \"-1\" is not a whole number from 0 to 1000000000");
  expect_usage({"--temperature", "nan"},
               "gpt2: --temperature: \"nan\" is not a number from 0 to 1000");
  expect_usage({"--top-p", "1.5"}, "gpt2: --top-p: \"1.5\" is not a number from 0 to 1");
  expect_usage({"--top-k", "1.5"},
               "gpt2: --top-k: \"1.5\" is not a whole number from 0 to 1000000000");
  expect_usage({"--seed", "x"},
               "gpt2: --seed: \"x\" is not a whole number from 0 to 9223372036854775807");
  expect_usage({"--ids", "1 two 3"},
               "gpt2: --ids: \"two\" is not a whole number from 0 to 2147483647");
  expect_usage({"--profile", "webgl3"}, "gpt2: --profile: \"webgl3\" is not one of webgl2, webgl1");
  expect_usage({"--stop", ""}, "gpt2: --stop: \"\" is empty; it must be a text");
  expect_usage({"--attention", ""}, "gpt2: --attention: \"\" is empty; it must be a file's name");
  expect_usage({"--pictures", ""}, "gpt2: --pictures: \"\" is empty; it must be a folder's name");
}

TEST(Gpt2Cli, RefusesWhatExcludesEachOther) {
  expect_usage({"--prompt", "a", "b"}, "gpt2: --prompt and TEXT exclude each other");
  expect_usage({"--ids", "1", "b"}, "gpt2: --ids and TEXT exclude each other");
  expect_usage({"--ids", "1", "--prompt", "b"}, "gpt2: --ids and --prompt exclude each other");
  expect_usage({"--ids", "1", "--tokenize"}, "gpt2: --ids and --tokenize exclude each other");
}

TEST(Gpt2Cli, ShowsControlCharactersOfArguments) {
  expect_usage(
      {"--tokens", "\x1b[31m\n\xc2\x9b\xe2\x80\xae\xff"},
      "gpt2: --tokens: \"\\x1b[31m\\x0a\\u{9b}\\u{202e}\\xff\" is not a whole number from 0 to "
      "1000000000");
}

TEST(Gpt2Cli, RefusesAnUnknownOption) {
  const Outcome found = run({"--colour"});
  EXPECT_EQ(found.status, 2);
  EXPECT_EQ(found.out, "");
  EXPECT_NE(found.err.find("--colour"), std::string::npos) << found.err;
}

// ---- tokens

// A folder with only the tokenizer.
fs::path tokenizer_folder() {
  const fs::path dir = make_folder("tokenizer");
  for (const char* name : {"vocab.json", "merges.txt"}) {
    fs::copy_file(fs::path(GPT2_MODEL_DIR) / name, dir / name);
  }
  return dir;
}

TEST(Gpt2Cli, TokenizeNeedsNoModel) {
  const auto text = gpt2::test::golden()[0];
  const std::string prompt = text["prompt"];
  const std::string expected = fmt::format("{}\n", fmt::join(text["ids"].get<Ids>(), " "));
  const std::string dir = tokenizer_folder().string();
  EXPECT_EQ(run({"--model", dir, "--tokenize", prompt}).out, expected);
  EXPECT_EQ(run({"--model", dir, "--tokenize", "--prompt", prompt}).out, expected);
  EXPECT_EQ(run({"--model", dir, "--tokenize"}, prompt).out, expected);
  EXPECT_EQ(run({"--model", dir, "--tokenize", ""}, "unread").out, "\n");
  EXPECT_EQ(run({"--model", dir, "--tokenize", "--prompt", ""}, "unread").out, "\n");
  EXPECT_EQ(run({"--model", dir, "--tokenize", "--", "-1"}).out,
            run({"--model", dir, "--tokenize"}, "-1").out);
}

TEST(Gpt2Cli, RefusesAPromptThatIsNotUtf8) {
  expect_error(run({"--tokenize"}, "ab\xFFz"), 1,
               "gpt2::Tokenizer::encode: the text is not UTF-8: byte 0xFF at offset 2 of 4; it "
               "must be valid UTF-8\n");
}

// ---- errors

TEST(Gpt2Cli, NamesWhatTheFolderLacks) {
  const std::string dir = make_folder().string();
  expect_error(run({"--model", dir, "a"}), 1,
               "gpt2::Tokenizer::load: no tokenizer file: neither vocab.json nor encoder.json is "
               "in " +
                   dir +
                   "; the folder must hold vocab.json and merges.txt, or encoder.json and "
                   "vocab.bpe\n");
  expect_error(
      run({"--model", dir, "--ids", "1"}), 1,
      "gpt2::Config::load: " + dir + "/config.json: cannot be read; it must be a readable file\n");
}

TEST(Gpt2Cli, RefusesATokenizerOfAnotherModel) {
  const fs::path dir = tokenizer_folder();
  write(dir / "config.json", gpt2::test::tiny_config().dump());
  expect_error(run({"--model", dir.string(), "a"}), 1,
               "gpt2: " + dir.string() +
                   ": the tokenizer has 4096 tokens and config.json's vocab_size is 11; it must "
                   "be at least the number of tokens\n");
}

TEST(Gpt2Cli, RefusesIdsThatTheModelDoesNotHave) {
  expect_error(run({"--ids", "1 4096"}), 1,
               "gpt2::Config::check_ids: id out of range: 4096, number 2 of 2; ids must be from "
               "0 to 4095\n");
}

TEST(Gpt2Cli, RefusesLogitsPastTheContext) {
  const std::string dir = gpt2::test::tiny_folder().string();
  expect_error(run({"--model", dir, "--ids", "1 2 3 4 5 6 7", "--logits", dir + "/logits.npy"}), 1,
               "gpt2::Session::forward: wrong number of ids: 7 after 0; there must be at least 1 "
               "and together at most n_positions = 6\n");
}

TEST(Gpt2Cli, AnEmptyListOfIdsNeedsAStart) {
  const std::string dir = gpt2::test::tiny_folder().string();
  expect_error(run({"--model", dir, "--ids", ""}), 1,
               "gpt2: the prompt is empty and the model has neither <|endoftext|> nor "
               "bos_token_id; there must be something to start from\n");
}

// ---- texts

TEST(Gpt2Cli, PrintsThePromptAndItsContinuation) {
  const auto text = gpt2::test::golden()[0];
  const std::string expected = text["greedy_text"].get<std::string>() + "\n";
  const std::string prompt = text["prompt"];
  for (const std::string profile : {"webgl2", "webgl1"}) {
    const Outcome found = run({"--greedy", "--tokens", "64", "--profile", profile, prompt});
    EXPECT_EQ(found.status, 0);
    EXPECT_EQ(found.out, expected);
    EXPECT_EQ(found.err, "");
  }
}

TEST(Gpt2Cli, ReadsStandardInput) {
  const auto text = gpt2::test::golden()[3];
  EXPECT_EQ(run({"--greedy", "--tokens", "64"}, text["prompt"]).out,
            text["greedy_text"].get<std::string>() + "\n");
}

TEST(Gpt2Cli, PrintsIdsForIds) {
  const auto text = gpt2::test::golden()[0];
  const Ids prompt = text["ids"].get<Ids>();
  Ids expected = text["greedy"].get<Ids>();
  expected.erase(expected.begin(), expected.begin() + static_cast<std::ptrdiff_t>(prompt.size()));
  const fs::path dir = make_folder("no_tokenizer");
  for (const char* name : {"config.json", "model.safetensors"}) {
    fs::create_symlink(fs::path(GPT2_MODEL_DIR) / name, dir / name);
  }
  const Outcome found = run({"--model", dir.string(), "--greedy", "--tokens", "64", "--ids",
                             fmt::format("{}", fmt::join(prompt, " "))});
  EXPECT_EQ(found.out, fmt::format("{}\n", fmt::join(expected, " ")));
  EXPECT_EQ(found.err, "");
}

TEST(Gpt2Cli, PrintsJson) {
  const auto text = gpt2::test::golden()[2];
  const Outcome found =
      run({"--greedy", "--tokens", "64", "--json", "--prompt", text["prompt"].get<std::string>()});
  const auto object = nlohmann::json::parse(found.out);
  EXPECT_EQ(object["text"], text["greedy_text"]);
  EXPECT_EQ(object["prompt_ids"], text["ids"]);
  Ids all = object["prompt_ids"].get<Ids>();
  for (const std::int32_t id : object["ids"].get<Ids>()) all.push_back(id);
  EXPECT_EQ(all, text["greedy"].get<Ids>());
  const auto& stats = object["stats"];
  EXPECT_GT(stats["load_s"].get<double>(), 0);
  EXPECT_GT(stats["prefill_tokens_per_s"].get<double>(), 0);
  EXPECT_GT(stats["decode_tokens_per_s"].get<double>(), 0);
  const auto& cost = stats["per_token"];
  EXPECT_GT(cost["draws"].get<double>(), 0);
  EXPECT_LE(cost["draws"].get<double>(), 13 * 6 + 8);
  for (const char* none :
       {"textures_created", "framebuffers_created", "programs_compiled", "plans_made"}) {
    EXPECT_EQ(cost[none].get<double>(), 0) << none;
  }
  EXPECT_LT(cost["bytes_uploaded"].get<double>(), 1024);
  EXPECT_LT(cost["uniform_bytes"].get<double>(), 16 * 1024);
  EXPECT_LE(cost["bytes_read"].get<double>(), 16);
}

TEST(Gpt2Cli, EndsBeforeTheStopText) {
  const auto text = gpt2::test::golden()[0];
  const std::string all = text["greedy_text"];
  const std::string prompt = text["prompt"];
  const std::string stop = "O, I'll";  // not in the prompt
  EXPECT_EQ(run({"--greedy", "--tokens", "64", "--stop", stop, prompt}).out,
            all.substr(0, all.find(stop)));
}

TEST(Gpt2Cli, NoTokensPrintThePromptAlone) {
  EXPECT_EQ(run({"--tokens", "0", "To be"}).out, "To be\n");
}

TEST(Gpt2Cli, AnEmptyPromptStartsFromTheEndOfAText) {
  const Outcome found = run({"--greedy", "--tokens", "5", "--json", ""}, "unread");
  EXPECT_EQ(nlohmann::json::parse(found.out)["prompt_ids"].get<Ids>(), Ids{0});
}

TEST(Gpt2Cli, EqualSeedsGiveEqualTexts) {
  const auto text = [](const char* seed) {
    return run({"--tokens", "20", "--seed", seed, "To be"}).out;
  };
  EXPECT_EQ(text("7"), text("7"));
  EXPECT_NE(text("7"), text("8"));
}

TEST(Gpt2Cli, WritesLogits) {
  const std::string file = (make_folder("logits") / "logits.npy").string();
  const auto text = gpt2::test::golden()[3];
  const Outcome found =
      run({"--tokens", "0", "--logits", file, "--prompt", text["prompt"].get<std::string>()});
  EXPECT_EQ(found.status, 0);
  EXPECT_EQ(found.err, "");
  const auto& device = gpt2::test::device(trigon::Profile::webgl2);
  const auto logits = trigon::load_npy(file, device);
  EXPECT_EQ(logits.dtype(), trigon::float32);
  EXPECT_EQ(logits.shape(), (trigon::Shape{static_cast<std::int64_t>(text["ids"].size()), 4096}));
  const auto expected =
      trigon::SafeTensors(fs::path(GPT2_MODEL_DIR) / "golden.safetensors").load("3.logits", device);
  EXPECT_LE(max(abs(logits - expected)).item(), 2e-4F);
}

TEST(Gpt2Cli, WritesPicturesOfTheWholeText) {
  const fs::path dir = make_folder("pictures");
  const auto text = gpt2::test::golden()[3];
  const auto length = static_cast<std::int64_t>(text["ids"].size()) + 2;
  const Outcome found =
      run({"--greedy", "--tokens", "2", "--pictures", (dir / "new").string(), "--attention",
           (dir / "a.npy").string(), "--prompt", text["prompt"].get<std::string>()});
  EXPECT_EQ(found.status, 0);
  EXPECT_EQ(found.err, "");
  EXPECT_TRUE(text["greedy_text"].get<std::string>().starts_with(
      found.out.substr(0, found.out.size() - 1)));
  const auto& device = gpt2::test::device(trigon::Profile::webgl2);
  EXPECT_EQ(trigon::load_npy(dir / "a.npy", device).shape(), (trigon::Shape{6, 6, length, length}));
  EXPECT_TRUE(fs::exists(dir / "new" / "attention-05-05.png"));
}

TEST(Gpt2Cli, RefusesAFileForAFolderOfPictures) {
  const fs::path file = make_folder("pictures") / "file";
  write(file, "kept");
  expect_error(run({"--pictures", file.string(), "a"}), 1,
               "gpt2: " + file.string() +
                   ": cannot be made: Not a directory; --pictures must name a folder or a new "
                   "one\n");
  EXPECT_EQ(read(file), "kept");
}

TEST(Gpt2Cli, StatsGoToStandardError) {
  const Outcome found = run({"--greedy", "--tokens", "4", "--stats", "To be"});
  EXPECT_EQ(found.status, 0);
  for (const char* label : {"load ", "prefill ", "decode ", "a token "}) {
    EXPECT_NE(found.err.find(label), std::string::npos) << label;
    EXPECT_EQ(found.out.find("tokens/s"), std::string::npos);
  }
}

TEST(Gpt2Cli, AClosedPipeEndsItQuietly) {
  const fs::path dir = make_folder();
  const std::string command =
      fmt::format("'{}' --greedy --tokens 100 'To be' 2>'{}' | head -c 3 >'{}'", program().string(),
                  (dir / "err").string(), (dir / "out").string());
  EXPECT_EQ(std::system(command.c_str()), 0);
  EXPECT_EQ(read(dir / "err"), "");
  EXPECT_EQ(read(dir / "out"), "To ");
}

TEST(Gpt2Cli, StandardErrorMayBeFull) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "there is no /dev/full";
  const std::string command = fmt::format("'{}' --tokens many 2>/dev/full", program().string());
  EXPECT_EQ(WEXITSTATUS(std::system(command.c_str())), 2);
}

TEST(Gpt2Cli, StandardInputMustBeReadable) {
  const fs::path dir = make_folder();
  const std::string command = fmt::format("'{}' --tokenize <'{}' 2>'{}'", program().string(),
                                          dir.string(), (dir / "err").string());
  EXPECT_EQ(WEXITSTATUS(std::system(command.c_str())), 1);
  EXPECT_EQ(read(dir / "err"), "gpt2: standard input: cannot be read: Is a directory\n");
}

TEST(Gpt2Cli, LogitsMayGoToADevice) {
  EXPECT_EQ(run({"--tokens", "0", "--logits", "/dev/null", "To be"}).status, 0);
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

// The file's content stays, and the output follows it.
TEST(Gpt2Cli, LogitsMayGoToStandardOutput) {
  const fs::path dir = make_folder();
  ASSERT_EQ(run({"--tokens", "0", "--logits", (dir / "alone").string(), "To be"}).status, 0);
  write(dir / "out", "before\n");
  const std::string command = fmt::format("'{}' --tokens 0 --logits /dev/stdout 'To be' >>'{}'",
                                          program().string(), (dir / "out").string());
  EXPECT_EQ(std::system(command.c_str()), 0);
  EXPECT_EQ(read(dir / "out"), "before\n" + read(dir / "alone") + "To be\n");
}

// No file gets the number of a closed stream, and with it the output.
TEST(Gpt2Cli, StreamsMayBeClosed) {
  const fs::path dir = make_folder();
  ASSERT_EQ(run({"--tokens", "0", "--logits", (dir / "usual").string(), "To be"}).status, 0);
  const auto status_of = [&](const char* closed) {
    const std::string command =
        fmt::format("TRIGON_DEBUG=1 '{}' --tokens 0 --logits '{}' 'To be' {}", program().string(),
                    (dir / "logits").string(), closed);
    return WEXITSTATUS(std::system(command.c_str()));
  };
  EXPECT_EQ(status_of(">/dev/null <&- 2>&-"), 0);
  EXPECT_EQ(read(dir / "logits"), read(dir / "usual"));
  EXPECT_EQ(status_of("<&- >&- 2>&-"), 1);  // the text has nowhere to go
  EXPECT_EQ(read(dir / "logits"), read(dir / "usual"));
}

TEST(Gpt2Cli, TakesClosedStreams) {
  const pid_t child = ::fork();
  if (child == 0) {
    for (const int stream : {0, 1, 2}) ::close(stream);
    gpt2::take_closed_streams();
    char byte = 0;
    const bool is_refused =
        ::read(0, &byte, 1) < 0 && ::write(1, &byte, 1) < 0 && ::write(2, &byte, 1) < 0;
    ::_exit(is_refused && ::open("/dev/null", O_RDONLY) >= 3 ? 0 : 1);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

// They are empty, or full, for longer than the program takes to ask.
TEST(Gpt2Cli, PipesMayNotBlock) {
  constexpr auto pause = std::chrono::milliseconds(200);
  const std::string text(200'000, 'a');  // more than pipes hold
  int in[2] = {-1, -1}, out[2] = {-1, -1};
  ASSERT_EQ(::pipe2(in, O_CLOEXEC), 0);
  ASSERT_EQ(::pipe2(out, O_CLOEXEC), 0);
  for (const int theirs : {in[0], out[1]}) ASSERT_EQ(::fcntl(theirs, F_SETFL, O_NONBLOCK), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(in[0], STDIN_FILENO);
    ::dup2(out[1], STDOUT_FILENO);
    ::execl(program().c_str(), "gpt2", "--tokens", "0", nullptr);
    ::_exit(127);
  }
  ::close(out[1]);
  std::signal(SIGPIPE, SIG_IGN);  // if the program ends before
  std::thread writer([&] {
    for (std::size_t done = 0; done < text.size();) {
      std::this_thread::sleep_for(pause);
      const ssize_t count =
          ::write(in[1], text.data() + done, std::min<std::size_t>(50'000, text.size() - done));
      if (count < 0) break;
      done += static_cast<std::size_t>(count);
    }
    ::close(in[1]);
  });
  ::close(in[0]);
  std::string seen, chunk(50'000, ' ');
  for (ssize_t count = 0; (count = ::read(out[0], chunk.data(), chunk.size())) > 0;) {
    seen.append(chunk, 0, static_cast<std::size_t>(count));
    std::this_thread::sleep_for(pause / 4);
  }
  ::close(out[0]);
  writer.join();
  std::signal(SIGPIPE, SIG_DFL);
  int status = -1;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(seen, text + "\n");
}

TEST(Gpt2Cli, AFullDiskIsAnError) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "there is no /dev/full";
  const fs::path dir = make_folder();
  const std::string command = fmt::format("'{}' --tokenize 'To be' 2>'{}' >/dev/full",
                                          program().string(), (dir / "err").string());
  EXPECT_EQ(WEXITSTATUS(std::system(command.c_str())), 1);
  EXPECT_EQ(read(dir / "err"),
            "gpt2: standard output: cannot be written: No space left on device\n");
}

}  // namespace
