"""Small models that ship with Looksy, and the one ONNX runtime wrapper."""
