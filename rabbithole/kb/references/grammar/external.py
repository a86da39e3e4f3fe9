"""Web addresses and identifiers: URL, DOI, arXiv."""

from __future__ import annotations

import re

from .form import WS, Form, FormMatch, Scan

_URL = re.compile(r"(?:https?://|www\.)[^\s<>\"'„“”»«\x00-\x1f\x7f{}|\\^`]{3,2000}")
_DOI = re.compile(rf"(?:doi:{WS}|DOI:?{WS}|https?://(?:dx\.)?doi\.org/)?(10\.\d{{4,9}}/[^\s<>\"]{{1,200}})")
_ARXIV = re.compile(r"ar[Xx]iv:\s?(\d{4}\.\d{4,5}(?:v\d{1,2})?|[a-z-]{2,12}(?:\.[A-Z]{2})?/\d{7}(?:v\d{1,2})?)")
_GOES_ON = re.compile(r"[ \n]{1,2}[a-z]{2,6}/")
"""The rest of an address that was broken at a full stop."""
_CLOSERS = {")": "(", "]": "[", "}": "{"}


def trim(address: str) -> str:
    """Return the address without punctuation and brackets that belong to the sentence."""
    while address:
        last = address[-1]
        if last in ".,;:!?'\"*" or (last in _CLOSERS and address.count(last) > address.count(_CLOSERS[last])):
            address = address[:-1]
        else:
            break
    return address


def _is_cut(text: str, end: int, address: str) -> bool:
    """Return whether only the beginning of an address is here: "https://www", "https://www.debian. org/doc"."""
    host = address.partition("://")[2] or address
    named = "." in host.removeprefix("www.").partition("/")[0] or "/" in host
    return not named or (text[end - 1] == "." and _GOES_ON.match(text, end) is not None)


def parse_url(scan: Scan, at: int) -> list[FormMatch]:
    """Read a web address without the sentence's punctuation; the address of a DOI becomes the DOI."""
    match = _URL.match(scan.text, at)
    address = trim(match[0]) if match else ""
    if not match or len(address) < 8 or _is_cut(scan.text, match.end(), address):
        return []
    doi = _DOI.match(address)
    target = f"doi:{trim(doi[1])}" if doi else address
    return [FormMatch(at, at + len(address), "external", target)]


def parse_doi(scan: Scan, at: int) -> list[FormMatch]:
    """Read "doi:10.1000/182", "10.1000/182"."""
    match = _DOI.match(scan.text, at)
    if not match:
        return []
    doi = trim(match[1])
    if doi.endswith("/"):
        return []
    return [FormMatch(at, match.start(1) + len(doi), "external", f"doi:{doi}")]


def parse_arxiv(scan: Scan, at: int) -> list[FormMatch]:
    """Read "arXiv:2106.01345v2"."""
    match = _ARXIV.match(scan.text, at)
    return [FormMatch(at, match.end(), "external", f"arXiv:{match[1]}")] if match else []


FORMS = (
    Form("URL", ("http://", "https://", "www."), parse_url),
    Form("DOI", ("doi:", "DOI:", "DOI ", "10."), parse_doi),
    Form("arXiv", ("arXiv:", "arxiv:"), parse_arxiv),
)
