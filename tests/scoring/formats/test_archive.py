"""Archives: every hostile or careless one is refused with its reason, and memory stays flat."""

from __future__ import annotations

import gzip
import io
import stat
import struct
import tracemalloc
import warnings
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.formats import read_upload
from scoring.formats.archive import Contents, Limits, is_archive, members, the_file

TEXTS = (".json", ".jsonl", ".csv", ".tsv")


def zipped(
    files: Mapping[str, bytes] | list[tuple[str, bytes]], method: int = zipfile.ZIP_DEFLATED
) -> bytes:
    pairs = files.items() if isinstance(files, Mapping) else files
    buffer = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with zipfile.ZipFile(buffer, "w", method) as archive:
            for name, data in pairs:
                archive.writestr(zipfile.ZipInfo(name), data, compress_type=method)
    return buffer.getvalue()


def codes(contents: Contents) -> set[str]:
    assert not contents.files or not contents.problems
    return {problem.code for problem in contents.problems}


def test_files_come_in_their_order_with_folders() -> None:
    contents = members(zipped({"b/two.csv": b"2", "a/one.csv": b"1", "a/": b""}))
    assert contents.files == (("b/two.csv", b"2"), ("a/one.csv", b"1"))
    assert not contents.problems


class TestUp12:
    """UP-12: layout of archives."""

    def test_what_a_mac_adds_is_not_a_candidate(self) -> None:
        data = zipped(
            {
                "run1/preds.jsonl": b"{}",
                "__MACOSX/run1/._preds.jsonl": b"\x00\x05\x16\x07",
                ".DS_Store": b"\x00\x00\x00\x01Bud1",
                "run1/._other.json": b"\x00",
                "Thumbs.db": b"\xd0\xcf",
            }
        )
        assert the_file(data, "x.zip", TEXTS).files == (("run1/preds.jsonl", b"{}"),)

    def test_two_candidates_are_both_named(self) -> None:
        (problem,) = the_file(
            zipped({"a/preds.jsonl": b"", "b/preds.jsonl": b""}), "x.zip", TEXTS
        ).problems
        assert problem.code == "archive-ambiguous"
        assert '"a/preds.jsonl", "b/preds.jsonl"' in str(problem)

    def test_two_entries_of_one_name(self) -> None:
        contents = members(zipped([("preds.json", b"1"), ("preds.json", b"2")]))
        assert codes(contents) == {"archive-duplicate"}
        assert "preds.json" in str(contents.problems[0])

    @pytest.mark.parametrize("name", ["inner.zip", "inner.bin", "inner.tar.gz"])
    def test_an_archive_in_an_archive(self, name: str) -> None:
        inner = zipped({"preds.json": b"{}"})
        assert codes(members(zipped({name: inner}))) == {"archive-nested"}

    def test_nothing_usable_says_what_is_there(self) -> None:
        (problem,) = the_file(zipped({"readme.txt": b"hi"}), "x.zip", TEXTS).problems
        assert problem.code == "archive-empty"
        assert '"readme.txt"' in str(problem)

    def test_a_readme_beside_the_file_does_no_harm(self) -> None:
        data = zipped({"readme.txt": b"hi", "preds.JSONL": b"{}"})
        assert the_file(data, "x.zip", TEXTS).files == (("preds.JSONL", b"{}"),)


def bomb(size: int = 200_000_000) -> bytes:
    buffer = io.BytesIO()
    with (
        zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("preds.json", "w") as entry,
    ):
        for _ in range(size // 1_000_000):
            entry.write(b" " * 1_000_000)
        entry.write(b"[]")
    return buffer.getvalue()


@pytest.fixture(scope="module")
def spaces() -> bytes:
    return bomb()


def patched(data: bytes, size: int) -> bytes:
    """Both headers claim that the first entry unpacks to `size` bytes."""
    raw = bytearray(data)
    raw[22:26] = struct.pack("<I", size)
    central = raw.index(b"PK\x01\x02")
    raw[central + 24 : central + 28] = struct.pack("<I", size)
    return bytes(raw)


def peak(data: bytes) -> tuple[Contents, int]:
    tracemalloc.start()
    try:
        contents = members(data)
        return contents, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


class TestUp13:
    """UP-13: archives that would fill the machine."""

    def test_bytes_are_counted_while_they_stream(self, spaces: bytes) -> None:
        assert len(spaces) < 1_000_000
        contents, memory = peak(spaces)
        assert codes(contents) == {"archive-too-large"}
        assert memory < 60_000_000

    @pytest.mark.parametrize("claimed", [100, 0, 2**32 - 2])
    def test_the_size_in_the_header_decides_nothing(self, spaces: bytes, claimed: int) -> None:
        contents, memory = peak(patched(spaces, claimed))
        assert codes(contents) <= {"archive-too-large", "archive-damaged"}
        assert contents.problems
        assert memory < 60_000_000

    def test_the_limit_is_on_all_files_together(self) -> None:
        data = zipped({f"{i}.csv": b"x" * 400 for i in range(3)})
        assert len(members(data, limits=Limits(size=1200)).files) == 3
        assert codes(members(data, limits=Limits(size=1199))) == {"archive-too-large"}

    def test_many_entries_are_refused_before_they_are_listed(self) -> None:
        data = zipped([(f"{i:06}", b"") for i in range(100_001)], zipfile.ZIP_STORED)
        contents, memory = peak(data)
        assert codes(contents) == {"archive-too-many"}
        assert memory < 1_000_000

    def test_encrypted(self) -> None:
        raw = bytearray(zipped({"preds.jsonl": b"{}"}))
        raw[6] |= 1
        raw[raw.index(b"PK\x01\x02") + 8] |= 1
        contents = members(bytes(raw))
        assert codes(contents) == {"archive-encrypted"}
        assert "encrypted" in str(contents.problems[0])

    @pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
    def test_methods_without_a_bound_are_refused(self, method: int) -> None:
        data = zipped({"preds.json": b" " * 30_000_000}, method)
        contents, memory = peak(data)
        assert codes(contents) == {"archive-method"}
        assert memory < 1_000_000

    def test_gzip(self) -> None:
        contents, memory = peak(gzip.compress(b" " * 200_000_000, 1))
        assert codes(contents) == {"archive-too-large"}
        assert memory < 60_000_000


class TestUp14:
    """UP-14: names that lead elsewhere."""

    @pytest.mark.parametrize(
        "name", ["../../evil.json", "/etc/x.json", "..\\..\\evil.json", "C:\\x.json", "a/../b.json"]
    )
    def test_the_whole_archive_is_refused(
        self, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        contents = members(zipped({"preds.jsonl": b"{}", name: b"{}"}))
        assert codes(contents) == {"archive-unsafe-name"}
        assert not list(tmp_path.iterdir())

    def test_a_link_and_what_lies_behind_it(self) -> None:
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w") as archive:
            link = zipfile.ZipInfo("d")
            link.external_attr = (stat.S_IFLNK | 0o777) << 16
            archive.writestr(link, "/etc")
            archive.writestr("d/x", "x")
            archive.writestr("preds.jsonl", "{}")
        assert codes(members(buffer.getvalue())) == {"archive-link"}

    def test_names_are_shown_without_hidden_characters(self) -> None:
        name = "../\x1b[31m\u202eevil" + "x" * 500 + ".json"
        (problem,) = members(zipped({name: b""})).problems
        assert problem.message.isprintable()
        assert len(problem.message) < 200

    def test_dots_in_names_are_no_fault(self) -> None:
        assert members(zipped({"a..b/..c.json": b"1"})).files == (("a..b/..c.json", b"1"),)


class TestDescriptions:
    """`read_upload` takes an archive of one file of descriptions."""

    ROW = b'{"clip_id": "c1", "caption": "a dog"}\n'

    @pytest.mark.parametrize("name", ["run/preds.jsonl", "preds.JSON", "a b/preds.ndjson"])
    def test_zip_with_folders_and_other_files(self, name: str) -> None:
        data = zipped({"__MACOSX/run/._preds.jsonl": b"\x00", name: self.ROW, "log.txt": b"done"})
        upload = read_upload(data, "out.zip")
        assert (upload.format, upload.problems) == ("jsonl", ())
        assert upload.descriptions == {"c1": "a dog"}
        assert upload.positions == {"c1": "line 1"}

    def test_gzip(self) -> None:
        upload = read_upload(gzip.compress(b"clip_id,caption\nc1,a dog\n"), "preds.csv.gz")
        assert (upload.format, upload.descriptions) == ("csv", {"c1": "a dog"})

    def test_the_content_counts_where_the_name_is_wrong(self) -> None:
        assert read_upload(zipped({"preds.json": self.ROW}), "preds.json").ok

    def test_what_is_refused_yields_nothing(self) -> None:
        for data, code in [
            (zipped({"a.json": b"{}", "b.json": b"{}"}), "archive-ambiguous"),
            (zipped({"[Content_Types].xml": b"", "xl/workbook.xml": b""}), "wrong-type"),
            (zipped({"preds.txt": self.ROW}), "archive-empty"),
            (zipped({"preds.jsonl": b"x" * 2000}), "archive-too-large"),
        ]:
            upload = read_upload(data, "x.zip", max_bytes=1000)
            assert [problem.code for problem in upload.problems] == [code]
            assert not upload.descriptions


def test_all_faults_are_told_at_once() -> None:
    data = zipped([("../a.json", b""), ("b.json", b""), ("b.json", b""), ("c.zip", b"")])
    assert codes(members(data)) == {"archive-unsafe-name", "archive-duplicate"}


def test_gzip_takes_the_inner_name() -> None:
    assert members(gzip.compress(b"{}"), "in/preds.jsonl.gz").files == (("preds.jsonl", b"{}"),)
    assert codes(members(gzip.compress(zipped({"a": b""})), "x.gz")) == {"archive-nested"}


@pytest.mark.parametrize(
    "data", [b"", b"PK\x03\x04", b"{}", b"\x1f\x8b", gzip.compress(b"abc" * 99, mtime=0)[:-9]]
)
def test_damage_is_a_problem_never_an_exception(data: bytes) -> None:
    assert codes(members(data, "x.zip")) == {"archive-damaged"}


def test_a_wrong_checksum_is_damage() -> None:
    raw = zipped({"preds.json": b"hello hello"}, zipfile.ZIP_STORED).replace(
        b"hello hello", b"hello hellO"
    )
    assert codes(members(raw)) == {"archive-damaged"}


def test_archives_are_known_by_name_or_content() -> None:
    assert is_archive(b"", "x.ZIP")
    assert is_archive(b"", "x.csv.gz")
    assert is_archive(zipped({}), "x.json")
    assert not is_archive(b"{}", "x.json")


@given(st.data())
def test_any_bytes_give_files_or_problems(data: st.DataObject) -> None:
    raw = bytearray(zipped({"a.json": b"x" * 50, "b/c.csv": b"y"}))
    for at in data.draw(st.lists(st.integers(0, len(raw) - 1), max_size=6)):
        raw[at] = data.draw(st.integers(0, 255))
    contents = members(bytes(raw[: data.draw(st.integers(0, len(raw)))]))
    assert contents.problems or len(contents.files) <= 2
