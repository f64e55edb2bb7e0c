"""A causal model of a few thousand random weights with a tokeniser of a few words, made in a test.

What it says means nothing; that it says the same each time, and how likely each word is, can be
checked against the library.
"""

from __future__ import annotations

from pathlib import Path

WORDS = (
    *("[UNK]", "<s>", "</s>", "\n", "1", "2", "3", "4", "5", "A", "B", "C", "D", "a", "b"),
    *("(", ")", ".", "question", "answer", "system", "user", "assistant", "ready", "no", "yes"),
)
TEMPLATE = (
    "{% for m in messages %}{{ '<s> ' + m['role'] + ' ' + m['content'] + ' </s> ' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<s> assistant' }}{% endif %}"
)
NO_SYSTEM = (
    "{% if messages[0]['role'] == 'system' %}{{ raise_exception('no system') }}{% endif %}"
    + TEMPLATE
)


def make(folder: Path, template: str | None = TEMPLATE, seed: int = 0, longest: int = 128) -> Path:
    """Keep a model in `folder`; another seed gives other weights."""
    import torch
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import WhitespaceSplit
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    unknown, begins, ends = WORDS[:3]
    plain = Tokenizer(WordLevel({word: n for n, word in enumerate(WORDS)}, unk_token=unknown))
    plain.pre_tokenizer = WhitespaceSplit()
    tokeniser = PreTrainedTokenizerFast(
        tokenizer_object=plain, unk_token=unknown, bos_token=begins, eos_token=ends
    )
    tokeniser.chat_template = template
    tokeniser.save_pretrained(folder)
    torch.manual_seed(seed)
    sizes = {"hidden_size": 16, "intermediate_size": 16, "num_hidden_layers": 1}
    heads = {"num_attention_heads": 2, "num_key_value_heads": 2}
    config = LlamaConfig(
        vocab_size=len(WORDS),
        max_position_embeddings=longest,
        initializer_range=0.5,
        bos_token_id=1,
        eos_token_id=2,
        **sizes,
        **heads,
    )
    LlamaForCausalLM(config).save_pretrained(folder)
    return folder
