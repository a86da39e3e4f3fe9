from hypothesis import given
from hypothesis import strategies as st

from rabbithole.kb.ingest.document.chunks import make_chunks, split_section
from rabbithole.kb.models import Section

TEXTS = st.text("abc. \nÄ(1)", max_size=4000)


def test_a_section_that_fits_stays_whole() -> None:
    text = "§ 27 Titel\n" + "(1) Ein Satz. " * 100
    assert split_section(text, 0, len(text), 1200, 150) == [(0, len(text.rstrip()))]


def test_pieces_begin_at_paragraphs() -> None:
    text = "\n".join(f"({n}) " + "Ein Satz mit Worten. " * 20 for n in range(1, 9))
    spans = split_section(text, 0, len(text), 1200, 0)
    assert len(spans) > 2
    assert all(text[start] == "(" for start, _ in spans)
    assert all(end - start <= 2000 for start, end in spans)


@given(TEXTS, st.integers(200, 1500), st.integers(0, 200))
def test_every_character_is_in_a_chunk(text: str, target: int, overlap: int) -> None:
    spans = split_section(text, 0, len(text), target, overlap)
    covered = set()
    for start, end in spans:
        assert start < end
        assert end - start <= 2 * target + overlap
        covered.update(range(start, end))
    assert all(text[place].isspace() for place in range(len(text)) if place not in covered)


def section(index: int, number: str, heading: str, start: int, own_end: int, end: int) -> Section:
    return Section(
        id=f"d:s{index}", document="d", index=index, parent="d:s0" if index else None, level=min(index, 1),
        number=number, heading=heading, start=start, own_end=own_end, end=end, page=0, last_page=0,
    )  # fmt: skip


def test_a_heading_that_only_introduces_sections_is_no_chunk() -> None:
    text = "3. Design\n3.1 Fans\nTwo fans should be installed.\n3.2 Filters\n"
    first, second = text.index("3.1"), text.index("3.2")
    sections = [
        section(0, "3", "Design", 0, first, len(text)),
        section(1, "3.1", "Fans", first, second, second),
        section(2, "3.2", "Filters", second, len(text), len(text)),
    ]
    chunks = make_chunks(text, "d", sections, [0], ["1"], 1200, 150)
    assert [chunk.text for chunk in chunks] == ["3.1 Fans\nTwo fans should be installed.", "3.2 Filters"]
    assert chunks[0].section_path == ("3 Design", "3.1 Fans")
    said = [one.model_copy(update={"own_end": first + 5}) if one.index == 0 else one for one in sections]
    assert make_chunks(text, "d", said, [0], ["1"], 1200, 150)[0].section == "d:s0"
