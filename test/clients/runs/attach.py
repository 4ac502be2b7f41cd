"""`attach.sql` in DuckDB: a view of each table over its link."""
import json, os, pathlib, sys, urllib.request
import duckdb, duckdb_extension_httpfs

request = urllib.request.Request(
    os.environ["SNAPSHOT_URL"] + "/attach.sql", headers={"Authorization": f"Bearer {os.environ['TOKEN']}"}
)
script = urllib.request.urlopen(request).read().decode()
connection = duckdb.connect()
[extension] = pathlib.Path(duckdb_extension_httpfs.__path__[0]).rglob("httpfs.duckdb_extension")
connection.load_extension(str(extension))
# The extension comes from its wheel here, where DuckDB's own site is out of reach.
for line in ("install httpfs;\n", "load httpfs;\n"):
    if line not in script:
        sys.exit(f"attach.sql lacks {line}")
    script = script.replace(line, "")
connection.execute(script)
views = connection.sql("select view_name from duckdb_views() where schema_name = 'crossfoot'").fetchall()
rows = {view: connection.execute(f"select count(*) from crossfoot.{view}").fetchone()[0] for [view] in views}
wanted = json.loads(os.environ["ROWS"])[os.environ["SECOND"]]
if rows != wanted:
    sys.exit(f"the views have {rows}, the manifest has {wanted}")
[cost, total] = connection.execute(
    """select (select sum(usd_amount_cents) from crossfoot.costs), cost_cents from crossfoot.reported_totals
    where scope = 'portfolio' and window_key = 'all'"""
).fetchone()
if cost != total:
    sys.exit(f"costs add up to {cost}, reported_totals has {total}")
print(json.dumps({"views": len(rows), "cost_cents": total}))
