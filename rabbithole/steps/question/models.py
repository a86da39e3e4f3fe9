"""Models of what is known about a question before the search."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from rabbithole.kb.models import Model

NamedStatus = Literal["held", "no_section", "not_held", "ambiguous"]


class NamedPlace(Model):
    """A document or section that the question names. Offsets and ids are set if the collection holds it."""

    text: str = Field(description="as the question writes it")
    name: str = Field(description="proper name of the document")
    status: NamedStatus
    document: str | None = None
    section: str | None = None
    start: int | None = None
    end: int | None = None
    asked: str = Field(default="", description="the section asked for: '§ 43', 'section 5.1'")
    nearest: tuple[str, ...] = Field(default=(), description="names of the nearest places that are held")
    note: str = Field(default="", description="the note of the resolution")

    @property
    def opens(self) -> bool:
        """Whether the place is a section that the collection holds; it is then read and quoted first."""
        return self.status == "held" and self.section is not None


class SpellingCorrection(Model):
    """A word of the question that stands in no document, and the word read instead."""

    written: str
    read: str


class AbsentWord(Model):
    """A word of the question that stands in no document, and the synonyms of it that were searched as well."""

    word: str
    synonyms: tuple[str, ...] = ()


class Strange(Model):
    """A question none of whose content words stands in the documents, or only one common word, ``only``."""

    words: int = Field(description="number of its content words")
    only: str = ""


class Understood(Model):
    """An analysed question. ``parts`` are the questions in it, in order; ``documents`` the ids of those it names."""

    query: str = Field(description="as it was read: with the words of ``corrections``")
    corrections: tuple[SpellingCorrection, ...] = ()
    language: Literal["de", "en"]
    parts: tuple[str, ...]
    places: tuple[NamedPlace, ...] = ()
    documents: tuple[str, ...] = Field(default=(), description="ids of documents named by a designation of their own")
    preferred: tuple[str, ...] = Field(
        default=(), description="ids of documents whose titles hold names of the question"
    )
    names: tuple[str, ...] = Field(default=(), description="stems of these names, which are no subject words")
    titled: tuple[str, ...] = Field(
        default=(),
        description="ids of documents whose titles hold ordinary nouns of the question, if none is preferred",
    )
    matter: bool = Field(default=True, description="False: the question asks for nothing that can be looked up")
    strange: Strange | None = Field(default=None, description="set if hardly a word of it stands in the documents")
    absent: tuple[AbsentWord, ...] = Field(
        default=(), description="its nouns that stand in no document, if they matter"
    )
    long: bool = Field(default=False, description="so long that only the sentences that ask count as the question")
    foreign: str = Field(
        default="", description="language of the documents if none of them is in the question's language"
    )

    leading: tuple[str, ...] = Field(
        default=(), description="ids of the documents the question before was answered from: searched first"
    )
    said: tuple[str, ...] = Field(default=(), description="what the person added when asked")

    def within(self, documents: tuple[str, ...]) -> Understood:
        """Return the question restricted to these documents (ids); places in others are dropped. () changes nothing."""
        if not documents:
            return self
        places = tuple(one for one in self.places if one.document is None or one.document in documents)
        named = tuple(one for one in self.documents if one in documents)
        preferred = tuple(one for one in self.preferred if one in documents)
        names = self.names if preferred else ()
        scope = {
            "places": places,
            "documents": named or documents,
            "preferred": preferred,
            "names": names,
            "titled": (),
        }
        return self.model_copy(update=scope)

    @property
    def absent_words(self) -> tuple[str, ...]:
        """The words of ``absent``."""
        return tuple(one.word for one in self.absent)

    @property
    def opened(self) -> tuple[NamedPlace, ...]:
        """The sections named that the collection holds."""
        return tuple(place for place in self.places if place.opens)

    @property
    def lacking(self) -> tuple[NamedPlace, ...]:
        """The places named that the collection does not hold."""
        return tuple(place for place in self.places if place.status in ("not_held", "no_section"))
