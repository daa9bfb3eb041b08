"""Write the analysis of an investigation: by the main model from the reports, else out of the best evidence."""

from haystack import Document, component

from core.settings import Settings
from core.types import Article, Notice, QueryKind
from pipelines.contracts.evidence import Draft, Evidence
from pipelines.contracts.generator import Generator
from pipelines.generation.extractive import ExtractiveGenerator
from pipelines.systems.agent.conversation import Conversation
from pipelines.systems.agent.passage_prompt import shown_articles
from pipelines.systems.agent.types import Opinion, Trace


@component
class AgentAnalyst:
    """
    Conclude. What the model writes is checked sentence by sentence afterwards, against all that was found.

    :param generator: The chat model; None: there is none.
    :param settings: How it is asked; None: the defaults.
    """

    def __init__(self, *, generator: Generator | None = None, settings: Settings | None = None) -> None:
        self.generator = generator
        self.settings = settings or Settings()

    @component.output_types(draft=Draft, opinion=Opinion | None)
    def run(
        self,
        query: str,
        kind: QueryKind,
        evidence: list[Evidence],
        *,
        trace: Trace,
        documents: list[Document],
        found: dict[str, Article],
    ) -> dict[str, object]:
        """
        Conclude.

        :param evidence: Judged, best first.
        :param documents: All that was found.
        :param found: Passage id to article.
        :returns: `draft`; `opinion` of the main model, None where none was asked or gave any.
        """
        generator = self.generator if trace.generator else None
        plain: Draft = ExtractiveGenerator().run(kind=kind, evidence=evidence)["draft"]
        if generator is None or not found:
            return {"draft": plain, "opinion": None}
        talk = Conversation(query, generator, self.settings)
        concluded = talk.conclude(trace.rounds)
        if concluded is None:
            fallback = Notice(code="generator_fallback", message="The model did not conclude; plain code wrote this.")
            return {"draft": plain.model_copy(update={"warnings": (*talk.notices, fallback)}), "opinion": None}
        text, opinion = concluded
        draft = Draft(
            text=text,
            generator=generator.name,
            mode="references",
            shown=shown_articles(query, documents, found, trace.numbers),
            warnings=tuple(talk.notices),
        )
        return {"draft": draft, "opinion": opinion}
