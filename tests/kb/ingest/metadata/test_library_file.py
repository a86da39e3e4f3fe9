"""Literature of a reference manager as metadata of files, and works written for one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import rispy
from pdfs import write_pdf
from pybtex.database import parse_string

from rabbithole.kb import KbSettings, KnowledgeBase
from rabbithole.kb.errors import UsageError
from rabbithole.kb.ingest.metadata.library_file import LibraryFile, read_library
from rabbithole.kb.references.graph.missing import CitedBy, Missing
from rabbithole.kb.references.graph.missing_export import write_missing
from rabbithole.kb.works_export import Work, to_bibtex, to_csl, to_ris

BIBTEX = r"""@string{pub = "Sample Press"}
@article{doe20, author = {Doe, Jane and M{\"u}ller, R.}, title = {The {S}ample {\"u}ber alles}, year = 2020,
  journal = {J. Samples}, publisher = pub, doi = {10.1/x}, file = {Full Text PDF:files/12/paper.pdf:application/pdf}}
@book{roe, editor = {Roe, Richard}, title = {Measuring the unmeasurable}, date = {2019-05-01}}
"""
CSL = [
    {"id": "doe20", "type": "article-journal", "title": "The Sample", "issued": {"date-parts": [[2020, 5]]},
     "author": [{"family": "Doe", "given": "Jane"}, {"literal": "WHO"}], "DOI": "10.1/x", "container-title": "J"},
]  # fmt: skip
RIS = "TY  - JOUR\nTI  - The Sample\nAU  - Doe, Jane\nPY  - 2020\nDO  - 10.1/x\nL1  - files/paper.pdf\nER  - \n"
SETTINGS = KbSettings(embedding_model="hash", parse_workers=1)


def library(folder: Path, name: str, content: str) -> LibraryFile:
    (folder / name).write_text(content, encoding="utf-8")
    return read_library(folder / name)


def test_bibtex(tmp_path: Path) -> None:
    doe, roe = library(tmp_path, "a.bib", BIBTEX).entries
    assert (doe.title, doe.authors, doe.year) == ("The Sample über alles", ("Doe, Jane", "Müller, R."), 2020)
    assert doe.files == ("files/12/paper.pdf",)
    assert doe.values == {"journal": "J. Samples", "publisher": "Sample Press", "doi": "10.1/x"}
    assert (roe.authors, roe.year, roe.kind) == (("Roe, Richard",), 2019, "book")


def test_csl_and_ris(tmp_path: Path) -> None:
    (csl,) = library(tmp_path, "a.json", json.dumps(CSL)).entries
    assert (csl.title, csl.authors, csl.year) == ("The Sample", ("Doe, Jane", "WHO"), 2020)
    assert csl.values == {"doi": "10.1/x", "journal": "J"}
    (ris,) = library(tmp_path, "a.ris", RIS).entries
    assert (ris.title, ris.authors, ris.year, ris.files) == ("The Sample", ("Doe, Jane",), 2020, ("files/paper.pdf",))


@pytest.mark.parametrize(
    ("path", "key"),
    [
        ("/x/12/paper.pdf", "doe20"),
        ("/x/PAPER.PDF", "doe20"),
        ("/x/doe20.pdf", "doe20"),
        ("/x/Measuring_the_unmeasurable.docx", "roe"),
        ("/x/other.pdf", None),
    ],
)
def test_a_file_is_found_by_path_key_or_title(path: str, key: str | None, tmp_path: Path) -> None:
    found = library(tmp_path, "a.bib", BIBTEX).of(Path(path))
    assert (found.key if found else None) == key


def test_nothing_is_guessed_between_two(tmp_path: Path) -> None:
    rows = "".join(f"@misc{{k{n}, title={{T}}, file={{a:files/{n}/paper.pdf:p}}}}\n" for n in (1, 2))
    found = library(tmp_path, "a.bib", rows)
    assert found.of(Path("/zotero/paper.pdf")) is None
    assert (entry := found.of(Path("/zotero/2/paper.pdf"))) is not None
    assert entry.key == "k2"


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.bib", "@article{x, title = {open", "cannot be read"),
        ("a.bib", "", "no entries"),
        ("a.json", "{", "cannot be read"),
        ("a.json", '[1, "x"]', "cannot be read"),
        ("a.json", "[" * 5000, "cannot be read"),
        ("a.txt", "x", "not a library file"),
    ],
)
def test_a_bad_library_is_named_in_one_sentence(name: str, content: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=said) as error:
        library(tmp_path, name, content)
    assert "\n" not in str(error.value)


@pytest.mark.slow
def test_a_library_is_remembered(tmp_path: Path) -> None:
    folder = tmp_path / "docs"
    write_pdf(folder / "paper.pdf", ["Some words of the paper."])
    write_pdf(folder / "other.pdf", ["Other words."])
    (tmp_path / "a.bib").write_text(BIBTEX, encoding="utf-8")
    with KnowledgeBase.open(tmp_path / "kb", SETTINGS, create=True) as base:
        report = base.ingest([folder], "P", library=tmp_path / "a.bib")
        assert [each.reason for each in report.warnings if each.file == "a.bib"] == [
            "1 of 2 entries match no file here: roe"
        ]
        document = next(each for each in base.documents() if each.file == "paper.pdf")
        assert (document.title, document.metadata["year"]) == ("The Sample über alles", 2020)
        assert document.metadata["authors"] == "Doe, Jane; Müller, R."
        assert base.ingest([folder], "P").unchanged == ("other.pdf", "paper.pdf")
        (tmp_path / "a.bib").unlink()
        with pytest.raises(UsageError, match="--bib none"):
            base.ingest([folder], "P")
        assert base.ingest([folder], "P", library=Path("none")).changed == ("paper.pdf",)


WORKS = [
    Work(key="a1", title="50 % of {all} & müde_words", kind="paper", authors=("Doe, Jane",), year=2020, doi="10.1/x"),
    Work(key="b2", title="Second", kind="law", note="cited there"),
]


def test_works_are_read_back_as_written() -> None:
    entries = parse_string(to_bibtex(WORKS), "bibtex").entries
    assert [entry.type for entry in entries.values()] == ["article", "misc"]
    assert entries["a1"].fields["year"] == "2020"
    assert rispy.loads(to_ris(WORKS))[0]["title"] == WORKS[0].title
    assert "\r\nAU  - Doe, Jane\r\n" in to_ris(WORKS)
    first, second = json.loads(to_csl(WORKS))
    assert (first["author"], first["issued"]) == ([{"family": "Doe", "given": "Jane"}], {"date-parts": [[2020]]})
    assert (second["type"], second["note"]) == ("legislation", "cited there")


@pytest.mark.parametrize("suffix", [".csv", ".bib", ".ris", ".csl"])
def test_missing_works_are_written_by_suffix(suffix: str, tmp_path: Path) -> None:
    by = (CitedBy(document="d", file="a.pdf", times=2, sections=("§ 1",)),)
    missing = [Missing(kind="document", name="KTA 1404 (2013)", times=2, cited_by=by)]
    target = tmp_path / f"missing{suffix}"
    assert write_missing(missing, target) == 1
    assert "KTA 1404" in target.read_text(encoding="utf-8")
    with pytest.raises(UsageError, match="choose one"):
        write_missing(missing, tmp_path / "missing.doc")
