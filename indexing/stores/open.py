"""The store that the settings name."""

from core.errors import ConfigError, StoreMissingError, StoreVersionError
from core.settings import Settings
from indexing.stores.contract import EvidenceStore
from indexing.stores.embedded.store import EmbeddedStore

INDEX_FOLDER = "index"


def open_store(settings: Settings, *, must_exist: bool = True, readable: bool = True) -> EvidenceStore:
    """
    Open the embedded store in the data folder, or Elasticsearch if the settings give its address.

    :param must_exist: Refuse an index that nothing was ever put into.
    :param readable: Refuse an index of another version; a rebuild does not read it.
    :raises ConfigError: If the extra [elasticsearch] is wanted and not installed.
    :raises StoreMissingError: If there is no index yet.
    :raises StoreVersionError: If it was written by another version.
    """
    if settings.store_url:
        try:
            from indexing.stores.elasticsearch.open import open_elasticsearch
        except ModuleNotFoundError as error:
            raise ConfigError(
                "store_url is set, and the Elasticsearch client is not installed",
                field="store_url",
                hint="Run pip install 'looksy[elasticsearch]', or leave store_url empty for the embedded store.",
            ) from error
        return open_elasticsearch(settings, must_exist=must_exist, readable=readable)
    store = EmbeddedStore(settings.data_dir / INDEX_FOLDER)
    try:
        store.snapshot_id()
    except StoreMissingError:
        if must_exist:
            raise
    except StoreVersionError:
        if readable:
            raise
    return store
