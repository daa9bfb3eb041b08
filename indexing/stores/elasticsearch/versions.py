"""Versions of an index behind one alias, so that a rebuild swaps without a gap."""

from elasticsearch import BadRequestError, Elasticsearch

from core.errors import StoreVersionError
from indexing.stores.elasticsearch.mapping import template


def current_version(client: Elasticsearch, alias: str) -> str | None:
    """
    Return the index behind the alias; None if there is none.

    :raises StoreVersionError: If the name belongs to an index that is not ours.
    """
    if not client.indices.exists_alias(name=alias):
        if client.indices.exists(index=alias):
            raise StoreVersionError(
                f"{alias} is an index, not an alias of Looksy",
                field="store_index",
                hint="Choose another name with --set store_index=NAME.",
            )
        return None
    return str(next(iter(client.indices.get_alias(name=alias))))


def ensure_version(client: Elasticsearch, alias: str) -> str:
    """Return the index behind the alias; make the first version if there is none."""
    found = current_version(client, alias)
    if found is None:
        found = _create(client, alias, number=1)
        client.indices.update_aliases(actions=[{"add": {"index": found, "alias": alias}}])
    return found


def create_version(client: Elasticsearch, alias: str) -> str:
    """Make the next version beside the current one; the alias stays where it is. Return its name."""
    numbers = [int(name.rsplit("-v", 1)[1]) for name in client.indices.get(index=f"{alias}-v*")]
    return _create(client, alias, number=max(numbers, default=0) + 1)


def _create(client: Elasticsearch, alias: str, *, number: int) -> str:
    client.indices.put_index_template(name=f"{alias}-template", **template(alias))
    name = f"{alias}-v{number:06d}"
    try:
        client.indices.create(index=name)
    except BadRequestError as error:  # another process was as quick
        if error.error != "resource_already_exists_exception":
            raise
    return name


def point_alias(client: Elasticsearch, alias: str, index: str) -> None:
    """Let the alias name one index, in one step, and remove the versions that it named before."""
    before = list(client.indices.get_alias(name=alias)) if client.indices.exists_alias(name=alias) else []
    actions = [{"remove": {"index": name, "alias": alias}} for name in before if name != index]
    client.indices.update_aliases(actions=[*actions, {"add": {"index": index, "alias": alias}}])
    for name in before:
        if name != index:
            client.indices.delete(index=name)
