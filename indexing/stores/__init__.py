"""One contract (`contract.py`), an embedded store and an Elasticsearch store; `open.py` chooses by setting."""
