"""Clearing away what a writer left that never committed."""

from elasticsearch import Elasticsearch

_UNDO = """
if (ctx._source.deleted_in != null && ctx._source.deleted_in > params.generation) {
  ctx._source.remove('deleted_in');
}
if (ctx._source.superseded_in != null && ctx._source.superseded_in > params.generation) {
  if (ctx._source.superseded_was == null) { ctx._source.remove('superseded_at'); }
  else { ctx._source.superseded_at = ctx._source.superseded_was; }
  ctx._source.remove('superseded_in');
}
"""


def sweep(client: Elasticsearch, index: str, *, generation: int) -> None:
    """
    Bring an index back to a committed generation: rows of later ones go, and marks of later ones are taken off.

    Rows whose removal was committed go too.
    """
    client.indices.refresh(index=index)
    later = {"gt": generation}
    rubbish = [{"range": {"generation": later}}, {"range": {"deleted_in": {"lte": generation}}}]
    marked = [{"range": {"deleted_in": later}}, {"range": {"superseded_in": later}}]
    if client.count(index=index, query={"bool": {"should": rubbish}})["count"]:
        client.delete_by_query(index=index, query={"bool": {"should": rubbish}}, conflicts="proceed", refresh=True)
    if client.count(index=index, query={"bool": {"should": marked}})["count"]:
        script = {"source": _UNDO, "params": {"generation": generation}}
        client.update_by_query(
            index=index, query={"bool": {"should": marked}}, script=script, conflicts="proceed", refresh=True
        )
