"""The change feed of every table from version 1 to 2 must be the rows of our own comparison, one by one."""
import datetime, io, json, os, sys, urllib.request
import delta_sharing
import pyarrow.parquet
from delta_sharing.protocol import CdfOptions, DeltaSharingProfile, Table
from delta_sharing.rest_client import DataSharingRestClient

PROFILE, BASE_URL = os.environ["PROFILE"], os.environ["BASE_URL"]
FIRST, SECOND = os.environ["FIRST"], os.environ["SECOND"]


def answered(address):
    request = urllib.request.Request(address, headers={"Authorization": f"Bearer {os.environ['TOKEN']}"})
    return json.load(urllib.request.urlopen(request))


def compared(table):
    """The changed rows that the API answers, page by page."""
    cursor = ""
    while cursor is not None:
        address = f"{BASE_URL}/reporting/diff/{FIRST}/{SECOND}?table={table}&limit=500{cursor}"
        answer = answered(address)
        yield from answer["data"]
        following = answer["page"]["next_cursor"]
        cursor = None if following is None else f"&cursor={following}"


def in_json(value):
    """A cell of Arrow as the API writes it."""
    if isinstance(value, datetime.datetime):
        return value.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    return value.isoformat() if isinstance(value, datetime.date) else value


def fed(client, table):
    options = CdfOptions(starting_version=2, ending_version=2)
    for file in client.list_table_changes(Table(table, "crossfoot", "reporting"), options).actions:
        read = pyarrow.parquet.read_table(io.BytesIO(urllib.request.urlopen(file.url).read()))
        yield from ({name: in_json(cell) for name, cell in row.items()} for row in read.to_pylist())


def require(holds, table, change):
    if not holds:
        sys.exit(f"the feed of {table} lacks {json.dumps(change)}")


WORDS = {"added": ["insert"], "removed": ["delete"], "changed": ["update_preimage", "update_postimage"]}
client = DataSharingRestClient(DeltaSharingProfile.read_from_file(PROFILE))
kinds = {kind: 0 for words in WORDS.values() for kind in words}
# FOCUS has no change feed, because costs has the same rows; neither has usage, which is no table of the contract.
beside = {"focus", "ai_usage"}
for table in sorted({each.name for each in delta_sharing.SharingClient(PROFILE).list_all_tables()} - beside):
    rows = list(fed(client, table))
    frame = delta_sharing.load_table_changes_as_pandas(
        f"{PROFILE}#crossfoot.reporting.{table}", starting_version=2, ending_version=2
    )
    require(len(frame) == len(rows), table, "its rows in pandas")
    for change in compared(table):
        for kind, cells in zip(WORDS[change["change"]], [each for each in (change["before"], change["after"]) if each]):
            wanted = {**change["key"], **cells, "_change_type": kind}
            found = [row for row in rows if wanted.items() <= row.items()]
            require(len(found) == 1, table, change)
            rows.remove(found[0])
            kinds[kind] += 1
    require(rows == [], table, {"also": len(rows)})
print(json.dumps(kinds))
