"""Documents as text: what is read, and what hostile or damaged files come to."""

import io
import zipfile

import pytest

from core.errors import InputError
from service.documents import read_document


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.txt", "Zwölf Fähren fuhren.".encode()),
        ("a.md", b"\xef\xbb\xbf" + "Zwölf Fähren fuhren.".encode()),
        ("b.txt", "Zwölf Fähren fuhren.".encode("utf-16")),
        ("c", "Zwölf Fähren fuhren.".encode("cp1252")),
    ],
)
def test_plain_text_is_read_in_the_encodings_that_people_use(tmp_path, name, data):
    path = tmp_path / name
    path.write_bytes(data)
    assert read_document(path).text == "Zwölf Fähren fuhren."


def test_html_gives_its_running_text_and_runs_nothing(tmp_path):
    path = tmp_path / "page.html"
    body = "<p>The ferry carried 312 people and sank off Samsund in the night of 21 July.</p>" * 3
    path.write_text(f"<html><body><script>alert(1)</script><article>{body}</article></body></html>")
    text = read_document(path).text
    assert "The ferry carried 312 people" in text
    assert "alert" not in text


def test_word_files_give_paragraphs_and_cells(tmp_path):
    docx = pytest.importorskip("docx")
    document = docx.Document()
    document.add_paragraph("The ferry carried 312 people.")
    document.add_table(rows=1, cols=1).cell(0, 0).text = "Nobody was hurt."
    path = tmp_path / "speech.docx"
    document.save(str(path))
    assert read_document(path).text == "The ferry carried 312 people.\n\nNobody was hurt."


def test_pdf_files_give_their_text(tmp_path):
    pytest.importorskip("pypdf")
    path = tmp_path / "speech.pdf"
    path.write_bytes(_pdf("The ferry carried 312 people."))
    assert "The ferry carried 312 people." in read_document(path).text


def _pdf(text):
    stream = f"BT /F1 12 Tf 72 700 Td ({text}) Tj ET".encode()
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    out, places = b"%PDF-1.4\n", []
    for number, one in enumerate(objects, start=1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, one)
    rows = b"".join(b"%010d 00000 n \n" % place for place in places)
    return (
        out
        + b"xref\n0 6\n0000000000 65535 f \n"
        + rows
        + b"trailer << /Size 6 /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF" % len(out)
    )


def test_a_bomb_in_a_word_file_is_refused(tmp_path):
    pytest.importorskip("docx")
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", b" " * 60_000_000)
    path = tmp_path / "bomb.docx"
    path.write_bytes(packed.getvalue())
    with pytest.raises(InputError, match="unpacks to more"):
        read_document(path)


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("a.pdf", b"%PDF-1.7 broken", "cannot be read"),
        ("a.docx", b"PK nothing", "cannot be read"),
        ("a.txt", b"\x00\x01\x02binary", "not text"),
        ("a.exe", b"MZ", "txt, md, html, pdf, docx"),
        ("a.txt", b"12 !? 34", "no text"),
    ],
)
def test_what_cannot_be_read_says_so_with_the_way_out(tmp_path, name, data, words):
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(InputError, match=words) as caught:
        read_document(path)
    assert caught.value.field == "file"
    assert caught.value.hint


def test_a_missing_file_and_a_folder_are_named(tmp_path):
    for path in (tmp_path / "none.txt", tmp_path):
        with pytest.raises(InputError, match=r"none\.txt|folder"):
            read_document(path)


def test_direction_marks_are_told(tmp_path):
    path = tmp_path / "turned.txt"
    path.write_text("The ferry carried \u202e213\u202c people.")
    assert [notice.code for notice in read_document(path).warnings] == ["direction_marks"]
