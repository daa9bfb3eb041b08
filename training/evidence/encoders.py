"""The encoders that can be trained: BERT and MPNet, as `transformers` builds them, behind one call."""

import torch
from torch import Tensor, nn
from torch.nn import functional
from transformers import BertConfig, BertModel, MPNetConfig, MPNetModel
from transformers.models.mpnet.modeling_mpnet import MPNetSelfAttention

from training.recipe import EncoderShape

NO_POSITION = 2
"""First rows of MPNet's table of positions, which stand for none."""
_LEAST = -1e9
"""Added to the logits of padding."""


def make_encoder(shape: EncoderShape, *, dropout: float) -> nn.Module:
    """
    Make an encoder of random weights; its parameters are named as the published model's.

    Both families are called with `input_ids`, `attention_mask` and `token_type_ids`, which an MPNet has no use for, and
    return a tuple that begins with the states of the last layer, (rows, tokens, hidden).

    :param dropout: Share of what embeddings and layers give that is dropped in training; attention drops nothing.
    """
    return (_mpnet if shape.family == "mpnet" else _bert)(shape, dropout)


def freeze_layers(encoder: nn.Module, count: int) -> None:
    """
    Keep the embeddings and the first layers of an encoder as they are.

    :param count: Of layers; 0: of the embeddings, the words alone.
    :raises ValueError: If the encoder has no more layers than that.
    """
    layers = encoder.encoder.layer
    if count >= len(layers):
        raise ValueError(f"{count} of {len(layers)} layers cannot be frozen: one at least must learn")
    encoder.embeddings.word_embeddings.weight.requires_grad_(False)
    if count:
        for module in (encoder.embeddings, *layers[:count]):
            module.requires_grad_(False)


def _bert(shape: EncoderShape, dropout: float) -> BertModel:
    config = BertConfig(
        vocab_size=shape.vocabulary,
        hidden_size=shape.hidden,
        num_hidden_layers=shape.layers,
        num_attention_heads=shape.heads,
        intermediate_size=shape.intermediate,
        max_position_embeddings=shape.positions,
        hidden_dropout_prob=dropout,
        attention_probs_dropout_prob=0.0,
    )
    config._attn_implementation = "eager"
    return BertModel(config, add_pooling_layer=False)


def _mpnet(shape: EncoderShape, dropout: float) -> MPNetModel:
    config = MPNetConfig(
        vocab_size=shape.vocabulary,
        hidden_size=shape.hidden,
        num_hidden_layers=shape.layers,
        num_attention_heads=shape.heads,
        intermediate_size=shape.intermediate,
        max_position_embeddings=shape.positions,
        relative_attention_num_buckets=shape.relative_buckets,
        layer_norm_eps=1e-5,  # as published; the library's own default is another
        hidden_dropout_prob=dropout,
        attention_probs_dropout_prob=0.0,
    )
    encoder = _Mpnet(config, add_pooling_layer=False)
    encoder.encoder.relative_attention_bias.requires_grad_(False)  # a constant mask lets the fast attention work
    for layer in encoder.encoder.layer:
        layer.attention.attn = _Attention(config)
    return encoder


class _Attention(MPNetSelfAttention):
    """MPNet's attention by torch's own operator in training, and by plain products where a graph is made of it."""

    def forward(self, hidden_states: Tensor, attention_mask: Tensor, *_: object, **__: object) -> tuple[Tensor]:
        """
        Attend.

        :param hidden_states: (rows, tokens, hidden).
        :param attention_mask: Added to the logits, (rows, heads, tokens, tokens).
        """
        parts = (*hidden_states.shape[:-1], self.num_attention_heads, self.attention_head_size)
        query, key, value = (
            layer(hidden_states).view(parts).transpose(1, 2)  # (rows, heads, tokens, size)
            for layer in (self.q, self.k, self.v)
        )
        if torch.onnx.is_in_onnx_export():
            logits = query @ key.transpose(-1, -2) / self.attention_head_size**0.5 + attention_mask
            read = logits.softmax(-1) @ value
        else:
            mask = attention_mask.to(query.dtype)
            read = functional.scaled_dot_product_attention(query, key, value, attn_mask=mask)
        return (self.o(read.transpose(1, 2).reshape(hidden_states.shape)),)


class _Mpnet(MPNetModel):
    """MPNet over rows with padding on the right, where a token's position is its place in the row."""

    def forward(self, input_ids: Tensor, attention_mask: Tensor, **_: object) -> tuple[Tensor]:
        """Run the encoder; both inputs (rows, tokens)."""
        places = torch.arange(input_ids.shape[1], device=input_ids.device)  # (tokens,)
        states = self.embeddings(input_ids=input_ids, position_ids=places[None] + NO_POSITION)
        stack = self.encoder
        buckets = stack.relative_position_bucket(
            places[None] - places[:, None], num_buckets=self.config.relative_attention_num_buckets
        )  # (tokens, tokens)
        bias = stack.relative_attention_bias(buckets).permute(2, 0, 1)[None]  # (1, heads, tokens, tokens)
        padding = ((1 - attention_mask) * _LEAST).to(states.dtype)[:, None, None]  # (rows, 1, 1, tokens)
        added = bias + padding  # (rows, heads, tokens, tokens)
        for layer in stack.layer:
            states = layer(states, added)[0]
        return (states,)
