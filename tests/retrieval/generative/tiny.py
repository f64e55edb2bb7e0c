"""Models of a few thousand random weights over bytes, made in a test: they can write anything.

What they write means nothing; that they write the same each time, and how likely each token is, can
be checked against the library.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

SPECIAL = ("<pad>", "</s>", "<s>")
SIZE = 256 + len(SPECIAL)


def _tokeniser(folder: Path) -> None:
    from tokenizers import Tokenizer
    from tokenizers.decoders import ByteLevel as Decoder
    from tokenizers.models import BPE
    from tokenizers.pre_tokenizers import ByteLevel
    from transformers import PreTrainedTokenizerFast

    letters = sorted(ByteLevel.alphabet())
    plain = Tokenizer(BPE({word: n for n, word in enumerate((*SPECIAL, *letters))}, []))
    plain.pre_tokenizer = ByteLevel(add_prefix_space=False, use_regex=False)
    plain.decoder = Decoder()
    pad, ends, begins = SPECIAL
    PreTrainedTokenizerFast(
        tokenizer_object=plain, pad_token=pad, eos_token=ends, bos_token=begins
    ).save_pretrained(folder)


def _keep(folder: Path, kind: Any, config: Any, seed: int, forced: int | None = None) -> Path:
    import torch
    from transformers.utils import logging

    logging.disable_progress_bar()
    _tokeniser(folder)
    torch.manual_seed(seed)
    model = kind(config)
    model.generation_config.forced_bos_token_id = forced
    model.save_pretrained(folder)
    return folder


def seq2seq(folder: Path, seed: int = 0) -> Path:
    """Keep an encoder–decoder (T5) in `folder`; another seed gives other weights."""
    from transformers import T5Config, T5ForConditionalGeneration

    config = T5Config(
        vocab_size=SIZE,
        d_model=16,
        d_kv=8,
        d_ff=16,
        num_layers=1,
        num_heads=2,
        initializer_factor=1.0,
        decoder_start_token_id=0,
        pad_token_id=0,
        eos_token_id=1,
    )
    return _keep(folder, T5ForConditionalGeneration, config, seed)


def bart(folder: Path, seed: int = 0) -> Path:
    """Keep an encoder–decoder that begins with a token it is made to say."""
    from transformers import BartConfig, BartForConditionalGeneration

    config = BartConfig(
        vocab_size=SIZE,
        d_model=16,
        encoder_layers=1,
        decoder_layers=1,
        encoder_attention_heads=2,
        decoder_attention_heads=2,
        encoder_ffn_dim=16,
        decoder_ffn_dim=16,
        max_position_embeddings=64,
        init_std=0.5,
        pad_token_id=0,
        eos_token_id=1,
        bos_token_id=2,
        decoder_start_token_id=1,
        forced_eos_token_id=None,
    )
    return _keep(folder, BartForConditionalGeneration, config, seed, forced=2)


def decoder(folder: Path, seed: int = 0, longest: int = 128) -> Path:
    """Keep a decoder (Llama) in `folder`."""
    from transformers import LlamaConfig, LlamaForCausalLM

    config = LlamaConfig(
        vocab_size=SIZE,
        hidden_size=16,
        intermediate_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        num_key_value_heads=2,
        max_position_embeddings=longest,
        initializer_range=0.5,
        bos_token_id=2,
        eos_token_id=1,
    )
    return _keep(folder, LlamaForCausalLM, config, seed)
