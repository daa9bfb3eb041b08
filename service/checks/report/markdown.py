"""A checked text in Markdown: what was found, claim by claim. Everything from texts and articles is escaped."""

from core.counting import counted
from pipelines.rendering.escape import markdown_link, markdown_text
from service.checks.report.view import IS_NOT, NOT_CHECKABLE, CheckView, ClaimView


def to_markdown(view: CheckView) -> str:
    """Write summary, claims in working order with their quotes, what is not a claim, and what was searched."""
    counts = ", ".join(f"{number} {words.lower()}" for _, words, number in view.counts) or "no claims"
    summary = view.checked.summary
    parts = [
        f"# Checked: {markdown_text(view.title)}",
        f"{counted(summary.words, 'word')}, {counted(summary.claims, 'claim')}: {counts}.",
        *(_claim(one) for one in view.claims),
        _skipped(view),
        "## About this report",
        markdown_text(view.searched),
        f"Made on {view.checked.created_at:%Y-%m-%d %H:%M} UTC by Looksy {view.checked.version}. "
        f"Check {view.checked.id}; SHA-256 of the text {view.checked.text_sha256}.",
        *(f"- {markdown_text(notice.message)}" for notice in view.checked.warnings),
        IS_NOT,
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _claim(one: ClaimView) -> str:
    claim = one.claim
    lines = [f"## {claim.order}. {one.words}{f' ({one.sure})' if one.sure else ''}", f"> {markdown_text(claim.text)}"]
    if one.is_rewritten:
        lines.append(f"Judged as: {markdown_text(claim.standalone)}")
    if claim.why:
        lines.append(markdown_text(claim.why))
    lines += [
        f"- Stated {markdown_text(item.stated)}, article says {markdown_text(item.found)}" for item in claim.conflicts
    ]
    for quote in one.quotes:
        where = f"{markdown_link(quote.headline, quote.url or '')}, {markdown_text(quote.source)}, {quote.day}"
        lines.append(f"“{markdown_text(quote.text)}” ({quote.relation}; {where})")
    lines.append(f"Characters {claim.start} to {claim.end}; worth checking {claim.check_worthiness:.2f}.")
    return "\n\n".join(lines)


def _skipped(view: CheckView) -> str:
    if not view.checked.skipped:
        return ""
    lines = [f"- {markdown_text(one.text)} ({NOT_CHECKABLE[one.reason]})" for one in view.checked.skipped]
    return "\n".join(["## Not checkable", "", *lines])
