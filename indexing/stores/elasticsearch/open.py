"""The Elasticsearch store that the settings name."""

from haystack.utils import Secret
from pydantic import SecretStr

from core.errors import StoreMissingError, StoreVersionError
from core.settings import Settings
from indexing.stores.elasticsearch.store import ElasticsearchStore


def open_elasticsearch(settings: Settings, *, must_exist: bool = True, readable: bool = True) -> ElasticsearchStore:
    """
    Connect to the server of the settings.

    :param must_exist: Refuse an index that nothing was ever put into.
    :param readable: Refuse an index of another version; a rebuild does not read it.
    :raises StoreMissingError: If there is no index yet.
    :raises StoreVersionError: If it was laid out by another version.
    :raises UnavailableError: If the server does not answer, or refuses the login.
    """
    store = connect_elasticsearch(settings)
    try:
        store.snapshot_id()
    except StoreMissingError:
        if must_exist:
            store.close()
            raise
    except StoreVersionError:
        if readable:
            store.close()
            raise
    return store


def connect_elasticsearch(settings: Settings) -> ElasticsearchStore:
    """Return the store of the settings; it connects on first use."""
    return ElasticsearchStore(
        settings.store_url or "",
        index=settings.store_index,
        timeout=settings.store_timeout,
        ca_file=str(settings.store_ca_file) if settings.store_ca_file else None,
        user=settings.store_user,
        password=_secret(settings.store_password),
        api_key=_secret(settings.store_api_key),
    )


def _secret(value: SecretStr | None) -> Secret | None:
    return Secret.from_token(value.get_secret_value()) if value is not None else None
