"""The sentences beside the quotations: one for each thing that stands in the way of an answer, before or after it."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from rabbithole.steps.phrases import counted, listed, phrase, phrases
from rabbithole.steps.question import AbsentWord, NamedPlace, Understood


def said_first(
    understood: Understood,
    absent: Sequence[str] = (),
    quoted: Collection[str] = (),
    referred_to: Sequence[str] = (),
    *,
    nothing: bool = False,
    answered: bool = False,
) -> tuple[str, ...]:
    """Return the sentences before any quotation, in the person's language.

    ``absent`` are the names that no document has, ``quoted`` the languages of what is quoted, ``referred_to``
    documents not held that the closest passages refer to. ``nothing``: no passage is shown, as hardly a word of the
    question stands in the documents. ``answered``: it is answered in other words, and ``said_last`` names the absent
    ones.
    """
    language = understood.language
    if understood.strange is not None and (nothing or not understood.matter):
        key = "response.one_word" if understood.strange.only else "response.no_word"
        return (phrase(language, key, word=understood.strange.only),)
    if not understood.matter:
        return (phrase(language, "response.no_matter"),)
    said = [phrase(language, "response.read_as", word=one.written, read=one.read) for one in understood.corrections]
    said += () if answered else said_last(understood, absent)
    said += [_lacking(place, language) for place in understood.lacking]
    said += [
        phrase(language, "response.ambiguous", place=place.text, names="; ".join(place.nearest) or place.name)
        for place in understood.places
        if place.status == "ambiguous" and place.nearest
    ]
    lacking = " ".join(place.text for place in understood.lacking)
    said += [phrase(language, "response.absent", names=name) for name in absent if name not in lacking]
    known = {place.name for place in understood.lacking}
    if names := [one for one in referred_to if not any(one == name or one.endswith(f"({name})") for name in known)]:
        said.append(counted(language, "response.referred_to", len(names), names="; ".join(names)))
    if understood.foreign and language not in quoted:
        named, own = _language(understood.foreign, language), _language(language, language)
        said.append(phrase(language, "response.foreign", documents=named, question=own))
    elif quoted and language not in quoted:
        named = ", ".join(_language(one, language) for one in sorted(quoted))
        said.append(phrase(language, "response.original", documents=named))
    if understood.long:
        said.append(phrase(language, "response.long", count=len(understood.query), parts=len(understood.parts)))
    return tuple(dict.fromkeys(said))


def said_last(understood: Understood, absent: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the sentences on words of the question that no document has, besides those in the names ``absent``."""
    words = [one for one in understood.absent if not any(one.word in name for name in absent)]
    return tuple(_absent_words(words, understood.language))


def _absent_words(absent: Sequence[AbsentWord], language: str) -> list[str]:
    """Return a sentence for the words that were searched by synonyms, each, and one for all others."""

    def quoted(words: Sequence[str]) -> str:
        return listed(language, [phrase(language, "response.word", word=word) for word in words])

    said = [
        phrase(language, "response.synonyms", word=one.word, synonyms=quoted(one.synonyms))
        for one in absent
        if one.synonyms
    ]
    if rest := [one.word for one in absent if not one.synonyms]:
        said.append(counted(language, "response.absent_words", len(rest), words=quoted(rest)))
    return said


def _language(code: str, language: str) -> str:
    return phrases(language).get(f"response.language.{code}", code)


def _lacking(place: NamedPlace, language: str) -> str:
    nearest = "; ".join(place.nearest)
    if place.status == "no_section":
        document = place.name.removesuffix(place.asked).strip(" ,")
        if not document:
            return phrase(language, "response.no_place", place=place.asked)
        key = "response.no_section_near" if nearest else "response.no_section"
        return phrase(language, key, document=document, place=place.asked, nearest=nearest)
    key = "response.not_held_near" if nearest else "response.not_held"
    return phrase(language, key, name=place.name, nearest=nearest)
