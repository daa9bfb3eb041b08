"""Post-training quantisation to 8 bits: GPTQ, SmoothQuant, outlier channels, embedding tables."""
