"""
TREC relevance judgements: `query iteration document grade`, separated by blanks or tabs, as they come.

Example: `301 0 FBIS3-10082 1`. BEIR's TSV (`query-id corpus-id score`, with that header) is read as well; ids may hold
blanks where tabs separate all columns.
"""

from pathlib import Path

from evaluation.data.formats.lines import bad_line, fail, read_lines

_COLUMNS = {4: (0, 2, 3), 3: (0, 1, 2)}
_BEIR_HEADER = "query-id"
_ITERATIONS = {"0", "Q0"}


def read_qrels(path: Path) -> dict[str, dict[str, int]]:
    """
    Read judgements. Grades below 0 (junk, in some TREC tracks) count as 0.

    :returns: Query id to document id to grade.
    :raises InputError: For a line with another number of columns, a grade that is not a whole number, or two different
        grades for one document.
    """
    judgements: dict[str, dict[str, int]] = {}
    is_tsv = False
    for number, line in read_lines(path):
        parts = _columns(line, is_tsv=is_tsv)
        if number == 1 and parts[0].strip().lower() in {_BEIR_HEADER, "query_id", "qid"}:
            is_tsv = "\t" in line
            continue
        if len(parts) not in _COLUMNS:
            fail(
                path, number, f"{len(parts)} columns", hint="Write: query 0 document grade; or query, document, grade."
            )
        query, document, grade = (parts[column].strip() for column in _COLUMNS[len(parts)])
        try:
            value = max(0, int(grade))
        except ValueError as error:
            raise bad_line(path, number, f"the grade is {grade[:30]!r}, not a whole number") from error
        if judgements.setdefault(query, {}).setdefault(document, value) != value:
            fail(path, number, f"document {document} of query {query} has two grades")
    if not judgements:
        fail(path, 1, "no judgements", hint="Write lines such as: q1 0 article-7 1")
    return judgements


def _columns(line: str, *, is_tsv: bool) -> list[str]:
    """Split a line at its tabs if they separate all columns, else at its blanks; "q1 0<tab>d1<tab>1" has four."""
    blanks, tabs = line.split(), line.split("\t")
    is_trec = len(blanks) == max(_COLUMNS) and blanks[1] in _ITERATIONS and not is_tsv
    return tabs if len(tabs) in _COLUMNS and not is_trec else blanks
