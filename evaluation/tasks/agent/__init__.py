"""Claims investigated by the system `agent`."""
