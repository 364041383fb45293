// SPDX-License-Identifier: MIT
#include "config.hpp"

#include "target.hpp"

// GPT-2's config.json.

void trigon::fuzz::run(Bytes bytes) {
  allow_errors([&] {
    const gpt2::Config config = gpt2::Config::parse(text_of(bytes), "config.json");
    require(config.vocab_size > 0 && config.n_positions > 0, "sizes are positive");
    require(config.n_layer > 0 && config.n_inner > 0, "sizes are positive");
    require(config.n_embd % config.n_head == 0, "heads divide the width");
    require(config.activation != nullptr, "there is an activation");
    config.check_ids(config.eos_token_ids);
  });
}
