// SPDX-License-Identifier: MIT
// Hostile command lines: each ends with status 0, 1 or 2 and prints at most one line.

#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <optional>

#include "run_program.hpp"
#include "support.hpp"

namespace {

namespace fs = std::filesystem;
using gpt2::test::make_folder;
using gpt2::test::write;

struct Line {
  std::vector<std::string> arguments;
  int status;
  std::string in{};
  std::string variable{};  ///< "NAME=value" of its environment
};
using Lines = std::vector<Line>;

const std::string escape = "\x1b[31m\x1b]0;title\x07";

Lines bad_numbers() {
  Lines lines;
  for (const char* option : {"--tokens", "--top-k", "--seed", "--device"}) {
    for (const std::string value :
         {"", " ", "-1", "+1", "1.5", "1e3", "0x10", "99999999999999999999", "nan", "1 2", "1,000",
          "\xd9\xa1", "1\n", "\xff", "--greedy"}) {
      lines.push_back({{option, value}, 2});
    }
    lines.push_back({{option, escape}, 2});
  }
  for (const char* option : {"--temperature", "--top-p"}) {
    for (const std::string value : {"", "-0.1", "nan", "inf", "1e999", "1e-999", "0x1p3", "1,5",
                                    "1.5.1", " 1", "1 ", "\xc2\x9b", "\x9b"}) {
      lines.push_back({{option, value}, 2});
    }
    lines.push_back({{option, escape}, 2});
  }
  for (const std::string value : {"-1", "1 two", "2147483648", "1;2", "1.0", "0x1", "1_000", "\v1",
                                  "\xd9\xa3", "1 \xe2\x80\xae 2"}) {
    lines.push_back({{"--ids", value}, 2});
  }
  lines.push_back({{"--ids", escape}, 2});
  return lines;
}

Lines bad_options() {
  Lines lines;
  for (const char* option :
       {"--model", "--prompt", "--ids", "--tokens", "--temperature", "--top-k", "--top-p", "--seed",
        "--stop", "--logits", "--attention", "--pictures", "--profile", "--device"}) {
    lines.push_back({{option}, 2});
  }
  for (const std::string option :
       {"-x", "--colour", "--tokens=", "---", "--no-greedy", "-tokens", "--Greedy", "--greedy=x",
        "--json=maybe", "--\x1b[2J", "--\xff", "--tokens=\n"}) {
    lines.push_back({{option, "a"}, 2});
  }
  const std::vector<std::vector<std::string>> together = {
      {"a", "b"},
      {"--prompt", "a", "b"},
      {"--ids", "1", "b"},
      {"--ids", "1", "--prompt", "b"},
      {"--ids", "1", "--stop", "b"},
      {"--ids", "1", "--tokenize"},
      {"--seed", "1", "--seed", "2"},
      {"--model", "a", "--model", "b"},
      {"--stop", "", "a"},
      {"--logits", "", "a"},
      {"--attention", "", "a"},
      {"--pictures", "", "a"},
      {"--profile", "", "a"},
      {"--profile", "WEBGL2", "a"},
      {"--profile", escape, "a"},
  };
  for (const auto& arguments : together) lines.push_back({arguments, 2});
  return lines;
}

Lines bad_folders() {
  Lines lines;
  const fs::path dir = make_folder("folders");
  write(dir / "file", "text");
  EXPECT_EQ(::mkfifo((dir / "fifo").c_str(), 0600), 0);
  fs::create_symlink("loop", dir / "loop");
  const std::string base = dir.string() + "/";
  for (const std::string& model : {std::string(),
                                   std::string("/"),
                                   std::string("/dev/null"),
                                   std::string("/dev/zero"),
                                   base + "none",
                                   base + "file",
                                   base + "fifo",
                                   base + "loop",
                                   escape,
                                   base + "a\nb",
                                   base + "\xff\xfe",
                                   std::string("~"),
                                   std::string("*"),
                                   std::string("$(id)"),
                                   std::string("-"),
                                   std::string("../.."),
                                   std::string("/proc/self/mem"),
                                   std::string("/proc/self/fd/0"),
                                   std::string(300, 'n'),
                                   std::string(5000, 'n'),
                                   base + "\xe2\x80\xa8"}) {
    lines.push_back({{"--model", model, "--ids", "1"}, 1});
    lines.push_back({{"--model", model, "--tokenize", "a"}, 1});
  }
  return lines;
}

/// A folder of a tiny model whose file `name` holds `text`.
std::string folder_with(const std::string& name, const std::string& text) {
  static int number = 0;
  const fs::path dir = make_folder("model" + std::to_string(number++));
  write(dir / "config.json", gpt2::test::tiny_config().dump());
  gpt2::test::write_tensors(dir / "model.safetensors", gpt2::test::tiny_shapes());
  for (const char* file : {"vocab.json", "merges.txt"}) {
    fs::copy_file(fs::path(GPT2_MODEL_DIR) / file, dir / file);
  }
  if (name.ends_with("index.json")) fs::remove(dir / "model.safetensors");  // which would be read
  write(dir / name, text);
  return dir.string();
}

Lines bad_configs() {
  Lines lines;
  const auto changed = [](const char* field, const nlohmann::json& value) {
    auto config = gpt2::test::tiny_config();
    config[field] = value;
    return config.dump();
  };
  std::vector<std::string> texts = {"",
                                    "{}",
                                    "[]",
                                    "null",
                                    "1",
                                    "{",
                                    "\"\x1b[31m\"",
                                    "\"\\u001b[31m\"",
                                    std::string("{\0}", 3),
                                    "\xff\xfe{}",
                                    "{\"n_embd\":1e999}",
                                    std::string(100'000, '['),
                                    "{\"a\":" + std::string(5000, '1') + "}",
                                    std::string(1'000'001, ' ')};
  for (const char* field : {"vocab_size", "n_positions", "n_embd", "n_layer", "n_head"}) {
    for (const nlohmann::json& value :
         {nlohmann::json(0), nlohmann::json(-1), nlohmann::json(1e300), nlohmann::json("\x1b[31m"),
          nlohmann::json::array({1, 2}), nlohmann::json(18446744073709551615U)}) {
      texts.push_back(changed(field, value));
    }
  }
  texts.push_back(changed("activation_function", "\x1b[31m\n"));
  texts.push_back(changed("model_type", "\x7f"));
  texts.push_back(changed("layer_norm_epsilon", -1));
  texts.push_back(changed("tie_word_embeddings", "yes"));
  texts.push_back(changed("eos_token_id", {{"\x1b", 1}}));
  for (const std::string& text : texts) {
    lines.push_back({{"--model", folder_with("config.json", text), "--ids", "1"}, 1});
  }
  return lines;
}

Lines bad_tokenizers() {
  Lines lines;
  for (const std::string& text :
       {std::string(), std::string("{}"), std::string("[]"), std::string("{\"\\u001b[31m\":0}"),
        std::string("{\"\x1b\":0}"), std::string("{\"a\":\"\\u0007\"}"), std::string("{\"a\":-1}"),
        std::string("{\"a\":1e9}"), std::string("{\"a\":{}}"), std::string("{\"a\":0,\"a\":1}"),
        std::string("{\"\\ud800\":0}"), std::string(50'000, '{'),
        "{\"a\":" + std::string(5000, '1') + "}", "{\"" + std::string(100'000, '\\') + "\":0}"}) {
    lines.push_back({{"--model", folder_with("vocab.json", text), "--tokenize", "a"}, 1});
  }
  for (const std::string& text :
       {std::string("a"), std::string("\x1b[31m b"), std::string("a b c"), std::string("\n\n"),
        std::string("#version\n#version"), std::string(100'000, 'a'), std::string("\xff \xfe"),
        std::string("a\0 b", 4)}) {
    lines.push_back({{"--model", folder_with("merges.txt", text), "--tokenize", "a"}, 1});
  }
  return lines;
}

Lines bad_weights() {
  Lines lines;
  const auto file = [](const std::string& header) {
    const std::uint64_t size = header.size();
    return std::string(reinterpret_cast<const char*>(&size), 8) + header;
  };
  for (const std::string& text :
       {std::string(), std::string("\1"), std::string(8, '\xff'), std::string(8, '\0'), file("{}"),
        file("[]"), file("{\"\x1b[31m\":1}"), file("{\"\\u001b[31m\\n\":1}"),
        file("{\"a\":{\"dtype\":\"\\u0007\",\"shape\":[],\"data_offsets\":[0,0]}}"),
        file(std::string(50'000, '{')), file("{\"__metadata__\":{\"\\u001b\":1}}"),
        file("{\"" + std::string(10'000, 'n') + "\":{}}")}) {
    lines.push_back({{"--model", folder_with("model.safetensors", text), "--ids", "1"}, 1});
  }
  for (const std::string& text :
       {std::string("{}"), std::string("{\"weight_map\":{\"a\":\"../x\"}}"),
        std::string("{\"weight_map\":{\"a\":\"\\u001b[31m\"}}"),
        std::string("{\"weight_map\":{\"a\":\"/dev/zero\"}}"),
        std::string("{\"weight_map\":{\"a\":\"model.safetensors.index.json\"}}")}) {
    lines.push_back(
        {{"--model", folder_with("model.safetensors.index.json", text), "--ids", "1"}, 1});
  }
  return lines;
}

Lines bad_prompts() {
  Lines lines;
  for (const std::string text :
       {"\xff", "a\x80", "\xc3", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xc0\x80", "a\xe2\x28\xa1"}) {
    lines.push_back({{"--tokenize", text}, 1});
    lines.push_back({{"--tokenize"}, 1, text});
  }
  for (const std::string& text :
       {escape, std::string(100'000, 'a'), std::string(10'000, ' '),
        std::string("\xe2\x80\xae\xef\xbb\xbf\xf4\x8f\xbf\xbf"),
        std::string("<|endoftext|><|endoftext|"), std::string("\r\n\t")}) {
    lines.push_back({{"--tokenize", "--", text}, 0});
    lines.push_back({{"--tokenize"}, 0, text});
  }
  lines.push_back({{"--tokenize"}, 0, std::string(1000, '\0')});
  lines.push_back({{"--tokenize"}, 0, ""});
  return lines;
}

Lines bad_outputs() {
  Lines lines;
  const std::string model = folder_with("unused", "");
  const std::string file = model + "/config.json";
  for (const std::string& path :
       {std::string("/"), std::string("."), model, std::string("/nonexistent/x"),
        std::string("/dev/null/x"), model + "/\x1b[31m/x",
        model + "/" + std::string(300, 'n') + "/x"}) {
    lines.push_back({{"--model", model, "--ids", "1", "--attention", path}, 1});
  }
  for (const std::string& path :
       {file, file + "/x", std::string("/dev/null"), std::string("/proc/none"),
        model + "/" + std::string(300, 'n'), std::string(5000, 'n')}) {
    lines.push_back({{"--model", model, "--ids", "1", "--pictures", path}, 1});
  }
  for (const std::string& path : {std::string("/dev/full"), model, model + "/\x1b[31m/x"}) {
    lines.push_back({{"--model", model, "--ids", "1", "--tokens", "0", "--logits", path}, 1});
  }
  return lines;
}

Lines bad_environments() {
  Lines lines;
  const std::string model = folder_with("unused", "");
  for (const char* name :
       {"TRIGON_PROFILE", "TRIGON_DEVICE", "TRIGON_LIMITS", "TRIGON_QUIRKS", "TRIGON_POOL_BYTES"}) {
    for (const std::string& value : {std::string("none"), std::string("-1"), escape,
                                     std::string("a=b=c"), std::string("\xff")}) {
      lines.push_back({{"--model", model, "--ids", "1", "--tokens", "0"},
                       1,
                       "",
                       std::string(name) + "=" + value});
    }
  }
  return lines;
}

struct Group {
  const char* name;
  Lines (*lines)();
};
constexpr std::array groups = {
    Group{"Numbers", bad_numbers},           Group{"Options", bad_options},
    Group{"Folders", bad_folders},           Group{"Configs", bad_configs},
    Group{"Tokenizers", bad_tokenizers},     Group{"Weights", bad_weights},
    Group{"Prompts", bad_prompts},           Group{"Outputs", bad_outputs},
    Group{"Environments", bad_environments},
};

/// Whether a text is UTF-8 without control characters.
bool is_plain(const std::string& text) {
  const auto* at = reinterpret_cast<const utf8proc_uint8_t*>(text.data());
  const auto* const end = at + text.size();
  while (at < end) {
    utf8proc_int32_t code = 0;
    const utf8proc_ssize_t size = utf8proc_iterate(at, end - at, &code);
    if (size <= 0 || utf8proc_category(code) == UTF8PROC_CATEGORY_CC) return false;
    at += size;
  }
  return true;
}

/// Runs the program with a variable "NAME=value", or with none if that is empty.
gpt2::test::Outcome run_with(const std::string& variable, const std::vector<std::string>& arguments,
                             const std::string& in) {
  if (variable.empty()) return gpt2::test::run(arguments, in);
  const std::string name = variable.substr(0, variable.find('='));
  const char* const old = std::getenv(name.c_str());
  const std::optional<std::string> before = old ? std::optional<std::string>(old) : std::nullopt;
  ::setenv(name.c_str(), variable.substr(name.size() + 1).c_str(), 1);
  const gpt2::test::Outcome found = gpt2::test::run(arguments, in);
  if (before) {
    ::setenv(name.c_str(), before->c_str(), 1);
  } else {
    ::unsetenv(name.c_str());
  }
  return found;
}

class Hostile : public testing::TestWithParam<Group> {};

TEST_P(Hostile, CommandLinesEndWithOneLine) {
  for (const Line& line : GetParam().lines()) {
    const gpt2::test::Outcome found = run_with(line.variable, line.arguments, line.in);
    const std::string all = fmt::format("{}", fmt::join(line.arguments, " "));
    SCOPED_TRACE(
        fmt::format("{:?} {:?} {:?}", all.substr(0, 300), line.in.substr(0, 100), line.variable));
    EXPECT_EQ(found.status, line.status) << found.err.substr(0, 1000);
    if (line.status == 0) {
      EXPECT_EQ(found.err, "");
      continue;
    }
    EXPECT_EQ(found.out, "");
    EXPECT_TRUE(found.err.starts_with("gpt2:") && found.err.ends_with("\n")) << found.err;
    EXPECT_TRUE(is_plain(found.err.substr(0, found.err.size() - 1))) << found.err.substr(0, 1000);
  }
}

INSTANTIATE_TEST_SUITE_P(All, Hostile, testing::ValuesIn(groups),
                         [](const auto& one) { return std::string(one.param.name); });

TEST(HostileLines, AreTwoHundred) {
  std::size_t count = 0;
  for (const Group& group : groups) count += group.lines().size();
  fmt::print("{} hostile command lines\n", count);
  EXPECT_GE(count, 200U);
}

}  // namespace
