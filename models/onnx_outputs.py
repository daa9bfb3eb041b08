"""
A further output for an ONNX model, without the library `onnx`.

Protocol buffers may be joined end to end: fields that hold a message are merged, lists are added to. So the bytes of a
model followed by those of a graph that names one output are a model with that output, and its file stays as it is.
"""

_GRAPH, _GRAPH_OUTPUT, _VALUE_NAME = 7, 12, 1
"""Field numbers of onnx.proto: `ModelProto.graph`, `GraphProto.output`, `ValueInfoProto.name`."""
_LENGTH_DELIMITED = 2


def with_output(model: bytes, tensor: str) -> bytes:
    """
    Return a model that also gives one of its inner tensors, after its own outputs.

    :param model: Content of an `.onnx` file.
    :param tensor: Name of the tensor in the graph.
    """
    return model + _field(_GRAPH, _field(_GRAPH_OUTPUT, _field(_VALUE_NAME, tensor.encode())))


def _field(number: int, content: bytes) -> bytes:
    return _varint(number << 3 | _LENGTH_DELIMITED) + _varint(len(content)) + content


def _varint(value: int) -> bytes:
    """Seven bits a byte, lowest first; the eighth says that more follow."""
    written = bytearray()
    while value > 0x7F:  # noqa: PLR2004 - seven bits
        written.append(value & 0x7F | 0x80)
        value >>= 7
    written.append(value)
    return bytes(written)
