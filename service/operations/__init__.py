"""What an operator needs: server, logs, metrics, traces, backup, doctor."""
