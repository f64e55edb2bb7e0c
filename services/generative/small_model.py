"""A small T5 encoder–decoder trained from scratch, in our own sizes.

Its embeddings can be initialised by latent semantic analysis of the texts: tokens that occur in the
same provisions start near one another. Input, output and decoder share them.

A byte-pair tokeniser trained on the law in use, saved as a Hugging Face folder.

A word lies between white space and punctuation, and every word begins with ``▁``: so an identifier
is tokenised equally within a text and at its beginning. The special tokens are those of T5:
``<pad>`` 0, ``</s>`` 1, ``<unk>`` 2.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from errors import UserError, Where

MOST_PARAMETERS = 30_000_000


@dataclass(frozen=True, slots=True)
class Size:
    """Dimensions of a model: `vocabulary` tokens, state `width`, `inner` feed-forward size."""

    vocabulary: int = 8_000
    width: int = 256
    inner: int = 512
    heads: int = 4
    encoder_layers: int = 3
    decoder_layers: int = 2

    def check(self) -> None:
        """Raise UserError for invalid sizes."""
        bad = [name for name, value in asdict(self).items() if not 1 <= value <= 200_000]
        if not bad and self.width % self.heads:
            bad = ["heads"]
        if bad:
            raise UserError("generative_size", Where(field=bad[0]), value=asdict(self)[bad[0]])


def new_model(size: Size, vocabulary: int, dropout: float) -> Any:
    """Return an untrained model for a tokeniser of `vocabulary` tokens.

    Raises UserError where it would have more than MOST_PARAMETERS.
    """
    import torch
    from transformers import T5Config, T5ForConditionalGeneration

    config = T5Config(
        vocab_size=vocabulary,
        d_model=size.width,
        d_kv=size.width // size.heads,
        d_ff=size.inner,
        num_heads=size.heads,
        num_layers=size.encoder_layers,
        num_decoder_layers=size.decoder_layers,
        dropout_rate=dropout,
        feed_forward_proj="gated-gelu",
        tie_word_embeddings=True,
        pad_token_id=0,
        eos_token_id=1,
        decoder_start_token_id=0,
    )
    with torch.device("meta"):  # counted before it takes memory
        count = sum(each.numel() for each in T5ForConditionalGeneration(config).parameters())
    if count > MOST_PARAMETERS:
        raise UserError("generative_large", count=f"{count:,}", most=f"{MOST_PARAMETERS:,}")
    return T5ForConditionalGeneration(config)


def initialise_embeddings(model: Any, vectors: NDArray[np.float32]) -> None:
    """Initialise the shared embeddings with `vectors`, one per token; zero rows stay random."""
    import torch

    said = np.abs(vectors).sum(axis=1) > 0
    with torch.no_grad():
        weight = model.get_input_embeddings().weight
        weight[torch.from_numpy(np.flatnonzero(said))] = torch.from_numpy(vectors[said])


def begin_by_copying(model: Any, seed: int) -> None:
    """Initialise cross-attention to copy attended source tokens to the output.

    In the attention to the source, the output matrix is the inverse of the value matrix (an
    orthogonal matrix and its transpose, drawn with the seed). So an attended token predicts itself
    and, with latent embeddings, similar tokens; what to attend to is learnt.
    """
    import torch

    draw = np.random.default_rng(seed)
    with torch.no_grad():
        for block in model.decoder.block:
            attention = block.layer[1].EncDecAttention
            inner, width = attention.v.weight.shape
            square, _ = np.linalg.qr(draw.standard_normal((max(inner, width), min(inner, width))))
            values = square if inner >= width else square.T
            attention.v.weight.copy_(torch.from_numpy(values.astype(np.float32)))
            attention.o.weight.copy_(torch.from_numpy(values.T.astype(np.float32)))


def latent_vectors(
    texts: Sequence[Sequence[int]], vocabulary: int, width: int, seed: int
) -> NDArray[np.float32]:
    """Return a vector of length sqrt(`width`) per token, by latent semantic analysis of `texts`.

    `texts` are token ids. Tokens are weighted by log(1 + count) · idf; the decomposition is
    truncated (Halko et al. 2011) with the seed. Tokens in no text are zero, and so are dimensions
    beyond the rank.
    """
    from scipy.sparse import csr_matrix, diags
    from sklearn.utils.extmath import randomized_svd

    sizes = [len(text) for text in texts]
    rows = np.repeat(np.arange(len(texts)), sizes)
    columns = np.concatenate([np.asarray(text, dtype=np.int64) for text in texts])
    counts = csr_matrix((np.ones(len(columns)), (rows, columns)), shape=(len(texts), vocabulary))
    counts.sum_duplicates()
    having = np.bincount(counts.indices, minlength=vocabulary)
    counts.data = np.log1p(counts.data)
    weighed = counts @ diags(np.log((len(texts) + 1) / (having + 0.5)).clip(min=0.0))
    rank = max(1, min(width, *(each - 1 for each in weighed.shape)))
    _, values, right = randomized_svd(weighed, rank, n_iter=4, random_state=seed)
    vectors = np.zeros((vocabulary, width), dtype=np.float32)
    vectors[:, :rank] = right.T * np.sqrt(values)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.where(
        lengths > 1e-9, vectors / np.maximum(lengths, 1e-9) * np.sqrt(width), 0.0
    ).astype(np.float32)


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
