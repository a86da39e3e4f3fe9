"""Nouns of a question that are never its matter: they ask for a figure, belong to a date, or stand for anyone. Pure."""

from __future__ import annotations

import re

from rabbithole.kb.notation.months import MONTH

_ASKING = re.compile(
    r"(?:(?:An)?[Tt]eil|[Bb]etrag|[Bb]eträge|[Zz]eit(?:punkt|raum|räume|dauer)?|[Dd]auer|[Pp]unkt|[Hh]öhe|[Mm]enge|"
    r"(?:An)?[Zz]ahl|[Aa]rt|[Ww]eise|[Ff]all|[Ff]älle|[Gg]rund|[Gg]ründe|[Ff]rage|[Uu]mstand|[Uu]mstände|[Mm]al|"
    r"[Ll]eut|[Mm]ensch|[Dd]ing|[Ss]ach|[Zz]eug)"
    r"(?:e|es|en|er|ern|s|n)?|"
    r"[Pp]arts?|[Aa]mounts?|[Tt]imes?|[Pp]oints?|[Nn]umbers?|[Ss]hares?|[Kk]inds?|[Ww]ays?|[Cc]ases?|[Rr]easons?|"
    r"[Pp]eople|[Ff]olks?|[Gg]uys?|[Tt]hings?|[Ss]tuff|"
    rf"(?i:{MONTH})s?|"
    r"[Ff]rühling|[Ff]rühjahr|[Ss]ommer|[Hh]erbst|[Ww]inter|[Ss]prings?|[Ss]ummers?|[Aa]utumns?|[Ww]inters?"
)


def only_asks(term: str) -> bool:
    """Return whether no word of a term can be what a question is about: 'Betrag', 'Punkte', 'Mai'.

    That a document lacks one says nothing: the answer states the figure instead.
    """
    return all(_ASKING.fullmatch(word) for word in term.split())
