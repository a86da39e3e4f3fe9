from hypothesis import given
from hypothesis import strategies as st
from rabbithole.kb.ingest.chunks import split_section

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
