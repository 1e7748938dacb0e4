"""Scenarios of storage that fails: an S3 server, a disk."""

from __future__ import annotations

import shutil
import subprocess
import time
from contextlib import suppress

from infra.faults.failing_s3 import FAULTS, FailingS3
from infra.faults.grounds import Grounds
from infra.faults.servers import S3, Absent, until
from infra.faults.site import Site


def s3_away(grounds: Grounds) -> Site:
    """The S3 server is killed while workers score and while people upload, and comes back."""
    server = S3(grounds.folder / "s3")
    server.start()
    site = grounds.site("s3-away", **server.variables)
    site.servers.append(server)
    shutil.copytree(site.folder / "media", server.bucket / "media")  # AWS_LOCATION
    site.upload(grounds.submissions // 2)
    site.worker("--concurrency", "2", JUDGE_STEPS="10")
    site.until(("running", "done"), 9)
    server.kill()
    refused = site.upload(2, threads=2)
    grounds.count("uploads without storage: refused", sum(refused.values()))
    if refused.get("accepted"):
        raise RuntimeError("a file was accepted and is stored nowhere")
    time.sleep(2)
    server.start()
    site.upload(grounds.submissions // 2)
    return site


def s3_failing(grounds: Grounds) -> Site:
    """Three of five requests to the S3 server fail (errors, resets, lost answers, files cut short,
    delays), for uploads over HTTP and for workers.
    """
    server = S3(grounds.folder / "s3-behind")
    server.start()
    proxy = FailingS3(grounds.folder / "s3-failing", server, seed=grounds.seed, share=0.6)
    proxy.start()
    site = grounds.site("s3-failing", **proxy.variables)
    site.servers += [proxy, server]
    shutil.copytree(site.folder / "media", server.bucket / "media")  # AWS_LOCATION
    site.worker("--concurrency", "2", JUDGE_STEPS="2")
    answers = site.send(grounds.submissions, limit=grounds.submissions, threads=4)
    until(lambda: site.runs("queued", "running") == 0, 300, site.log)
    proxy.calm.touch()
    for fault in FAULTS:
        grounds.count(fault, proxy.said(fault))
    accepted = answers.pop("accepted")
    refused = answers.pop("503 storage-failing", 0)
    grounds.count("uploads refused with 503 and sent again", refused)
    if answers or accepted != grounds.submissions:
        raise RuntimeError(f"only refusals with a reason were to come: {answers}")
    grounds.count("files of refused uploads left for the doctor", site.inside("orphans")["deleted"])
    return site


def disk_full(grounds: Grounds) -> Site:
    """The embedded set-up on a disk that fills up: while scoring, and for uploads. Then it has
    room again.
    """
    folder = grounds.folder / "disk-full"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", str(folder)], check=False
    )
    if mounted.returncode:
        raise Absent("no small disk can be mounted here (it takes root)")
    site = grounds.site("disk-full", embedded=True)
    site.mounted = True
    site.upload(grounds.submissions // 2)
    site.worker("--pool", "solo", JUDGE_STEPS="10")
    site.until(("running", "done"), 8)
    filler = folder / "filler"
    with suppress(OSError), filler.open("wb", buffering=0) as file:
        while True:
            file.write(b"\0" * 4096)
    refused = site.upload(grounds.submissions // 2)
    accepted = refused.pop("accepted", 0)
    grounds.count("uploads on a full disk: accepted", accepted)
    grounds.count("uploads on a full disk: refused", sum(refused.values()))
    time.sleep(2)
    filler.unlink()
    return site
