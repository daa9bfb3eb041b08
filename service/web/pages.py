"""The pages: ask, run, runs, coverage, article, routes, sign-in. Each calls what REST calls."""

from http import HTTPStatus
from pathlib import Path
from typing import Any

import jinja2
from fastapi import APIRouter, Depends, Request
from fastapi.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response

from core.errors import ForbiddenError, InputError, LooksyError, NotFoundError, StoreMissingError
from core.settings import SearchKind
from core.types import Article, Result
from pipelines.systems.registry import get_system, list_systems, request_for
from service.api.app_state import AppState, state_of
from service.api.bodies import ErrorBody
from service.api.evidence import find_article, sources
from service.auth.access import COOKIE, WRONG_KEY, Requirement, caller, check_origin, needs_keys, recognise
from service.auth.keys import Scope
from service.auth.redaction import public_error
from service.desk import Check
from service.desk.approvals import Approval, approval_of
from service.state.feedback import MAX_REASON_CHARS
from service.web.answers import add_answers
from service.web.coverage import MONTHS, view_coverage
from service.web.desk import add_desk, add_desk_globals
from service.web.forms import first, own_place, place_after_sign_in, query_fields, read_form
from service.web.options import view_systems
from service.web.routes import view_routes
from service.web.text_checks import add_check_globals, add_text_checks
from service.web.view import ASIDES, RELATION_WORDS, WORDS, ResultView, in_order, tone_of, view_result

FOLDER = Path(__file__).parent
SESSION_S = 12 * 3600
MAX_PART_DIGITS = 4
FIRST_SYSTEM = "verify"
_templates = jinja2.Environment(
    loader=jinja2.FileSystemLoader(FOLDER / "templates"),
    autoescape=True,
    finalize=in_order,
    undefined=jinja2.StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_templates.globals["words"] = {verdict.value: word for verdict, word in WORDS.items()}
_templates.globals["tone_of"] = tone_of
_templates.globals["asides"] = ASIDES
_templates.globals["relation_words"] = {relation.value: word for relation, word in RELATION_WORDS.items()}
add_check_globals(_templates)
add_desk_globals(_templates)
_READ, _RUN = (Depends(Requirement(scope)) for scope in (Scope.READ, Scope.RUN))


def pages_router() -> APIRouter:
    """Make the routes; they are not part of the REST description."""
    router = APIRouter(include_in_schema=False)
    _add_ask(router)
    add_text_checks(router, render)
    add_desk(router, render)
    add_answers(router, render)
    _add_runs(router)
    _add_feedback(router)
    _add_index_pages(router)
    _add_routes(router)
    _add_sign_in(router)
    return router


def render(request: Request, name: str, *, status: int = HTTPStatus.OK, **values: Any) -> HTMLResponse:
    """
    Fill a template.

    :param values: Of the template.
    """
    values["signed_in"] = COOKIE in request.cookies and caller(request) is not None
    values["path"] = request.url.path
    values["searches_web"] = state_of(request).settings.search_backend is not SearchKind.STORE
    return HTMLResponse(_templates.get_template(name).render(values), status_code=status)


def _add_ask(router: APIRouter) -> None:
    @router.get("/", dependencies=[_READ])
    async def home(request: Request) -> Response:
        typed = {name: request.query_params.getlist(name) for name in request.query_params}
        return await _ask_page(request, typed)

    @router.post("/", dependencies=[_RUN])
    async def ask(request: Request) -> Response:
        state = state_of(request)
        form = await read_form(request)
        system = first(form, "system") or FIRST_SYSTEM
        try:
            query = request_for(system, query_fields(form, get_system(system).info))
            result = await state.answers.do(
                lambda progress: state.asker.run(system, query, progress=progress), request=request
            )
        except LooksyError as error:
            return await _ask_page(request, form, error=error)
        if state.settings.keep_runs:
            return RedirectResponse(f"/runs/{result.run_id}", status_code=HTTPStatus.SEE_OTHER)
        view = await state.reads.do(lambda _: _view(state, result))
        return render(
            request,
            "run.html.j2",
            view=view,
            approval=None,
            check_id=None,
            kept=False,
            feedback=False,
            thanked=None,
        )


async def _ask_page(request: Request, typed: dict[str, list[str]], *, error: LooksyError | None = None) -> HTMLResponse:
    state = state_of(request)
    coverage, index_error, is_empty = None, None, False
    try:
        coverage = await state.reads.do(lambda _: sources(state).counts)
        is_empty = not coverage.articles
    except LooksyError as missing:
        index_error, is_empty = public_error(missing), isinstance(missing, StoreMissingError)
    return render(
        request,
        "ask.html.j2",
        status=error.http_status if error else HTTPStatus.OK,
        systems=view_systems(list_systems(), first=FIRST_SYSTEM),
        typed=typed,
        error=public_error(error) if error else None,
        coverage=coverage,
        index_error=index_error,
        is_empty=is_empty,
        live=bool(state.settings.keep_runs),
    )


def _add_runs(router: APIRouter) -> None:
    @router.get("/runs/{run_id}.md", dependencies=[_READ])
    async def run_markdown(request: Request, run_id: str) -> Response:
        from pipelines.rendering.render import to_markdown

        state = state_of(request)
        result = await state.reads.do(lambda _: state.runs.get(run_id))
        return PlainTextResponse(to_markdown(result), media_type="text/markdown")

    @router.get("/runs/{run_id}", dependencies=[_READ])
    async def run(
        request: Request, run_id: str, thanks: bool = False, part: int = 0, fragment: bool = False
    ) -> Response:
        state = state_of(request)
        view, check, approval = await state.reads.do(lambda _: _of_run(state, run_id))
        kept = state.runs.is_kept(run_id)
        return render(
            request,
            "_result.html.j2" if fragment else "run.html.j2",
            view=view,
            approval=approval,
            check_id=check.check_id if check else None,
            kept=kept,
            feedback=kept and state.settings.feedback,
            thanked=part if thanks else None,
        )


def _of_run(state: AppState, run_id: str) -> tuple[ResultView, Check | None, Approval | None]:
    view, check = _view(state, state.runs.get(run_id)), state.desk.of_run(run_id)
    return view, check, approval_of(state.desk, check) if check else None


def _add_feedback(router: APIRouter) -> None:
    @router.post("/runs/{run_id}/feedback", dependencies=[_RUN])
    async def give_feedback(request: Request, run_id: str) -> Response:
        state = state_of(request)
        form = await read_form(request)
        helpful, reason = _helpful_of(form), first(form, "reason")
        part = _part_of(form)
        if not state.settings.feedback:
            raise NotFoundError("feedback is switched off here", field="feedback")
        reason = (reason or "")[:MAX_REASON_CHARS]
        await state.reads.do(lambda _: state.feedback.add(run_id, helpful=helpful, reason=reason, part=part))
        place = f"&part={part}#part-{part}" if part else ""
        return RedirectResponse(f"/runs/{run_id}?thanks=1{place}", status_code=HTTPStatus.SEE_OTHER)


def _helpful_of(form: dict[str, list[str]]) -> bool:
    said = first(form, "helpful") or ""
    if said not in {"yes", "no"}:
        raise InputError(f"helpful is {said[:40]!r}; yes and no are accepted", field="helpful", hint="Choose one.")
    return said == "yes"


def _part_of(form: dict[str, list[str]]) -> int | None:
    text = first(form, "part")
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= MAX_PART_DIGITS):
        raise InputError(f"{text[:40]!r} is not part of a result", field="part", hint="Send the form from the page.")
    return int(text)


def _view(state: AppState, result: Result) -> ResultView:
    """Make the view of a result; quotes of articles that the index no longer holds stay without context."""
    articles: dict[tuple[str, str], Article] = {}
    try:
        store = state.store.get()
        for reference in result.references:
            for revision in store.get_revisions(reference.article_id):
                articles[reference.article_id, revision.content_hash] = revision
    except LooksyError:
        pass
    return view_result(result, articles)


def _add_index_pages(router: APIRouter) -> None:
    @router.get("/coverage", dependencies=[_READ])
    async def coverage(request: Request) -> Response:
        state = state_of(request)
        covered = await state.reads.do(lambda _: sources(state))
        shown = view_coverage(covered.counts)
        return render(request, "coverage.html.j2", counts=covered.counts, sources=shown, months=MONTHS)

    @router.get("/articles/{article_id}", dependencies=[_READ])
    async def article(
        request: Request,
        article_id: str,
        revision: int | None = None,
        content_hash: str | None = None,
        start: int = 0,
        end: int = 0,
    ) -> Response:
        state = state_of(request)
        found = await state.reads.do(lambda _: find_article(state, article_id))
        named = _named_revision(found.revisions, revision, content_hash=content_hash)
        shown = named or found.article
        start, end = (start, end) if named and 0 <= start < end <= len(shown.body) else (0, 0)
        return render(
            request,
            "article.html.j2",
            article=shown,
            revisions=found.revisions,
            lost=named is None,
            start=start,
            end=end,
        )


def _named_revision(
    revisions: tuple[Article, ...], revision: int | None, *, content_hash: str | None
) -> Article | None:
    """
    Return the revision that a link names; None: the index does not hold it.

    :param revisions: Oldest first.
    :param revision: Its number; None: the latest.
    :param content_hash: What the link's offsets count in. An index made anew may give this text another number.
    """
    if content_hash is not None:
        same = [one for one in revisions if one.content_hash == content_hash]
        return next((one for one in same if one.revision == revision), same[-1] if same else None)
    if revision is None:
        return revisions[-1]
    return next((one for one in revisions if one.revision == revision), None)


def _add_routes(router: APIRouter) -> None:
    @router.get("/docs")
    async def routes(request: Request) -> Response:
        return render(request, "routes.html.j2", groups=view_routes(request.app.openapi()))


def _add_sign_in(router: APIRouter) -> None:
    @router.post("/sign-in")
    async def sign_in(request: Request) -> Response:
        check_origin(request)
        state = state_of(request)
        form = await read_form(request)
        text = (first(form, "key") or "").strip()
        place = request.state.place = own_place(first(form, "place"))
        if needs_keys(state.settings):
            key = recognise(request, text)
            if not key.allows(Scope.READ):
                raise ForbiddenError(
                    "This key is for the feed alone.", field="key", hint="Use one of scope read or more."
                )
        if not text.isascii() or not text.isprintable():
            raise InputError("the key holds characters that no key has", field="key")
        response = RedirectResponse(place, status_code=HTTPStatus.SEE_OTHER)
        is_secure = request.url.scheme == "https"
        # lax: a link from a mail to a run brings the cookie along; a GET changes nothing, the rest passes check_origin
        response.set_cookie(COOKIE, text, max_age=SESSION_S, httponly=True, samesite="lax", secure=is_secure)
        return response

    @router.post("/sign-out")
    async def sign_out(request: Request) -> Response:
        check_origin(request)
        response = RedirectResponse("/", status_code=HTTPStatus.SEE_OTHER)
        response.delete_cookie(COOKIE)
        response.headers["Clear-Site-Data"] = '"cache"'  # else Back may show what was read with the key
        return response


def error_page(request: Request, status: int, body: ErrorBody) -> HTMLResponse:
    """Make the page for an error; for a missing key, or one that does not allow this, with the form to enter one."""
    is_short = status == HTTPStatus.FORBIDDEN and caller(request) is not None
    return render(
        request,
        "error.html.j2",
        status=status,
        code=int(status),
        message=body.message,
        hint=body.hint,
        request_id=body.request_id,
        locked=is_short or status == HTTPStatus.UNAUTHORIZED,
        wrong_key=is_short or body.message == WRONG_KEY,
        place=place_after_sign_in(request),
    )
