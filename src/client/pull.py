#!/usr/bin/env python3
"""Pulls an audited snapshot of the reporting tables into a folder; needs Python 3.9 or newer and nothing else.

First the partial folder is renamed to <snapshot_id>/, so that it appears whole. Then the link `latest` is replaced, also
by a rename, for readers with a fixed path. Last, the control file `latest.json` names the folder, its tables, rows and
digests, for programs that load new snapshots. pull.mjs does the same for Node; each continues a pull of the other.

The folder remembers the newest entry of the publish log: a pull refuses a log that lost or changed an entry. With --key it
also checks who signed the snapshot, by `ssh-keygen`, and the folder trusts that key from then on.

Exit codes: 0 a new snapshot, 10 nothing new, 3 refused, retracted or corrupt, 1 failed, 2 wrong usage.
"""
from __future__ import annotations

import argparse
import concurrent.futures
import datetime
import email.utils
import hashlib
import http.client
import json
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
import uuid

AT_ONCE = 4
MAX_TRIES = 8  # in a row without a byte; with the waits below that is some two minutes
FIRST_WAIT = 0.25
LONGEST_WAIT = 30.0
MAX_PATIENCE = 600.0  # a server that asks for more is down for long: the next run will do
STALLED = 60.0  # a transfer without a byte for so long is dead
MAX_MANIFEST_BYTES = 1_048_576
PIECE_BYTES = 65_536
PASSING = (408, 429, 500, 502, 503, 504)  # what a later attempt may not meet again
TOUCHED_EVERY = 5.0
DEAD_AFTER = 60.0
# A key of OpenSSH, and the days on which it is valid.
KEY = r"(?:ssh-ed25519 +)?(AAAAC3[A-Za-z0-9+/]{62})(?: *(@\S+))?"
DAYS = r"@(\d{4}-\d\d-\d\d)?\.\.(\d{4}-\d\d-\d\d)?"
SNAPSHOT_ID = r"\d{8}T\d{6}Z"


class PullStopped(Exception):
    """Ends the pull, with a sentence for people and an exit code for the calling program."""

    def __init__(self, code: int, message: str, status: int | None = None):
        super().__init__(message)
        self.code = code
        self.status = status


class Interruption(Exception):
    """An attempt that failed in a way that the next one may not: the connection ended, or the server is busy."""

    def __init__(self, message: str, wait: float = 0.0):
        super().__init__(message)
        self.wait = wait


def say(line: str) -> None:
    # A server's message may have signs that steer a terminal.
    shown = "".join(each if each.isprintable() else " " for each in line)
    print(f"pull: {shown}", file=sys.stderr, flush=True)


def parsed(text: bytes):
    """The value of the JSON text. Raises ValueError for any other text, and for a text that nests too deeply."""
    try:
        return json.loads(text)
    except (RecursionError, MemoryError) as error:
        raise ValueError("nested too deeply") from error


class Server:
    """Asks with the token, follows no redirect with it, and tries again what was interrupted."""

    def __init__(self, url: str, token: str):
        plain = url.rstrip("/")
        self.url = plain if plain.endswith("/v1") else f"{plain}/v1"
        self.token = token
        self.stopped = threading.Event()
        self.opener = urllib.request.build_opener(NoRedirect)

    def ask(self, path: str, headers: dict, read):
        """Lends the answer to `read`."""
        sent = {"Authorization": f"Bearer {self.token}", "Accept-Encoding": "identity", **headers}
        try:
            with self.opener.open(urllib.request.Request(self.url + path, headers=sent), timeout=STALLED) as answer:
                return read(answer)
        except urllib.error.HTTPError as error:
            raise refusal(error) from error
        except (OSError, http.client.HTTPException) as error:
            raise Interruption(f"the connection ended ({getattr(error, 'reason', None) or error!r})") from error

    def retry(self, what: str, attempt):
        """Runs the attempt until it succeeds or fails for good; it calls what it is given when something came."""
        tries = [0]
        while True:
            try:
                return attempt(lambda: tries.__setitem__(0, 0))
            except Interruption as error:
                tries[0] += 1
                if tries[0] >= MAX_TRIES or error.wait > MAX_PATIENCE:
                    raise PullStopped(1, f"{what}: {error}; given up.") from error
                wait = max(error.wait, random.random() * min(LONGEST_WAIT, FIRST_WAIT * 2 ** tries[0]))
                say(f"{what}: {error}; again in {wait:.1f} s")
                if self.stopped.wait(wait):
                    raise PullStopped(1, "Another table failed.") from error


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


def refusal(error: urllib.error.HTTPError) -> Exception:
    if error.code < 400:
        return PullStopped(1, f"The address redirects to {error.headers.get('Location')}; give that as --url.")
    try:
        sentence = str(parsed(error.read(PIECE_BYTES))["error"]["message"])
    except (OSError, http.client.HTTPException, ValueError, KeyError, TypeError):
        sentence = "without a reason"
    if error.code in PASSING:
        return Interruption(f"{error.code} {sentence}", seconds(error.headers.get("Retry-After")))
    return PullStopped(3 if error.code < 500 else 1, f"The server refused: {error.code} {sentence}", error.code)


def seconds(retry_after: str | None) -> float:
    """The header holds seconds or a date."""
    if retry_after is None:
        return 0.0
    if retry_after.isdigit():
        return float(retry_after)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(retry_after).timestamp() - time.time())
    except (TypeError, ValueError):
        return 0.0


def whole(answer) -> bytes:
    body = answer.read(MAX_MANIFEST_BYTES + 1)
    if len(body) > MAX_MANIFEST_BYTES:
        raise PullStopped(3, f"An answer is longer than {MAX_MANIFEST_BYTES} bytes.")
    if answer.headers.get("Content-Length") not in (None, str(len(body))):
        raise Interruption("the answer ended early")
    return body


def read_manifest(server: Server, snapshot: str) -> dict:
    """Parses the manifest and checks its form before its names become paths."""

    path = "/reporting/latest" if snapshot == "latest" else f"/reporting/snapshots/{snapshot}"
    body = server.retry("manifest", lambda moved: server.ask(path, {}, whole))
    try:
        manifest = parsed(body)
        form(re.fullmatch(SNAPSHOT_ID, manifest["snapshot_id"]), "snapshot_id")
        form(snapshot in ("latest", manifest["snapshot_id"]), "another snapshot_id")
        taken_back = manifest["retraction"]
        if taken_back is not None:
            form(type(taken_back["reason"]) is str, "reason")
            form(re.fullmatch(SNAPSHOT_ID, taken_back["replaced_by"] or "20260715T020000Z"), "replaced_by")
        form(re.fullmatch(r"[0-9T:.Z-]{20,30}", manifest["generated_at"]), "generated_at")
        form(type(manifest["account_id"]) is int and manifest["account_id"] >= 0, "account_id")
        form(type(manifest["tables"]) is list and type(manifest["files"]) is list, "tables or files")
        for each in manifest["files"]:
            form(re.fullmatch(r"[a-z_]{1,60}\.(?:json|sql)", each["name"]), "file name")
            form(re.fullmatch(r"[0-9a-f]{64}", each["sha256"]), f"sha256 of {each['name']}")
            form(type(each["size_bytes"]) is int and each["size_bytes"] >= 0, f"size_bytes of {each['name']}")
        for table in manifest["tables"]:
            form(re.fullmatch(r"[a-z_]{1,60}", table["name"]), "table name")
            form(re.fullmatch(r"[0-9a-f]{64}", table["sha256"]), f"sha256 of {table['name']}")
            for part in ("row_count", "size_bytes"):
                form(type(table[part]) is int and table[part] >= 0, f"{part} of {table['name']}")
    except (ValueError, KeyError, TypeError) as error:
        raise PullStopped(3, f"The manifest is malformed: {error!r}.") from error
    manifest["text"] = body
    return manifest


def refuse_retracted(manifest: dict, wanted: bool) -> None:
    """Stops for a retracted snapshot, with the reason of the retraction, unless `--retracted` is set."""
    taken_back = manifest["retraction"]
    if taken_back is None:
        return
    # What a person wrote, as one line that ends as a sentence does: others follow it.
    reason = "".join(each if each.isprintable() else " " for each in taken_back["reason"]).strip()
    reason += "" if reason.endswith((".", "!", "?", "…")) else "."
    if wanted:
        say(f"snapshot {manifest['snapshot_id']} was retracted: {reason}")
        return
    instead = "" if taken_back["replaced_by"] is None else f" Pull {taken_back['replaced_by']} instead."
    raise PullStopped(
        3, f"Snapshot {manifest['snapshot_id']} was retracted: {reason}{instead} --retracted pulls it all the same."
    )


def form(right, what: str) -> None:
    if not right:
        raise ValueError(what)


def tables_named(manifest: dict, names: list | None) -> list:
    known = [table["name"] for table in manifest["tables"]]
    unknown = [name for name in names or [] if name not in known]
    if unknown:
        raise PullStopped(2, f"Snapshot {manifest['snapshot_id']} has no table {', '.join(unknown)}.")
    return [table for table in manifest["tables"] if names is None or table["name"] in names]


def download(server: Server, snapshot_id: str, table: dict, folder: str) -> None:
    """Goes on after what is there. The digest is that of the bytes on the disk; if wrong, they are fetched once more."""
    name = f"{table['name']}.parquet"
    to = os.path.join(folder, name)
    path = f"/reporting/snapshots/{snapshot_id}/{name}"
    for again in (False, True):
        server.retry(name, lambda moved: fetch_rest(server, path, table, to, moved))
        found = sha256_of(to)
        if found == table["sha256"]:
            return
        os.remove(to)
        if again:
            raise PullStopped(3, f"{name}: SHA-256 is {found}, the manifest says {table['sha256']}.")
        say(f"{name}: SHA-256 is not that of the manifest; fetched once more")


def fetch_rest(server: Server, path: str, table: dict, to: str, moved) -> None:
    """Brings what the file on the disk lacks, and flushes it: after a power cut there is the whole file or none."""
    size_bytes = table["size_bytes"]
    with open(to, "ab") as file:
        start = file.tell()
        if start > size_bytes:
            file.truncate(0)
            start = 0
        if start < size_bytes:
            fetch_from(start, server, path, table, file, moved)
        file.flush()
        # Also where all was here: a pull that was killed may have written the last byte and flushed nothing.
        os.fsync(file.fileno())


def fetch_from(start: int, server: Server, path: str, table: dict, file, moved) -> None:
    size_bytes = table["size_bytes"]

    def append(answer) -> int:
        size = start
        if answer.status != 206:
            file.truncate(0)  # the server sends the whole file instead of the range
            size = 0
        elif not (answer.headers.get("Content-Range") or "").startswith(f"bytes {start}-"):
            raise Interruption("the answer is another range")
        while size <= size_bytes:
            if server.stopped.is_set():
                raise PullStopped(1, "Another table failed.")
            piece = answer.read1(PIECE_BYTES)
            if not piece:
                break
            file.write(piece)
            file.flush()
            size += len(piece)
            moved()
        return size

    # The tag is the digest of the manifest: a server that has other bytes by now refuses.
    headers = {"If-Match": f'"{table["sha256"]}"', **({"Range": f"bytes={start}-"} if start > 0 else {})}
    size = server.ask(path, headers, append)
    if size < size_bytes:
        raise Interruption(f"the answer ended after {size} of {size_bytes} bytes")
    if size > size_bytes:
        file.truncate(0)
        raise PullStopped(3, f"{table['name']}: is longer than the {size_bytes} bytes of the manifest.")


def sha256_of(path: str) -> str:
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while piece := file.read(1_048_576):
            digest.update(piece)
    return digest.hexdigest()


def is_there(folder: str, table: dict) -> bool:
    try:
        return os.path.getsize(os.path.join(folder, f"{table['name']}.parquet")) == table["size_bytes"]
    except OSError:
        return False


def finish(partial: str, finished: str, texts: dict) -> None:
    """Renames the partial folder. If the finished one exists, moves the missing files into it, one by one."""
    for name, text in texts.items():
        write_whole(os.path.join(partial, name), text)
    if not os.path.exists(finished):
        os.rename(partial, finished)
        return
    for name in os.listdir(partial):
        os.replace(os.path.join(partial, name), os.path.join(finished, name))
    os.rmdir(partial)


def flush_folders(*paths: str) -> None:
    """Makes the names in these folders durable. Every pull does this: a killed pull may not have flushed them."""
    if os.name == "nt":
        return  # it opens no folder
    for path in paths:
        folder = os.open(path, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def announce(to: str, manifest: dict, tables: list) -> bool:
    """Says that this snapshot is the newest one here; False when that was said before, with all of these tables."""
    control = {part: manifest[part] for part in ("snapshot_id", "generated_at", "account_id")}
    control["folder"] = manifest["snapshot_id"]
    control["tables"] = [
        {"table": each["name"], "file": f"{each['name']}.parquet"}
        | {part: each[part] for part in ("row_count", "size_bytes", "sha256")}
        for each in tables
    ]
    path = os.path.join(to, "latest.json")
    try:
        with open(path, encoding="utf-8") as file:
            if json.load(file) == control:
                return False
    except (OSError, ValueError):
        pass
    pointer, fresh = os.path.join(to, "latest"), os.path.join(to, ".latest")
    try:  # a system without links, or a user who may not make them, has the control file alone
        if os.path.lexists(fresh):
            os.remove(fresh)
        os.symlink(manifest["snapshot_id"], fresh, target_is_directory=True)
        os.replace(fresh, pointer)
    except OSError:
        remove_if_there(fresh)
    write_whole(path, (json.dumps(control, indent=2) + "\n").encode())
    return True


def write_whole(path: str, text: bytes) -> None:
    """A file appears with all of its text or not at all, and stays."""
    with open(f"{path}.fresh", "wb") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.replace(f"{path}.fresh", path)
    flush_folders(os.path.dirname(path))


class Lock:
    """Allows one pull at a time in a folder, by a file that names a process. The process touches it while it lives."""

    def __init__(self, to: str):
        self.path = os.path.join(to, ".pull.lock")
        self.own = json.dumps({"pid": os.getpid(), "host": socket.gethostname(), "nonce": str(uuid.uuid4())})
        self.released = threading.Event()

    def __enter__(self) -> Lock:
        while not self.created():
            text = read_lock(self.path)
            if text is None:
                continue
            pid, host = holder_in(text)
            if is_dead(self.path, pid, host):
                self.remove_dead(text)
            else:
                self.held_by(pid, host)
        threading.Thread(target=self.touch, daemon=True).start()
        return self

    def __exit__(self, *_) -> None:
        self.released.set()
        if read_lock(self.path) == self.own:
            remove_if_there(self.path)

    def created(self) -> bool:
        try:
            with open(self.path, "x", encoding="utf-8") as file:
                file.write(self.own)
            return True
        except FileExistsError:
            return False

    def touch(self) -> None:
        while not self.released.wait(TOUCHED_EVERY):
            try:
                os.utime(self.path)
            except OSError:
                pass

    def held_by(self, pid: int, host: str) -> None:
        raise PullStopped(1, f"Another pull, process {pid} on {host}, is filling this folder.")

    def remove_dead(self, text: str) -> None:
        """The dead lock is itself locked first: no other pull can replace it before it is removed."""
        with DeadLock(self.path, text):
            if read_lock(self.path) == text and is_dead(self.path, *holder_in(text)):
                remove_if_there(self.path)


class DeadLock(Lock):
    """Allows one pull at a time to remove the lock of a dead pull; the others wait."""

    def __init__(self, path: str, text: str):
        super().__init__("")
        self.path = f"{path}.{hashlib.sha256(text.encode()).hexdigest()[:16]}"

    def held_by(self, pid: int, host: str) -> None:
        time.sleep(0.01)


def holder_in(text: str) -> tuple[int, str]:
    """The process that wrote the lock. A pull that is killed before it writes the file leaves an empty one."""
    try:
        return int(json.loads(text)["pid"]), json.loads(text)["host"]
    except (ValueError, KeyError, TypeError):
        return 0, "unknown"


def is_dead(path: str, pid: int, host: str) -> bool:
    if host == socket.gethostname() and not is_alive(pid):
        return True
    try:
        return time.time() - os.path.getmtime(path) >= DEAD_AFTER
    except OSError:
        return False


def read_lock(path: str) -> str | None:
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except OSError:
        return None


def remove_if_there(path: str) -> None:
    try:
        os.remove(path)
    except OSError:
        pass


def is_alive(pid: int) -> bool:
    if os.name == "nt":
        return True  # there, asking would end it
    try:
        os.kill(pid, 0)
        return True
    except PermissionError:
        return True
    except OSError:
        return False


def text_at(server: Server, path: str) -> bytes | None:
    """The body of the answer; None for 404."""
    try:
        return server.retry(path, lambda moved: server.ask(path, {}, whole))
    except PullStopped as error:
        if error.status == 404:
            return None
        raise


def refused(why: str) -> PullStopped:
    return PullStopped(3, f"The snapshot is refused: {why}.")


def digest_of(text: bytes) -> str:
    return hashlib.sha256(text).hexdigest()


def parse_entry(text: bytes) -> dict:
    try:
        entry = parsed(text)
        form(type(entry["seq"]) is int and type(entry.get("sshsig", "")) is str, "seq or sshsig")
        for part in ("manifest_sha256", "prev_sha256", "published_at", "snapshot_id"):
            form(type(entry[part]) is str, part)
        return entry
    except (ValueError, KeyError, TypeError) as error:
        raise PullStopped(3, "An entry of the publish log is malformed.") from error


def prove(server: Server, manifest: dict, to: str, key: str | None, latest: bool, is_here: bool):
    """Checks signature and publish log as pull.mjs does. Returns files that prove the snapshot, and what to remember."""
    files = f"/reporting/snapshots/{manifest['snapshot_id']}/files"
    trusted = signers_of(key) if key else read_text(os.path.join(to, ".allowed_signers"))
    head = read_text(os.path.join(to, ".log-head.json"))
    try:
        known = None if head is None else parsed(head)
        form(known is None or (type(known["seq"]) is int and type(known["sha256"]) is str and "snapshot_id" in known), "head")
    except (ValueError, KeyError, TypeError) as error:
        damaged = os.path.join(to, ".log-head.json")
        raise PullStopped(3, f"{damaged} is damaged. Delete it if the log of the server is right.") from error
    # The last pull checked this snapshot, or the folder knows nothing to check it by.
    is_checked = trusted is None if known is None else known["snapshot_id"] == manifest["snapshot_id"]
    if is_here and is_checked and not key:
        checked = read_text(os.path.join(to, manifest["snapshot_id"], "signed-manifest.json"))
        if checked is not None:
            compare_manifests(manifest, checked)
        if checked is not None or known is None:
            return {}, {}
    text = text_at(server, f"{files}/log-entry.json")
    if text is None:
        if trusted is None and known is None:
            return {}, {}
        raise refused("the server no longer sends entries of its publish log")
    entry = parse_entry(text)
    stored = text_at(server, f"{files}/manifest.json")
    if stored is None or digest_of(stored) != entry["manifest_sha256"]:
        raise refused("its log entry names another manifest")
    compare_manifests(manifest, stored)
    proofs = {"signed-manifest.json": stored, "log-entry.json": text}
    signature = text_at(server, f"{files}/manifest.json.sig") if "sshsig" in entry else None
    if signature is not None:
        proofs["signed-manifest.json.sig"] = signature
    if trusted is not None:
        check_entry(entry, text, trusted)
        check_signature("The manifest", signature, "crossfoot", stored, signers_on(trusted, entry))
    if known is not None:
        if latest and entry["seq"] < known["seq"]:
            raise refused(
                f"the newest entry of the publish log is {entry['seq']}, and the last pull saw {known['seq']}"
            )
        follow_log(server, known, entry, digest_of(text), trusted)
    remembered = {} if trusted is None else {".allowed_signers": trusted}
    if latest or known is None or entry["seq"] > known["seq"]:
        remembered[".log-head.json"] = (json.dumps({"seq": entry["seq"], "sha256": digest_of(text), "snapshot_id": entry["snapshot_id"]}) + "\n").encode()
    return proofs, remembered


def follow_log(server: Server, known: dict, entry: dict, entry_sha256: str, trusted: bytes | None) -> None:
    changed = f"entry {known['seq']} of the publish log is another than at the last pull"
    if entry["seq"] == known["seq"]:
        if entry_sha256 != known["sha256"]:
            raise refused(changed)
        return
    before = None
    for seq in range(min(entry["seq"], known["seq"]), max(entry["seq"], known["seq"]) + 1):
        text = text_at(server, f"/reporting/log/{seq}")
        if text is None:
            raise refused(f"entry {seq} of the publish log is gone: the log went back")
        each = parse_entry(text)
        if each["seq"] != seq or (before is not None and each["prev_sha256"] != before):
            raise refused(f"entry {seq} of the publish log does not follow the one before it")
        before = digest_of(text)
        if seq == known["seq"] and before != known["sha256"]:
            raise refused(changed)
        if seq == entry["seq"] and before != entry_sha256:
            raise refused(f"the log has another entry {seq}")
        if trusted is not None and seq > known["seq"]:
            check_entry(each, text, trusted)


def compare_manifests(sent: dict, stored: bytes) -> None:
    """No fact that both have may differ."""
    try:
        signed = parsed(stored)
        facts = {name: signed[name] for name in signed if name not in ("nonce", "pg_snapshot", "companions")}
    except (ValueError, TypeError, KeyError) as error:
        raise refused("the signed manifest is malformed") from error
    found = difference((), sent, facts)
    if found is not None:
        raise refused(f"the signed manifest has another {found}")


def difference(path: tuple, sent, signed) -> str | None:
    """The path of the first fact that differs. A server may send more facts or, if older, fewer; no other rows."""
    here = ".".join(path) or "form"
    if type(sent) is not type(signed) or len(path) > 20:
        return here
    if not isinstance(signed, (dict, list)):
        return None if sent == signed else here
    if isinstance(signed, list) and len(sent) != len(signed):
        return here
    for name, value in signed.items() if isinstance(signed, dict) else enumerate(signed):
        if isinstance(signed, dict) and name not in sent:
            continue
        found = difference((*path, str(name)), sent[name], value)
        if found is not None:
            return found
    return None


def check_entry(entry: dict, text: bytes, trusted: bytes) -> None:
    # The signature and its key, the last two fields. A field behind them would not be signed, and would win over a signed one.
    end = re.search(rb',"sshsig":"([A-Za-z0-9+/=]+)","sshsig_key":"[A-Za-z0-9:+/]+"}\Z', text)
    what = f"Entry {entry['seq']} of the publish log"
    if "sshsig" in entry and end is None:
        raise PullStopped(3, f"{what} does not end with its signature.")
    signature, signed = (None, text) if end is None else (armor(end[1].decode()), text[: end.start()] + b"}")
    check_signature(what, signature, "crossfoot-log", signed, signers_on(trusted, entry))


def armor(base64: str) -> bytes:
    lines = [base64[at : at + 70] for at in range(0, len(base64), 70)]
    return "\n".join(["-----BEGIN SSH SIGNATURE-----", *lines, "-----END SSH SIGNATURE-----", ""]).encode()


def check_signature(what: str, signature: bytes | None, namespace: str, text: bytes, trusted: bytes) -> None:
    """Python has no Ed25519 of its own, so `ssh-keygen` checks."""
    if signature is None:
        raise PullStopped(3, f"{what} is not signed.")
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, name) for name in ("signers", "signature")]
        for path, content in zip(paths, (trusted, signature)):
            with open(path, "wb") as file:
                file.write(content)
        asked = ["ssh-keygen", "-Y", "verify", "-f", paths[0], "-I", "crossfoot", "-n", namespace, "-s", paths[1]]
        try:
            said = subprocess.run(asked, input=text, capture_output=True, check=False)
        except FileNotFoundError as error:
            raise PullStopped(1, "--key needs ssh-keygen of OpenSSH 8.1 or later; install it.") from error
    if said.returncode != 0:
        reason = said.stderr.decode(errors="replace").strip() or said.stdout.decode(errors="replace").strip()
        raise PullStopped(3, f"{what} is not signed by a trusted key: {reason}.")


def signers_of(key: str) -> bytes:
    """A key, or the keys of a file such as `allowed_signers` or `id_ed25519.pub`, in the form of allowed_signers."""
    if re.fullmatch(KEY, key.strip()):
        lines = key
    else:
        try:
            with open(key, encoding="utf-8") as file:
                lines = file.read()
        except OSError as error:
            raise PullStopped(
                2, f"--key must be an Ed25519 key of OpenSSH or a file of such keys, found {key}."
            ) from error
    found = re.findall(KEY, lines)
    if not found:
        raise PullStopped(2, f"--key: {key} holds no line with ssh-ed25519 and a key.")
    for _, days in found:
        if days and not are_days(days):
            raise PullStopped(2, f"--key: the days of a key have the form @2026-01-01..2026-12-31, found {days}.")
    allowed = 'crossfoot namespaces="crossfoot,crossfoot-log,crossfoot-mark" ssh-ed25519'
    return "".join(f"{allowed} {each} {days}".rstrip() + "\n" for each, days in found).encode()


def are_days(days: str) -> bool:
    """Whether these are a first and a last day of the calendar, one of which may be absent: `@2026-01-01..2026-12-31`."""
    parts = re.fullmatch(DAYS, days)
    if parts is None:
        return False
    try:
        first, last = [datetime.date.fromisoformat(day) if day else None for day in parts.groups()]
    except ValueError:
        return False
    return first is None or last is None or first <= last


def signers_on(trusted: bytes, entry: dict) -> bytes:
    """The lines of the keys that are valid on the day on which the entry was published. `ssh-keygen` would take today.
    If a key is listed twice, the later line counts."""
    day = entry["published_at"][:10]
    lines = {}
    for line in trusted.decode().splitlines():
        days = re.search(DAYS + r"\Z", line)
        first, last = days.groups() if days else (None, None)
        lines[key_on(line)] = ""
        if (not first or first <= day) and (not last or day <= last):
            lines[key_on(line)] = line + "\n"
    return "".join(lines.values()).encode()


def key_on(line: str) -> str:
    """The key on a line of allowed_signers; the line itself where it has no key."""
    found = re.search(KEY, line)
    return found[1] if found else line


def read_text(path: str) -> bytes | None:
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None


def pull(
    url: str, token: str, to: str, snapshot: str, names: list | None, retracted: bool, key: str | None
) -> tuple:
    """Returns the finished folder, and whether it has new files. If the pull stops early, it does not appear."""
    server = Server(url, token)
    to = os.path.abspath(to)
    os.makedirs(to, exist_ok=True)
    with Lock(to):
        manifest = read_manifest(server, snapshot)
        snapshot_id = manifest["snapshot_id"]
        refuse_retracted(manifest, retracted)
        tables = tables_named(manifest, names)
        partial, finished = os.path.join(to, f".partial-{snapshot_id}"), os.path.join(to, snapshot_id)
        absent = [table for table in tables if not is_there(finished, table)]
        proofs, remembered = prove(server, manifest, to, key, snapshot == "latest", not absent)
        if absent:
            for name in os.listdir(to):
                if name.startswith(".partial-") and name != os.path.basename(partial):
                    shutil.rmtree(os.path.join(to, name))
            os.makedirs(partial, exist_ok=True)
            with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
                running = []
                try:
                    # A signal may come before the last table has begun: the others must not wait for their servers then.
                    for table in absent:
                        running.append(pool.submit(download, server, snapshot_id, table, partial))
                    for done in concurrent.futures.as_completed(running):
                        done.result()
                except BaseException:
                    server.stopped.set()
                    for each in running:
                        each.cancel()
                    raise
            finish(partial, finished, {**proofs, "manifest.json": manifest["text"]})
        # Before the control file names the folder: it must not outlive what it names.
        flush_folders(finished, to)
        for name, text in remembered.items():
            write_whole(os.path.join(to, name), text)
        announced = snapshot == "latest" and announce(to, manifest, tables)
        return finished, bool(absent) or announced


def stop(number: int, _frame) -> None:
    raise PullStopped(1, f"Stopped by {signal.Signals(number).name}.")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--url", required=True, help="the address of the API, such as https://host/v1")
    parser.add_argument("--token", help="a personal or reporting token; CROSSFOOT_TOKEN hides it from other users")
    parser.add_argument("--to", required=True, help="the folder that snapshots are pulled into")
    parser.add_argument("--snapshot", default="latest", help="an id such as 20260715T020000Z, instead of the newest")
    parser.add_argument("--tables", help="only these tables, separated by commas")
    parser.add_argument("--retracted", action="store_true", help="pull a snapshot also after it was retracted")
    parser.add_argument("--key", help="the publisher's public key as OpenSSH writes it, or a file of keys")
    given = parser.parse_args()
    token = (given.token or os.environ.get("CROSSFOOT_TOKEN", "")).strip()
    if not token:
        parser.error("--token or CROSSFOOT_TOKEN is missing")
    if not re.fullmatch(r"https?://[^?#]+", given.url):
        parser.error("--url must be an http(s) address")
    if not re.fullmatch(f"latest|{SNAPSHOT_ID}", given.snapshot):
        parser.error("--snapshot must be latest or an id such as 20260715T020000Z")
    for each in ("SIGINT", "SIGTERM", "SIGHUP"):
        if hasattr(signal, each):
            signal.signal(getattr(signal, each), stop)
    try:
        names = None if given.tables is None else given.tables.split(",")
        folder, is_new = pull(given.url, token, given.to, given.snapshot, names, given.retracted, given.key)
    except PullStopped as error:
        say(str(error))
        return error.code
    except OSError as error:
        say(str(error))
        return 1
    print(folder)
    name = os.path.basename(folder)
    say(f"snapshot {name} is here" if is_new else f"nothing new: snapshot {name} was here already")
    return 0 if is_new else 10


if __name__ == "__main__":
    sys.exit(main())
