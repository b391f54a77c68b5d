"""An explanation as people read it: headings, sentences, and links to what they name."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class GoTo:
    """Something that an explanation can take people to; one of the fields says what.

    Attributes
    ----------
    text : what the link says
    task : index of a task, or -1
    job : name of a job, or empty
    seconds : an instant, or None
    """

    text: str
    task: int = -1
    job: str = ""
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Sentences under a heading, and where they lead."""

    heading: str
    sentences: tuple[str, ...]
    links: tuple[GoTo, ...] = ()

    def to_text(self) -> str:
        """Return heading and sentences, one per line."""
        return "\n".join([self.heading, *self.sentences])


@dataclass(frozen=True, slots=True)
class Explanation:
    """A whole explanation.

    Attributes
    ----------
    title : what it is about
    job : index of the job that it is about, for its colour; -1 for none
    paragraphs : what there is to say
    """

    title: str
    job: int
    paragraphs: tuple[Paragraph, ...]

    def to_text(self) -> str:
        """Return everything without links."""
        return "\n\n".join([self.title, *(paragraph.to_text() for paragraph in self.paragraphs)])
