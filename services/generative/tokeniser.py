"""A byte-pair tokeniser trained on the law in use, saved as a Hugging Face folder.

A word lies between white space and punctuation, and every word begins with ``▁``: so an identifier
is tokenised equally within a text and at its beginning. The special tokens are those of T5:
``<pad>`` 0, ``</s>`` 1, ``<unk>`` 2.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

PAD, END, UNKNOWN = "<pad>", "</s>", "<unk>"
CHARACTERS = 4_000
"""Maximum of characters with own tokens; rarer ones are unknown."""


def trained_tokeniser(texts: Iterable[str], size: int) -> Any:
    """Train a tokeniser of at most `size` tokens on `texts`, deterministically.

    Equal texts give an equal tokeniser.
    """
    from tokenizers import Tokenizer
    from tokenizers.models import BPE
    from tokenizers.normalizers import NFC
    from tokenizers.pre_tokenizers import Metaspace, Punctuation, Sequence, WhitespaceSplit
    from tokenizers.processors import TemplateProcessing
    from tokenizers.trainers import BpeTrainer
    from transformers import PreTrainedTokenizerFast

    made = Tokenizer(BPE(unk_token=UNKNOWN))
    made.normalizer = NFC()
    made.pre_tokenizer = Sequence([WhitespaceSplit(), Punctuation(), Metaspace()])
    made.train_from_iterator(
        texts,
        BpeTrainer(
            vocab_size=size,
            special_tokens=[PAD, END, UNKNOWN],
            limit_alphabet=min(CHARACTERS, size // 2),
            show_progress=False,
        ),
    )
    made.post_processor = TemplateProcessing(single=f"$A {END}", special_tokens=[(END, 1)])
    return PreTrainedTokenizerFast(
        tokenizer_object=made, pad_token=PAD, eos_token=END, unk_token=UNKNOWN
    )
