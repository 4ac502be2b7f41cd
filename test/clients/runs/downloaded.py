"""A downloaded snapshot in DuckDB: every table has the rows of the manifest, and costs add up. usage: downloaded.py TABLE…"""
import json, os, sys
import duckdb

connection = duckdb.connect()
rows = {name: connection.execute(f"select count(*) from '{name}.parquet'").fetchone()[0] for name in sys.argv[1:]}
wanted = json.loads(os.environ["ROWS"])[os.environ["SECOND"]]
if rows != wanted:
    sys.exit(f"the files have {rows}, the manifest has {wanted}")
[cost, total] = connection.execute(
    """select (select sum(usd_amount_cents) from 'costs.parquet'), cost_cents from 'reported_totals.parquet'
    where scope = 'portfolio' and window_key = 'all'"""
).fetchone()
if cost != total:
    sys.exit(f"costs add up to {cost}, reported_totals has {total}")
