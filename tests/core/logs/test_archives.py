"""Archives of logs: members are logs of their own, named by member; nothing is written where they say."""

from __future__ import annotations

import io
import tarfile
import zipfile
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

import pytest

from core.logs import archives, byte_source
from core.logs.open_log import open_trace
from core.model import input_budget
from core.model.errors import InputError, UnknownFormat
from tests.core.logs.packed import PACK
from tests.gzipped import gzip_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture
def logs(data: Path) -> dict[str, bytes]:
    return {f"night/{name}": (data / name).read_bytes() for name in ("rumen-2009.json", "rumen-2011.json")}


def tar_of(files: dict[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return stream.getvalue()


def zip_of(files: dict[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return stream.getvalue()


def _packed_tar(pack: Callable[[bytes], bytes], files: dict[str, bytes]) -> bytes:
    return pack(tar_of(files))


ARCHIVES: dict[str, Callable[[dict[str, bytes]], bytes]] = {"tar": tar_of, "zip": zip_of}
for name, pack in PACK.items():
    ARCHIVES[f"tar in {name}"] = partial(_packed_tar, pack)


def jobs(path: Path) -> list[str]:
    return [job.name for job in open_trace([path]).workload.jobs]


@pytest.mark.parametrize("archive", ARCHIVES.values(), ids=ARCHIVES)
def test_an_archive_is_read_as_its_unpacked_folder(tmp_path, logs, archive):
    folder = tmp_path / "night"
    folder.mkdir()
    for name, content in logs.items():
        (tmp_path / name).write_bytes(content)
    packed = tmp_path / "night.archive"
    packed.write_bytes(
        archive(logs | {"README": b"Dear reader", ".hidden": b"x", "night/inner.zip": zip_of({})})
    )
    imported = open_trace([packed])
    assert [job.name for job in imported.workload.jobs] == jobs(folder)
    assert imported.report.files == tuple(f"night.archive: {name}" for name in logs)
    assert ("night.archive: README", "text of an unknown kind") in imported.report.files_left_out
    assert imported.workload.name == "night.archive"


@pytest.mark.parametrize("pack", PACK.values(), ids=PACK)
def test_a_zip_that_is_packed_again_is_read_as_it_is(tmp_path, logs, pack):
    (tmp_path / "night.zip").write_bytes(zip_of(logs))
    (tmp_path / "night.zip.gz").write_bytes(pack(zip_of(logs)))
    (tmp_path / "twice.gz").write_bytes(pack(gzip_of(logs["night/rumen-2011.json"])))
    (tmp_path / "cut.zip.gz").write_bytes(pack(zip_of(logs))[:-400])
    assert jobs(tmp_path / "night.zip.gz") == jobs(tmp_path / "night.zip")
    assert jobs(tmp_path / "twice.gz") == jobs(tmp_path / "night.zip")[-2:]
    with pytest.raises(UnknownFormat, match="damaged"):
        jobs(tmp_path / "cut.zip.gz")


def test_a_packed_zip_has_a_budget(tmp_path, logs, monkeypatch):
    monkeypatch.setattr(archives, "MAX_SPOOLED_BYTES", 500)
    (tmp_path / "night.zip.gz").write_bytes(gzip_of(zip_of(logs)))
    with pytest.raises(UnknownFormat, match="unpack it and open its folder"):
        jobs(tmp_path / "night.zip.gz")


def test_archives_lie_beside_logs_in_a_folder(tmp_path, logs):
    (first, late), (_second, later) = logs.items()
    (tmp_path / "a.tgz").write_bytes(PACK["gzip"](tar_of({first: late})))
    (tmp_path / "b.json").write_bytes(later)
    (tmp_path / "job.jar").write_bytes(zip_of({"A.class": b"\xca\xfe\0"}))
    imported = open_trace([tmp_path])
    assert imported.report.files == (f"a.tgz: {first}", "b.json")
    assert imported.report.files_left_out == (("job.jar", "an archive without logs"),)


def test_a_member_is_never_written_to_its_own_path(tmp_path, logs):
    log = next(iter(logs.values()))
    inside = tmp_path / "deep" / "er"
    inside.mkdir(parents=True)
    for name in ("../../up.json", str(tmp_path / "absolute.json")):
        (inside / "bad.tar").write_bytes(tar_of({name: log}))
        assert len(jobs(inside / "bad.tar")) == 3
    assert sorted(path.name for path in tmp_path.rglob("*.json")) == []


def test_links_are_passed_over(tmp_path):
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        link = tarfile.TarInfo("passwords")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(link)
    (tmp_path / "links.tar").write_bytes(stream.getvalue())
    with pytest.raises(UnknownFormat, match="no file in the archive is a known log"):
        open_trace([tmp_path / "links.tar"])


@pytest.mark.parametrize("pack", PACK.values(), ids=PACK)
def test_a_cut_archive_gives_what_is_before_the_cut(tmp_path, logs, pack):
    noise = b"".join(b"%d" % (i * i) for i in range(60_000))
    packed = pack(tar_of(logs | {"night/z.noise": noise}))
    (tmp_path / "cut.tgz").write_bytes(packed[: len(packed) - len(packed) // 10])
    imported = open_trace([tmp_path / "cut.tgz"])
    assert len(imported.workload.jobs) == 5
    assert any("the archive is damaged" in problem.rule for problem in imported.report.damage)


def damage_of(path: Path) -> list[str]:
    return [problem.rule for problem in open_trace([path]).report.damage]


def test_only_so_many_members_are_read(tmp_path, logs, monkeypatch):
    (tmp_path / "many.zip").write_bytes(zip_of(logs))
    monkeypatch.setattr(archives, "MAX_FILES", 1)
    assert damage_of(tmp_path / "many.zip") == ["holds more than 1 files; the rest is left out"]


def test_a_locked_member_says_so_and_the_others_are_read(tmp_path, logs):
    locked = bytearray(zip_of(logs))
    for mark, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = locked.index(mark) + place
        locked[at] |= 1
    (tmp_path / "locked.zip").write_bytes(locked)
    (problem,) = open_trace([tmp_path / "locked.zip"]).report.damage
    assert problem.where == "locked.zip: night/rumen-2009.json"
    assert problem.rule.startswith("it is damaged or locked")


SWF_LINE = b"1 0 5 100 4 -1 -1 4 -1 -1 1 1 1 1 1 -1 -1 -1\n"


def test_bytes_that_unpack_to_too_many_are_left_out(tmp_path, monkeypatch):
    for module in (archives, byte_source):
        monkeypatch.setattr(module, "FREE_UNPACKED_LOG_BYTES", 1 << 20)
    bomb = SWF_LINE * 40_000
    (tmp_path / "bomb.zip").write_bytes(zip_of({"a.swf": bomb}))
    (tmp_path / "bomb.tgz").write_bytes(PACK["gzip"](tar_of({"a.swf": bomb})))
    (tmp_path / "bomb.swf.gz").write_bytes(PACK["gzip"](bomb))
    for name in ("bomb.zip", "bomb.tgz", "bomb.swf.gz"):
        rules = damage_of(tmp_path / name)
        assert any("it unpacks to more than 100 times its size" in rule for rule in rules), name


def test_members_have_one_budget(tmp_path, monkeypatch):
    """Each of them is small enough; thousands of them were read from a few bytes."""
    monkeypatch.setattr(input_budget, "FREE_UNPACKED_LOG_BYTES", 1 << 17)
    rule = "all that is imported has more than 100 times its size; if you trust it, unpack it first"
    for content in (SWF_LINE * 4000, b"noise 1\n" * 4500):
        packed = {f"{i}.gz": PACK["gzip"](content) for i in range(9)}
        (tmp_path / "many.zip").write_bytes(zip_of(packed))
        with pytest.raises(InputError, match=rule):
            open_trace([tmp_path / "many.zip"])


def test_lines_have_a_budget(tmp_path, monkeypatch):
    """A byte on the disk was some hundred lines, each of which takes its time."""
    (tmp_path / "a.swf.gz").write_bytes(PACK["gzip"](SWF_LINE + b";\n" * 20_000))
    assert damage_of(tmp_path / "a.swf.gz") == []
    monkeypatch.setattr(input_budget, "FREE_LINES", 1000)
    rule = "all that is imported has more than 2 lines for each byte of its size; if you trust it"
    with pytest.raises(InputError, match=rule):
        open_trace([tmp_path / "a.swf.gz"])


def test_what_can_be_read_again_is_not_written_to_disk(tmp_path, data, monkeypatch):
    logs = {"a.json": (data / "rumen-2009.json").read_bytes()}
    monkeypatch.setattr(archives, "MAX_SPOOLED_BYTES", 0)
    for name, archive in ARCHIVES.items():
        (tmp_path / "a").write_bytes(archive(logs))
        if name in ("zip", "tar"):
            assert damage_of(tmp_path / "a") == []
        else:
            assert "of logs; unpack it and open its folder" in damage_of(tmp_path / "a")[0]


def test_a_packed_tar_writes_only_its_logs(tmp_path, data, monkeypatch):
    logs = {"a.json": (data / "rumen-2009.json").read_bytes()}
    noise = {"noise": b"\1\2\3" * 200_000}
    (tmp_path / "a.tgz").write_bytes(PACK["gzip"](tar_of(noise | logs)))
    monkeypatch.setattr(archives, "MAX_SPOOLED_BYTES", sum(map(len, logs.values())))
    assert damage_of(tmp_path / "a.tgz") == []


def test_a_sparse_member_is_refused(tmp_path):
    sparse = tarfile.TarInfo("night.swf")
    sparse.pax_headers = {"GNU.sparse.map": "0,0", "GNU.sparse.size": str(8 * 2**40)}
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w", format=tarfile.PAX_FORMAT) as archive:
        archive.addfile(sparse)
    (tmp_path / "sparse.tar").write_bytes(stream.getvalue())
    with pytest.raises(UnknownFormat, match=r"night\.swf is a sparse file"):
        open_trace([tmp_path / "sparse.tar"])


@pytest.mark.parametrize("kind", [tarfile.GNUTYPE_LONGNAME, tarfile.XHDTYPE])
def test_a_name_that_fills_the_memory_is_refused(tmp_path, kind):
    head = tarfile.TarInfo("././@LongLink")
    head.type, head.size = kind, 400 * 2**20
    (tmp_path / "name.tar").write_bytes(head.tobuf() + bytes(20_000))
    with pytest.raises(UnknownFormat, match="a name of 419430400 bytes; 65536 are the most"):
        open_trace([tmp_path / "name.tar"])


def test_members_that_share_bytes_are_refused(tmp_path):
    packed = bytearray(zip_of({"a.swf": SWF_LINE * 1000, "b.swf": SWF_LINE * 1000}))
    first, second = (at for at in range(len(packed)) if packed[at : at + 4] == b"PK\1\2")
    packed[second + 42 : second + 46] = packed[first + 42 : first + 46]  # where a member begins
    (tmp_path / "twice.zip").write_bytes(packed)
    with pytest.raises(UnknownFormat, match="members overlap"):
        open_trace([tmp_path / "twice.zip"])


@pytest.mark.parametrize("method", [zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2, zipfile.ZIP_DEFLATED])
def test_a_damaged_zip_is_bad_input(tmp_path, method):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as archive:
        archive.writestr("a.swf", b"".join(b"%d 0 5 %d 4\n" % (i, i * i) for i in range(300)))
    whole = stream.getvalue()
    for at in range(0, len(whole), 7):
        (tmp_path / "a.zip").write_bytes(whole[:at] + bytes([whole[at] ^ 0x55]) + whole[at + 1 :])
        with suppress(InputError):
            assert open_trace([tmp_path / "a.zip"]).workload.jobs


def test_files_with_clocks_that_cannot_be_joined_are_refused(tmp_path, data):
    (tmp_path / "a.json").write_bytes((data / "rumen-2009.json").read_bytes())
    (tmp_path / "b.csv").write_text("job,kind,start,end\nJ1,map,0,5\n")
    said = "the times of b.csv count from 0, those of a.json from 1970"
    with pytest.raises(InputError, match=said):
        open_trace([tmp_path])


def test_logs_that_are_years_apart_are_told(tmp_path, data):
    (tmp_path / "a.json").write_bytes((data / "rumen-2009.json").read_bytes())
    (tmp_path / "b.csv").write_text("job,kind,start,end\nJ1,map,1700000000,1700000005\n")
    (problem,) = open_trace([tmp_path]).report.damage
    assert problem.where == "b.csv"
    assert "after the last one of a.json, and nothing runs between" in problem.rule


@pytest.mark.parametrize("outer", ARCHIVES.values(), ids=ARCHIVES)
@pytest.mark.parametrize("inner", ARCHIVES.values(), ids=ARCHIVES)
def test_an_archive_in_an_archive_is_read_as_its_unpacked_folder(tmp_path, logs, outer, inner):
    (tmp_path / "flat.zip").write_bytes(zip_of(logs))
    two = {"mon.bin": inner({"a/1": logs["night/rumen-2009.json"]}), "b/2": logs["night/rumen-2011.json"]}
    (tmp_path / "all").write_bytes(outer(two))
    found = open_trace([tmp_path / "all"])
    assert [job.name for job in found.workload.jobs] == jobs(tmp_path / "flat.zip")
    assert sorted(found.report.files) == ["all: b/2", "all: mon.bin: a/1"]
    assert not found.report.cut


def test_an_archive_in_an_archive_is_cut_and_bounded_as_others_are(tmp_path, logs, monkeypatch):
    inner = gzip_of(tar_of(logs))
    (tmp_path / "all.zip").write_bytes(zip_of({"mon.tgz": inner[:-200], **logs}))
    found = open_trace([tmp_path / "all.zip"])
    assert "mon.tgz" in found.report.cut
    assert len(found.workload.jobs) >= len(jobs(tmp_path / "all.zip"))
    monkeypatch.setattr(archives, "MAX_SPOOLED_BYTES", 100)
    found = open_trace([tmp_path / "all.zip"])
    assert "unpack it and open its folder; the rest is left out" in found.report.cut
    deep = zip_of({"a.zip": zip_of({"b.zip": zip_of(logs)}), **logs})
    (tmp_path / "deep.zip").write_bytes(deep)
    monkeypatch.undo()
    report = open_trace([tmp_path / "deep.zip"]).report
    assert "deep.zip: a.zip: b.zip: lies in an archive in an archive" in report.cut
    assert report.files_left_out == ()
