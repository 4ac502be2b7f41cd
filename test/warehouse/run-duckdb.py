"""Runs a script of SQL in a database of DuckDB, whose extension for buckets comes from the registry of Python."""

import sys
from pathlib import Path

import duckdb
import duckdb_extension_httpfs

database, script = sys.argv[1:]
[extension] = Path(duckdb_extension_httpfs.__path__[0]).rglob("httpfs.duckdb_extension*")
with duckdb.connect(database, config={"extension_directory": f"{database}.extensions"}) as session:
    session.execute(f"install '{extension}'")
    session.execute(Path(script).read_text(encoding="utf-8"))
