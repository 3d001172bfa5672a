#pragma once
#include <string_view>

namespace shardplan::io::families {

/// A family that is known and not supported yet, and what it is.
struct unsupported_family {
  std::string_view model_type;
  std::string_view kind;
};

inline constexpr unsupported_family unsupported[] = {
    {"qwen3_next", "a mixture of experts with linear attention"},
    {"phimoe", "a mixture of experts"},
    {"olmoe", "a mixture of experts"},
    {"dbrx", "a mixture of experts"},
    {"jamba", "a mixture of experts with state-space layers"},
    {"glm4_moe", "a mixture of experts"},
    {"bart", "an encoder-decoder"},
    {"whisper", "an encoder-decoder"},
    {"roberta", "an encoder"},
    {"deberta-v2", "an encoder"},
    {"modernbert", "an encoder"},
    {"clip", "an image and text encoder"},
    {"llava", "a decoder with a vision part"},
    {"mllama", "a decoder with a vision part"},
    {"qwen2_vl", "a decoder with a vision part"},
    {"qwen2_5_vl", "a decoder with a vision part"},
    {"mistral3", "a decoder with a vision part"},
    {"gemma3n", "a decoder with other layers"},
    {"mamba", "a state-space model"},
    {"mamba2", "a state-space model"},
    {"falcon_mamba", "a state-space model"},
    {"bloom", "a dense decoder"},
    {"gpt_neo", "a dense decoder"},
    {"gpt_neox", "a dense decoder"},
    {"gptj", "a dense decoder"},
    {"gpt_bigcode", "a dense decoder"},
    {"starcoder2", "a dense decoder"},
    {"phi", "a dense decoder"},
    {"phi3small", "a dense decoder"},
    {"stablelm", "a dense decoder"},
    {"cohere", "a dense decoder"},
    {"cohere2", "a dense decoder"},
    {"olmo", "a dense decoder"},
    {"olmo2", "a dense decoder"},
    {"granite", "a dense decoder"},
    {"smollm3", "a dense decoder"},
    {"ministral", "a dense decoder"},
    {"glm4", "a dense decoder"},
    {"internlm2", "a dense decoder"},
    {"baichuan", "a dense decoder"},
};

}  // namespace shardplan::io::families
