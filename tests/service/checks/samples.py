"""A checked text for tests of what is made of it."""

from core.types import Confidence, QueryKind, Quote, Reference, Relation, Result, Status, Verdict

TEXT = (
    "Good evening!\n\nThe dam of Corve was finished in 1958. =Ivo Hallas sold two cranes in Ostrava in May 2026. "
    "We closed the port within three hours. <b>The port of Ostrava has 40 cranes.</b>"
)


class FakeAnswerer:
    """Refutes what names a crane that was sold, fails where it is told to, verifies the rest."""

    def __init__(self, *, fail_on="", stop_after=None):
        self.asked, self.fail_on, self.stop_after = [], fail_on, stop_after

    def run(self, system, request, *, progress=None):
        if self.stop_after is not None and len(self.asked) >= self.stop_after:
            raise KeyboardInterrupt
        self.asked.append(request.text)
        refuted = "sold" in request.text
        quote = Quote(
            text="The port sold | <i>three</i> cranes.",
            start=0,
            end=36,
            relation=Relation.REFUTES if refuted else Relation.SUPPORTS,
            score=0.9,
            content_hash="0" * 64,
            link="https://news.example/a#:~:text=The",
        )
        reference = Reference(
            number=1,
            article_id="a1",
            revision=1,
            url="javascript:alert(1)" if refuted else "https://news.example/a",
            headline="Port <script>alert(1)</script> sells cranes",
            published_at=None,
            source="news.example",
            origin_id="a1",
            quotes=(quote,),
        )
        return Result(
            system="verify",
            request=request,
            kind=QueryKind.STATEMENT,
            status=Status.OK,
            verdict=Verdict.REFUTED if refuted else Verdict.VERIFIED,
            answer="The port sold three cranes. Doc[1]",
            confidence=Confidence(value=0.9, method="test"),
            references=(reference,),
            timings={"read": 1.0, "total": 1.0},
            run_id=f"{len(self.asked):032x}",
        )
