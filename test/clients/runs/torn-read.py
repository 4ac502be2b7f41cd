"""Reads columns a and b of an address with one reader, and prints which snapshots their values come from."""
import json, pathlib, sys

reader, url = sys.argv[1:]


def duckdb():
    import duckdb, duckdb_extension_httpfs

    [extension] = pathlib.Path(duckdb_extension_httpfs.__path__[0]).rglob("httpfs.duckdb_extension")
    connection = duckdb.connect()
    connection.load_extension(str(extension))
    seen = "list(distinct {0} // 1000000000000)"  # least and greatest values would come from the footer
    return connection.execute(f"select {seen.format('a')}, {seen.format('b')} from '{url}'").fetchone()


def seen_in(column):
    import pyarrow.compute as pc

    return pc.unique(pc.divide(column, 10**12)).to_pylist()


def of_file(file):
    import pyarrow.parquet as pq

    table = pq.ParquetFile(file)
    return [seen_in(table.read(columns=[name])[name]) for name in ("a", "b")]


def fsspec():
    import fsspec

    return of_file(fsspec.filesystem("http").open(url, block_size=65536, cache_type="readahead"))


def polars():
    import polars as pl

    frame = pl.scan_parquet(url).select(pl.col("a"), pl.col("b")).collect()
    return [seen_in(frame[name].to_arrow()) for name in ("a", "b")]


def clickhouse():
    import chdb

    seen = "groupUniqArray(toInt32(intDiv({0}, 1000000000000)))"
    said = chdb.query(
        f"select {seen.format('a')}, {seen.format('b')} from url('{url}', Parquet)", "JSONCompactEachRow"
    )
    return json.loads(str(said).strip())


def daft():
    import daft

    table = daft.read_parquet(url).to_arrow()
    return [seen_in(table[name]) for name in ("a", "b")]


def object_store():
    import io, obstore
    from obstore.store import HTTPStore

    base, name = url.rsplit("/", 1)
    store = HTTPStore.from_url(base, client_options={"allow_http": True})

    class Ranges(io.RawIOBase):
        at, size = 0, obstore.head(store, name)["size"]
        seekable = readable = lambda self: True
        tell = lambda self: self.at

        def seek(self, offset, whence=0):
            self.at = offset + (0, self.at, self.size)[whence]
            return self.at

        def read(self, length=-1):
            end = self.size if length < 0 else min(self.at + length, self.size)
            found = bytes(obstore.get_range(store, name, start=self.at, end=end)) if end > self.at else b""
            self.at = end
            return found

    return of_file(Ranges())


a, b = globals()[reader]()
print(json.dumps({"a": a, "b": b}))
