"""Versions of an index behind one alias, so that a rebuild swaps without a gap."""

import logging
import re

from elasticsearch import ApiError, BadRequestError, Elasticsearch, TransportError

from core.errors import StoreLockedError, StoreVersionError
from indexing.stores.elasticsearch.mapping import mappings, settings, template

logger = logging.getLogger(__name__)

_OTHER_NAME = "Choose another name with --set store_index=NAME."


def current_version(client: Elasticsearch, alias: str) -> str | None:
    """
    Return the index behind the alias; None if there is none.

    :raises StoreVersionError: If the name belongs to an index that is not ours, or to an alias of one.
    """
    if not client.indices.exists_alias(name=alias):
        if client.indices.exists(index=alias):
            raise StoreVersionError(
                f"{alias} is an index, not an alias of Looksy",
                field="store_index",
                hint=_OTHER_NAME,
            )
        return None
    require_ours(client, alias)
    return str(next(iter(client.indices.get_alias(name=alias))))


def require_ours(client: Elasticsearch, name: str) -> None:
    """
    Touch nothing that belongs to others: clearing away what was never committed would delete their documents.

    :param name: Index or alias.
    :raises StoreVersionError: If Looksy has not made what it names.
    """
    for index, found in client.indices.get_mapping(index=name).items():
        if "looksy_format" not in found["mappings"].get("_meta", {}):
            raise StoreVersionError(
                f"{name} names the index {index}, which Looksy has not made", field="store_index", hint=_OTHER_NAME
            )


def ensure_version(client: Elasticsearch, alias: str) -> str:
    """Return the index behind the alias; make the first version if there is none."""
    found = current_version(client, alias)
    if found is None:
        found = _create(client, alias, number=1)
        client.indices.update_aliases(actions=[{"add": {"index": found, "alias": alias}}])
    return found


def create_version(client: Elasticsearch, alias: str) -> str:
    """Make the next version beside the current one; the alias stays where it is. Return its name."""
    return _create(client, alias, number=max(_versions(client, alias).values(), default=0) + 1)


def _versions(client: Elasticsearch, alias: str) -> dict[str, int]:
    """Return the versions of an index by name, with their numbers; an index whose name only begins alike is none."""
    pattern = re.compile(re.escape(alias) + r"-v(\d+)")
    found = (pattern.fullmatch(name) for name in client.indices.get(index=f"{alias}-v*"))
    return {match.group(): int(match.group(1)) for match in found if match}


def _create(client: Elasticsearch, alias: str, *, number: int) -> str:
    client.indices.put_index_template(name=f"{alias}-template", **template(alias))
    name = f"{alias}-v{number:06d}"
    try:
        client.indices.create(index=name, settings=settings(), mappings=mappings())
    except BadRequestError as error:  # another process was as quick
        if error.error != "resource_already_exists_exception":
            raise
    return name


def point_alias(client: Elasticsearch, alias: str, index: str, *, replaces: str) -> None:
    """
    Let the alias name another version, in one step.

    :param replaces: The version that it is to name until then.
    :raises StoreLockedError: If it names another one.
    """
    if current_version(client, alias) != replaces:
        raise StoreLockedError(
            f"another process has replaced {replaces} meanwhile",
            field="store_index",
            hint="Let it finish, then run 'looksy index --rebuild' again if it is still needed.",
        )
    actions = [{"remove": {"index": replaces, "alias": alias}}, {"add": {"index": index, "alias": alias}}]
    client.indices.update_aliases(actions=actions)


def remove_versions_before(client: Elasticsearch, alias: str, index: str, *, keep: str | None = None) -> None:
    """
    Remove what a version has replaced, and what interrupted rebuilds have left.

    What cannot be removed now is logged; the next rebuild tries again.

    :param keep: An older version that stays nevertheless.
    """
    try:
        versions = _versions(client, alias)
        for name in [name for name, number in versions.items() if number < versions.get(index, 0) and name != keep]:
            client.indices.delete(index=name, ignore_unavailable=True)
    except (ApiError, TransportError) as error:
        logger.warning("An old version of the index stays", extra={"index": alias, "reason": str(error)[:300]})
