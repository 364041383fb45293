// SPDX-License-Identifier: MIT
#include "config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <utility>

#include <trigon/error.hpp>
#include <trigon/math.hpp>
#include <trigon/nn.hpp>

#include "common/files.hpp"
#include "files.hpp"

namespace gpt2 {
namespace {

using nlohmann::json;
using trigon::Tensor;

// Hugging Face's names of activations.
struct Activation {
  const char* name;
  Tensor (*function)(const Tensor&);
};
Tensor gelu_tanh(const Tensor& x) { return trigon::nn::gelu(x, trigon::nn::Gelu::tanh); }
Tensor gelu_erf(const Tensor& x) { return trigon::nn::gelu(x, trigon::nn::Gelu::erf); }
constexpr std::array activations = {
    Activation{"gelu_new", gelu_tanh},
    Activation{"gelu_pytorch_tanh", gelu_tanh},
    Activation{"gelu", gelu_erf},
    Activation{"relu", [](const Tensor& x) { return trigon::maximum(x, 0.0); }},
    Activation{"silu", [](const Tensor& x) { return trigon::nn::silu(x); }},
    Activation{"swish", [](const Tensor& x) { return trigon::nn::silu(x); }},
    Activation{"tanh", [](const Tensor& x) { return trigon::tanh(x); }},
};

// The fields of a file that are read.
constexpr std::array<std::string_view, 15> known_fields = {"model_type",
                                                           "vocab_size",
                                                           "n_positions",
                                                           "n_ctx",
                                                           "n_embd",
                                                           "n_layer",
                                                           "n_head",
                                                           "n_inner",
                                                           "layer_norm_epsilon",
                                                           "activation_function",
                                                           "scale_attn_weights",
                                                           "scale_attn_by_inverse_layer_idx",
                                                           "tie_word_embeddings",
                                                           "bos_token_id",
                                                           "eos_token_id"};

// A value for an error message: on one line, shortened.
std::string shown(const json& value) {
  constexpr std::size_t longest = 60;
  const std::string text = value.dump(-1, ' ', true, json::error_handler_t::replace);
  return text.size() <= longest ? text : text.substr(0, longest) + "...";
}

// The fields of one file; every error names it.
class Fields {
 public:
  Fields(std::string_view text, const std::filesystem::path& file) : file_(file) {
    if (const auto fault = samples::find_long_token(text); !fault.empty()) fail(fault);
    try {
      object_ = json::parse(text, Filter{*this});
    } catch (const json::parse_error& error) {
      fail(fmt::format("not JSON: wrong at byte {} of {}; it must be a JSON object", error.byte,
                       text.size()));
    } catch (const json::exception&) {
      fail("not JSON: a number is out of range; it must be a JSON object");
    }
    if (!object_.is_object()) {
      fail(fmt::format("not an object: it holds {}; it must be a JSON object", shown(object_)));
    }
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw trigon::Error(fmt::format("gpt2::Config::load: {}: {}", file_.string(), what));
  }

  // Null counts as missing, as in Hugging Face's files.
  const json* find(const char* name) const {
    if (!is_known(name)) throw std::logic_error(name);
    const auto found = object_.find(name);
    return found == object_.end() || found->is_null() ? nullptr : &*found;
  }

  std::int64_t integer(const json& value, const char* name, std::int64_t low,
                       std::int64_t high) const {
    // The parser keeps numbers past int64 as unsigned ones.
    const bool fits = value.is_number_integer() &&
                      (!value.is_number_unsigned() ||
                       value.get<std::uint64_t>() <= static_cast<std::uint64_t>(high));
    if (!fits || value.get<std::int64_t>() < low || value.get<std::int64_t>() > high) {
      fail(fmt::format("{} is {}; it must be a whole number from {} to {}", name, shown(value), low,
                       high));
    }
    return value.get<std::int64_t>();
  }

  std::int64_t size(const char* name, std::int64_t high) const {
    const json* value = find(name);
    if (value == nullptr) {
      fail(fmt::format("{} is missing; it must be a whole number from 1 to {}", name, high));
    }
    return integer(*value, name, 1, high);
  }

  std::optional<bool> boolean(const char* name) const {
    const json* value = find(name);
    if (value == nullptr) return std::nullopt;
    if (!value->is_boolean()) {
      fail(fmt::format("{} is {}; it must be true or false", name, shown(*value)));
    }
    return value->get<bool>();
  }

  // A number, or an array of them.
  std::vector<std::int32_t> ids(const char* name) const {
    const json* value = find(name);
    if (value == nullptr) return {};
    const json list = value->is_array() ? *value : json::array({*value});
    std::vector<std::int32_t> ids;
    for (const json& id : list) {
      ids.push_back(static_cast<std::int32_t>(integer(id, name, 0, 2147483647)));
    }
    return ids;
  }

 private:
  static bool is_known(std::string_view name) {
    return std::find(known_fields.begin(), known_fields.end(), name) != known_fields.end();
  }

  // Keeps only the fields that are asked for, since a value takes ten times the memory of its text.
  struct Filter {
    const Fields& fields;
    bool is_wanted = true;
    int values = 0;

    bool operator()(int depth, json::parse_event_t event, json& parsed) {
      constexpr int most_depth = 16, most_values = 1000;
      if (depth > most_depth) {
        fields.fail(
            fmt::format("nested too deep: level {}; there must be at most {}", depth, most_depth));
      }
      const bool is_key = event == json::parse_event_t::key;
      if (depth == 1 && is_key) is_wanted = is_known(parsed.get_ref<const std::string&>());
      if (depth > 1 && is_wanted && ++values > most_values) {
        fields.fail(fmt::format("more than {} values in lists; there must be fewer", most_values));
      }
      return depth == 0 || is_wanted;
    }
  };

  std::filesystem::path file_;
  json object_;
};

double read_epsilon(const Fields& fields) {
  constexpr const char* name = "layer_norm_epsilon";
  const json* value = fields.find(name);
  if (value == nullptr) return 1e-5;
  if (!value->is_number() || !(value->get<double>() > 0.0 && value->get<double>() <= 1.0)) {
    fields.fail(
        fmt::format("{} is {}; it must be a number above 0 and at most 1", name, shown(*value)));
  }
  return value->get<double>();
}

Tensor (*read_activation(const Fields& fields))(const Tensor&) {
  const json* value = fields.find("activation_function");
  if (value == nullptr) return activations[0].function;
  std::string known;
  for (const auto& [name, function] : activations) {
    if (*value == name) return function;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", name);
  }
  fields.fail(fmt::format("activation_function is {}; it must be one of {}", shown(*value), known));
}

void check_model_type(const Fields& fields) {
  const json* value = fields.find("model_type");
  if (value != nullptr && *value != "gpt2") {
    fields.fail(fmt::format("model_type is {}; it must be \"gpt2\"", shown(*value)));
  }
}

}  // namespace

Config Config::parse(std::string_view text, const std::filesystem::path& file) {
  const Fields fields(text, file);
  check_model_type(fields);
  Config config;
  config.vocab_size = fields.size("vocab_size", 10'000'000);
  // Early files call the context n_ctx.
  const bool early = fields.find("n_positions") == nullptr && fields.find("n_ctx") != nullptr;
  config.n_positions = fields.size(early ? "n_ctx" : "n_positions", 1'000'000);
  config.n_embd = fields.size("n_embd", 65'536);
  config.n_layer = fields.size("n_layer", 1'000);
  config.n_head = fields.size("n_head", 65'536);
  if (config.n_embd % config.n_head != 0) {
    fields.fail(fmt::format("n_embd is {} and n_head is {}; n_embd must be a multiple of n_head",
                            config.n_embd, config.n_head));
  }
  const bool has_inner = fields.find("n_inner") != nullptr;
  config.n_inner = has_inner ? fields.size("n_inner", 1'000'000) : 4 * config.n_embd;
  config.layer_norm_epsilon = read_epsilon(fields);
  config.activation = read_activation(fields);
  config.scale_attn_weights = fields.boolean("scale_attn_weights").value_or(true);
  config.scale_attn_by_inverse_layer_idx =
      fields.boolean("scale_attn_by_inverse_layer_idx").value_or(false);
  config.tie_word_embeddings = fields.boolean("tie_word_embeddings");
  if (const auto bos = fields.ids("bos_token_id"); !bos.empty()) config.bos_token_id = bos[0];
  config.eos_token_ids = fields.ids("eos_token_id");
  return config;
}

void Config::check_ids(std::span<const std::int32_t> ids) const {
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] >= 0 && ids[i] < vocab_size) continue;
    throw trigon::Error(fmt::format(
        "gpt2::Config::check_ids: id out of range: {}, number {} of {}; ids must be from 0 to {}",
        ids[i], i + 1, ids.size(), vocab_size - 1));
  }
}

Config Config::load(const std::filesystem::path& dir) {
  const std::filesystem::path file = dir / "config.json";
  // Real files have about a thousand bytes; the tree of a text takes many times its size.
  return parse(read_file("gpt2::Config::load", file, 1'000'000), file);
}

}  // namespace gpt2
