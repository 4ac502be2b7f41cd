"""The DuckLake catalogue in DuckDB, with a token and with links, as SQLite too, and in Polars: every version, an earlier time, a pin."""
import json, os, pathlib, sys, time, urllib.request
import duckdb, duckdb_extension_ducklake, duckdb_extension_httpfs, duckdb_extension_sqlite_scanner
import ducklake

BASE, TOKEN, PIN = os.environ["BASE_URL"], os.environ["TOKEN"], os.environ["PIN"]
ORIGIN = BASE.removesuffix("/v1")


def get(path):
    request = urllib.request.Request(BASE + path, headers={"Authorization": f"Bearer {TOKEN}"})
    return urllib.request.urlopen(request).read()


def snapshots():
    return json.loads(get("/reporting/snapshots"))["data"][::-1]


# A server sees a new snapshot within seconds.
for _ in range(120):
    if len(snapshots()) == 3:
        break
    time.sleep(0.5)
listed = snapshots()
manifests = [json.loads(get(f"/reporting/snapshots/{each['snapshot_id']}")) for each in listed]
rows = [{table["name"]: table["row_count"] for table in manifest["tables"]} for manifest in manifests]
reads, costs = 0, []


def connect():
    connection = duckdb.connect()
    # The extensions come from their wheels here, where DuckDB's own site is out of reach.
    for package in (duckdb_extension_httpfs, duckdb_extension_ducklake, duckdb_extension_sqlite_scanner):
        [extension] = pathlib.Path(package.__path__[0]).rglob("*.duckdb_extension")
        connection.load_extension(str(extension))
    return connection


def expect(what, found, wanted):
    if found != wanted:
        sys.exit(f"{what}: {found}, expected {wanted}")


def reads_all(connection, way):
    global reads
    for number, (manifest, counts) in enumerate(zip(manifests, rows), 1):
        at = f"at (version => {number})"
        for table, count in counts.items():
            found = connection.execute(f"select count(*) from lake.{table} {at}").fetchone()[0]
            cells = len(connection.execute(f"select * from lake.{table} {at}").fetchall())
            expect(f"{way}: rows of {table} {at}", (found, cells), (count, count))
            reads += 1
        total = connection.execute(
            f"""select (select sum(usd_amount_cents) from lake.costs {at}), cost_cents, snapshot_id
            from lake.reported_totals {at} where scope = 'portfolio' and window_key = 'all'"""
        ).fetchone()
        expect(f"{way}: costs {at}", total, (total[1], total[1], manifest["snapshot_id"]))
        costs.append(total[1])
    first = connection.execute(f'select sum(usd_amount_cents) from lake."{PIN}".costs').fetchone()[0]
    expect(f"{way}: the pin", first, costs[0])
    moment = f"at (timestamp => timestamptz '{os.environ['MOMENT']}')"
    expect(f"{way}: earlier", connection.execute(f"select sum(usd_amount_cents) from lake.costs {moment}").fetchone()[0], costs[0])
    for wrong in ("at (version => 99)", "at (timestamp => timestamptz '2000-01-01 00:00:00+00')"):
        try:
            connection.execute(f"select 1 from lake.costs {wrong}").fetchall()
        except duckdb.Error:
            continue
        sys.exit(f"{way}: {wrong} is answered")
    # Statistics of the catalogue may leave a file out, and never a row.
    expect(f"{way}: by id", connection.execute("select count(*) from lake.costs where cost_entry_id >= (select min(cost_entry_id) from lake.costs)").fetchone()[0], rows[-1]["costs"])


bearer = connect()
bearer.execute(f"create secret (type http, bearer_token '{TOKEN}', scope '{ORIGIN}')")
began = time.monotonic()
bearer.execute(f"attach 'ducklake:{BASE}/reporting/lake/1.0.ducklake' as lake (read_only)")
attach_ms = round((time.monotonic() - began) * 1000)
reads_all(bearer, "bearer")
told = bearer.execute("select commit_message from ducklake_snapshots('lake') order by snapshot_id").fetchall()
retracted = [message.split(", ")[0] for [message] in told if "retracted: " in message]
expect("retracted", retracted, [each["snapshot_id"] for each in listed if each["retraction"] is not None])

links = connect()
with open("links.ducklake", "wb") as file:
    file.write(get("/reporting/lake/1.0.ducklake?links=true"))
links.execute("attach 'ducklake:links.ducklake' as lake (read_only)")
reads_all(links, "links")

with open("lake.sqlite", "wb") as file:
    file.write(get("/reporting/lake/1.0.sqlite"))
sqlite = connect()
sqlite.execute("attach 'ducklake:sqlite:lake.sqlite' as lake (read_only)")
reads_all(sqlite, "sqlite")

lake = ducklake.connect("sqlite:///lake.sqlite", readonly=True)
for number, (manifest, counts) in enumerate(zip(manifests, rows), 1):
    for table, count in counts.items():
        frame = lake.at(number).table(table).scan_polars().collect()
        expect(f"Polars: rows of {table} at version {number}", frame.height, count)
        reads += 1
        if table == "costs":
            expect(f"Polars: costs at version {number}", frame["usd_amount_cents"].sum(), costs[number - 1])
print(json.dumps({"reads": reads, "cost_cents": costs, "attach_ms": attach_ms}))
