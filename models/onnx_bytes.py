"""
ONNX models as bytes, without the library `onnx`.

Protocol buffers may be joined end to end: fields that hold a message are merged, lists are added to.
"""

_MODEL_IR, _MODEL_GRAPH, _MODEL_OPSET, _OPSET_VERSION = 1, 7, 8, 2
_GRAPH_NODE, _GRAPH_NAME, _GRAPH_INPUT, _GRAPH_OUTPUT = 1, 2, 11, 12
_NODE_INPUT, _NODE_OUTPUT, _NODE_OPERATOR = 1, 2, 4
_VALUE_NAME, _VALUE_TYPE, _TYPE_TENSOR, _TENSOR_ELEMENT = 1, 2, 1, 1
"""Field numbers of onnx.proto."""
_UINT8, _INT8, _INT32 = 2, 3, 6
"""Of `TensorProto.DataType`."""
_IR_VERSION, _OPSET = 8, 17
_NUMBER, _LENGTH_DELIMITED = 0, 2
"""How a field is written."""


def with_output(model: bytes, tensor: str) -> bytes:
    """
    Return a model that also gives one of its inner tensors, after its own outputs; its file stays as it is.

    :param model: Content of an `.onnx` file.
    :param tensor: Name of the tensor in the graph.
    """
    return model + _field(_MODEL_GRAPH, _field(_GRAPH_OUTPUT, _field(_VALUE_NAME, tensor.encode())))


def integer_product() -> bytes:
    """Return a model that multiplies matrices `a` (unsigned 8 bits) and `b` (signed 8 bits), with sums of 32 bits."""
    node = _field(_NODE_INPUT, b"a") + _field(_NODE_INPUT, b"b") + _field(_NODE_OUTPUT, b"c")
    node += _field(_NODE_OPERATOR, b"MatMulInteger")
    inputs = _field(_GRAPH_INPUT, _value(b"a", _UINT8)) + _field(_GRAPH_INPUT, _value(b"b", _INT8))
    graph = _field(_GRAPH_NODE, node) + _field(_GRAPH_NAME, b"product") + inputs
    graph += _field(_GRAPH_OUTPUT, _value(b"c", _INT32))
    opset = _field(_MODEL_OPSET, _number(_OPSET_VERSION, _OPSET))
    return _number(_MODEL_IR, _IR_VERSION) + opset + _field(_MODEL_GRAPH, graph)


def _value(name: bytes, element: int) -> bytes:
    """Name and type of an input or output of any shape."""
    return _field(_VALUE_NAME, name) + _field(_VALUE_TYPE, _field(_TYPE_TENSOR, _number(_TENSOR_ELEMENT, element)))


def _field(number: int, content: bytes) -> bytes:
    return _varint(number << 3 | _LENGTH_DELIMITED) + _varint(len(content)) + content


def _number(number: int, value: int) -> bytes:
    return _varint(number << 3 | _NUMBER) + _varint(value)


def _varint(value: int) -> bytes:
    """Seven bits a byte, lowest first; the eighth says that more follow."""
    written = bytearray()
    while value > 0x7F:  # noqa: PLR2004 - seven bits
        written.append(value & 0x7F | 0x80)
        value >>= 7
    written.append(value)
    return bytes(written)
