/** The snippets of the documentation, one for each client and each way to prove who one is. */

export const WAYS = ['Bearer', 'Basic', 'link'] as const;

type Way = (typeof WAYS)[number];

export interface ClientSnippets {
  readonly client: string;
  /** What runs it. */
  readonly runs: 'bash' | 'node' | 'python3';
  /** What it needs beside this project's own packages: an npm package to install, or a module of Python. */
  readonly needs?: string;
  /** The code, which prints how many rows `costs` has; null where the client cannot send what is asked for. */
  readonly code: (way: Way) => string | null;
  /** What to do where it cannot. */
  readonly remark?: string;
}

const AUTHORIZATION: Readonly<Record<Way, string>> = {
  Bearer: '{ authorization: `Bearer ${process.env.TOKEN}` }',
  Basic: '{ authorization: `Basic ${btoa(`token:${process.env.TOKEN}`)}` }',
  link: '{}',
};
/** For clients that read the file whole; `latest` may be another file at the next request. */
const urlIn = (way: Way): string =>
  way === 'link' ? 'process.env.LINK' : '`${process.env.BASE_URL}/reporting/latest/costs.parquet`';
/** For clients that read ranges: all must be of one file. */
const fixedUrlIn = (way: Way): string =>
  way === 'link' ? 'process.env.LINK' : '`${process.env.SNAPSHOT_URL}/costs.parquet`';

const fetched = (way: Way): string => `const url = ${urlIn(way)};
const answer = await fetch(url, { headers: ${AUTHORIZATION[way]} });
if (!answer.ok) throw new Error(await answer.text());
const bytes = new Uint8Array(await answer.arrayBuffer());`;

const PYTHON: Readonly<Record<Way, string>> = {
  Bearer: 'headers = {"Authorization": f"Bearer {os.environ[\'TOKEN\']}"}',
  Basic:
    'headers = {"Authorization": "Basic " + base64.b64encode(f"token:{os.environ[\'TOKEN\']}".encode()).decode()}',
  link: 'headers = {}',
};
const LATEST_COSTS = 'os.environ["BASE_URL"] + "/reporting/latest/costs.parquet"';
const FIXED = 'os.environ["SNAPSHOT_URL"] + "/costs.parquet"';
const pythonAsked = (way: Way, address: string, ...modules: readonly string[]): string => `import ${[
  ...(way === 'Basic' ? ['base64'] : []),
  ...modules,
].join(', ')}
url = ${way === 'link' ? 'os.environ["LINK"]' : address}
${PYTHON[way]}`;
const pythonFetched = (way: Way): string => `${pythonAsked(way, LATEST_COSTS, 'io', 'os', 'urllib.request')}
file = io.BytesIO(urllib.request.urlopen(urllib.request.Request(url, headers=headers)).read())`;

const DUCKDB: Readonly<Record<Way, string>> = {
  Bearer: `url = ${FIXED}
connection.execute(f"create secret crossfoot (type http, bearer_token '{os.environ['TOKEN']}')")`,
  Basic: `url = ${FIXED}
password = base64.b64encode(f"token:{os.environ['TOKEN']}".encode()).decode()
connection.execute("create secret crossfoot (type http, extra_http_headers map {'Authorization': 'Basic " + password + "'})")`,
  link: 'url = os.environ["LINK"]',
};

/** The server allows no other origin, so that a link in a foreign page gives nothing away. */
const NO_CORS =
  'It works outside browsers only: the server sends no CORS headers, so a page of another origin cannot read its answers.';

export const CLIENTS: readonly ClientSnippets[] = [
  {
    client: 'curl',
    runs: 'bash',
    code: (way) => {
      const who = { Bearer: '-H "Authorization: Bearer $TOKEN"', Basic: '-u "token:$TOKEN"', link: '' }[way];
      const from = way === 'link' ? '"$LINK"' : '$BASE_URL/reporting/latest/costs.parquet';
      return `curl --fail --silent --show-error ${who} -o costs.parquet ${from}
curl --fail --silent --show-error -u "token:$TOKEN" $SNAPSHOT_URL/SHA256SUMS | sha256sum -c --ignore-missing --status
curl --fail --silent --show-error -u "token:$TOKEN" $SNAPSHOT_URL/costs.csv | grep -c "^$(basename $SNAPSHOT_URL),"`;
    },
  },
  {
    client: 'DuckDB (@duckdb/node-api)',
    runs: 'node',
    code: (way) => `import { writeFile } from 'node:fs/promises';
import { DuckDBInstance } from '@duckdb/node-api';
${fetched(way)}
await writeFile('costs.parquet', bytes);
const connection = await (await DuckDBInstance.create()).connect();
const reader = await connection.runAndReadAll("select count(*) from 'costs.parquet'");
console.log(String(reader.getRows()[0][0]));`,
  },
  {
    client: 'DuckDB (httpfs)',
    runs: 'python3',
    needs: 'duckdb',
    remark:
      'It reads ranges. With a network, `install httpfs; load httpfs` needs no second package. `attach.sql` makes a view of each table over its link.',
    code: (way) => `import base64, os, pathlib, duckdb, duckdb_extension_httpfs
[extension] = pathlib.Path(duckdb_extension_httpfs.__path__[0]).rglob("httpfs.duckdb_extension")
connection = duckdb.connect()
connection.load_extension(str(extension))
${DUCKDB[way]}
print(connection.execute(f"select count(*) from read_parquet('{url}')").fetchone()[0])`,
  },
  {
    client: 'hyparquet',
    runs: 'node',
    remark: `It reads ranges. ${NO_CORS}`,
    code: (way) => `import { asyncBufferFromUrl, parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
const requestInit = { headers: ${AUTHORIZATION[way]} };
const file = await asyncBufferFromUrl({ url: ${fixedUrlIn(way)}, requestInit });
const rows = await parquetReadObjects({ file, compressors, columns: ['cost_entry_id'] });
console.log(rows.length);`,
  },
  {
    client: 'parquet-wasm (fetched)',
    runs: 'node',
    remark: NO_CORS,
    code: (way) => `import { tableFromIPC } from 'apache-arrow';
import { readParquet } from 'parquet-wasm';
${fetched(way)}
console.log(tableFromIPC(readParquet(bytes).intoIPCStream()).numRows);`,
  },
  {
    client: 'parquet-wasm (ParquetFile.fromUrl)',
    runs: 'node',
    remark: `It sends no Authorization (https://github.com/kylebarron/parquet-wasm/issues/846): use a link, or fetch the file as the section *parquet-wasm (fetched)* shows. ${NO_CORS}`,
    code: (way) =>
      way === 'link'
        ? `import { tableFromIPC } from 'apache-arrow';
import { ParquetFile } from 'parquet-wasm';
const file = await ParquetFile.fromUrl(process.env.LINK);
console.log(tableFromIPC((await file.read()).intoIPCStream()).numRows);`
        : null,
  },
  {
    client: 'nodejs-polars',
    runs: 'node',
    needs: 'nodejs-polars',
    code: (way) => `import pl from 'nodejs-polars';
${fetched(way)}
console.log(pl.readParquet(Buffer.from(bytes)).height);`,
  },
  {
    client: 'pyarrow',
    runs: 'python3',
    needs: 'pyarrow',
    code: (way) => `${pythonFetched(way)}
import pyarrow.parquet
print(pyarrow.parquet.read_table(file).num_rows)`,
  },
  {
    client: 'pandas',
    runs: 'python3',
    needs: 'pandas',
    remark:
      'Without `dtype_backend="pyarrow"`, integer columns that have empty cells become floats: see the section *Whole numbers in pandas*.',
    code: (way) => `${pythonAsked(way, LATEST_COSTS, 'os', 'pandas')}
print(len(pandas.read_parquet(url, storage_options=headers, dtype_backend="pyarrow")))`,
  },
  {
    client: 'Polars for Python',
    runs: 'python3',
    needs: 'polars',
    remark:
      'Given an address, it sends no Authorization (https://github.com/pola-rs/polars/issues/17197): use a link, `polars.scan_parquet(link)`, or fetch the file as the section *Polars for Python* shows.',
    code: (way) =>
      way === 'link'
        ? `import os, polars
print(polars.scan_parquet(os.environ["LINK"]).select(polars.len()).collect().item())`
        : `${pythonFetched(way)}
import polars
print(polars.read_parquet(file).height)`,
  },
  {
    client: 'fsspec',
    runs: 'python3',
    remark: 'It reads ranges.',
    needs: 'fsspec',
    code: (way) => `${pythonAsked(way, FIXED, 'os', 'fsspec', 'pyarrow.parquet')}
files = fsspec.filesystem("http", client_kwargs={"headers": headers})
with files.open(url) as file:
    print(pyarrow.parquet.read_table(file).num_rows)`,
  },
  {
    client: 'delta-sharing',
    runs: 'python3',
    needs: 'delta-sharing',
    remark:
      'Its profile holds a token. It also reads older versions, pins and changes: see [Mounting the tables](mount-the-tables.md).',
    code: (way) =>
      way === 'Bearer'
        ? `import json, os, delta_sharing
endpoint = os.environ["BASE_URL"].removesuffix("/v1") + "/delta-sharing"
with open("profile.json", "w") as file:
    json.dump({"shareCredentialsVersion": 1, "endpoint": endpoint, "bearerToken": os.environ["TOKEN"]}, file)
print(len(delta_sharing.load_as_pandas("profile.json#crossfoot.reporting.costs")))`
        : null,
  },
  {
    client: 'Spark (delta-sharing-spark)',
    runs: 'python3',
    needs: 'pyspark',
    remark:
      'Its profile holds a token. With a network, `.config("spark.jars.packages", "io.delta:delta-sharing-spark_2.13:…")` fetches the connector.',
    code: (way) =>
      way === 'Bearer'
        ? `import json, os
from pyspark.sql import SparkSession
endpoint = os.environ["BASE_URL"].removesuffix("/v1") + "/delta-sharing"
with open("profile.json", "w") as file:
    json.dump({"shareCredentialsVersion": 1, "endpoint": endpoint, "bearerToken": os.environ["TOKEN"]}, file)
spark = SparkSession.builder.master("local[1]").config("spark.jars", os.environ["JARS"]).getOrCreate()
profile = os.path.abspath("profile.json")
print(spark.read.format("deltaSharing").load(f"{profile}#crossfoot.reporting.costs").count())`
        : null,
  },
];
