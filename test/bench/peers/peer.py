"""
One peer of the builder, in a process of its own: `peer.py <duckdb|adbc|connectorx>`. Each line of standard input is a job in
JSON: the URL of the ledger, the exported moment or null, and the tables. Each answer is one line with the rows of each table.

With a moment a file gets what ours has: the rows of that moment, required columns, field ids, descriptions, its SHA-256 and
that of each block of 1 MiB, and a count of the rows in its footer. Without it the peer writes a file as its manual shows.
"""
import hashlib, json, pathlib, sys

BLOCK = 1024 * 1024
# The rows of a row group in our files.
GROUP_ROWS = 131_072


def schema_of(columns):
    import pyarrow as pa

    types = {
        "VARCHAR": pa.string(),
        "INTEGER": pa.int32(),
        "BIGINT": pa.int64(),
        "DOUBLE": pa.float64(),
        "BOOLEAN": pa.bool_(),
        "DATE": pa.date32(),
        "TIMESTAMP WITH TIME ZONE": pa.timestamp("us", "UTC"),
    }
    return pa.schema(
        pa.field(
            column["name"],
            types[column["type"]],
            column["nullable"],
            {"PARQUET:field_id": str(number), "description": column["description"]},
        )
        for number, column in enumerate(columns, 1)
    )


def write_batches(batches, schema, file, promises):
    """Writes the batches one by one; the schema is the peer's own without the promises."""
    import pyarrow as pa, pyarrow.parquet as pq

    rows = 0
    with pq.ParquetWriter(file, schema, compression="zstd") as writer:
        for batch in batches:
            if promises:
                batch = pa.RecordBatch.from_arrays(
                    [column.cast(field.type) for column, field in zip(batch.columns, schema)], schema=schema
                )
                for column, field in zip(batch.columns, schema):
                    if not field.nullable and column.null_count > 0:
                        sys.exit(f"{field.name} is empty in a row")
            writer.write_batch(batch)
            rows += batch.num_rows
    return rows


def prove(file, rows):
    """The digests of the file, and the count of its footer."""
    import pyarrow.parquet as pq

    whole, blocks = hashlib.sha256(), []
    with open(file, "rb") as stored:
        while block := stored.read(BLOCK):
            whole.update(block)
            blocks.append(hashlib.sha256(block).digest())
    found = pq.read_metadata(file).num_rows
    if found != rows:
        sys.exit(f"{file}: {rows} rows were read, the file holds {found}")
    return whole.hexdigest()


class DuckDB:
    def __init__(self, url):
        import duckdb, duckdb_extension_postgres_scanner as scanner

        self.connection = duckdb.connect()
        # The extension comes from its wheel, where DuckDB's own site is out of reach.
        [extension] = pathlib.Path(scanner.__path__[0]).rglob("*.duckdb_extension")
        self.connection.load_extension(str(extension))
        self.connection.execute("set timezone = 'UTC'")
        self.connection.execute(f"attach '{url}' as ledger (type postgres, read_only)")

    def begin(self, moment):
        self.connection.execute("begin")
        if moment is not None:
            self.connection.execute(f"call postgres_execute('ledger', $$set transaction snapshot '{moment}'$$)")

    def write(self, select, schema, file):
        query = f"from postgres_query('ledger', $select${select}$select$)"
        if schema is not None:
            batches = self.connection.sql(query).to_arrow_reader(GROUP_ROWS)
            return write_batches(batches, schema, file, True)
        written = self.connection.execute(f"copy ({query}) to '{file}' (format parquet, compression zstd)")
        return written.fetchone()[0]

    def end(self):
        self.connection.execute("rollback")


class Adbc:
    def __init__(self, url):
        import adbc_driver_postgresql.dbapi as adbc

        self.connection = adbc.connect(url, autocommit=True)

    def begin(self, moment):
        self.cursor = self.connection.cursor()
        self.cursor.execute("begin isolation level repeatable read read only")
        if moment is not None:
            self.cursor.execute(f"set transaction snapshot '{moment}'")

    def write(self, select, schema, file):
        self.cursor.execute(select)
        reader = self.cursor.fetch_record_batch()
        return write_batches(reader, schema or reader.schema, file, schema is not None)

    def end(self):
        self.cursor.execute("rollback")
        self.cursor.close()


class ConnectorX:
    """It makes a session for each table, and holds the whole table."""

    def __init__(self, url):
        import connectorx

        self.url, self.read = url, connectorx.read_sql

    def begin(self, moment):
        self.before = ["begin isolation level repeatable read read only"]
        if moment is not None:
            self.before.append(f"set transaction snapshot '{moment}'")

    def write(self, select, schema, file):
        table = self.read(self.url, select, return_type="arrow", pre_execution_query=self.before)
        return write_batches(
            table.to_batches(max_chunksize=GROUP_ROWS), schema or table.schema, file, schema is not None
        )

    def end(self):
        pass


peer = None
for line in sys.stdin:
    job = json.loads(line)
    peer = peer or {"duckdb": DuckDB, "adbc": Adbc, "connectorx": ConnectorX}[sys.argv[1]](job["url"])
    moment = job["moment"]
    peer.begin(moment)
    rows = []
    for table in job["tables"]:
        schema = None if moment is None else schema_of(table["columns"])
        rows.append(peer.write(table["select"], schema, table["file"]))
        if moment is not None:
            prove(table["file"], rows[-1])
    peer.end()
    print(json.dumps({"rows": rows}), flush=True)
