/** Code to copy: how each client reads one snapshot. */
import { html } from 'hono/html';
import { pinnedUrl } from '../../snapshot/format/served-manifest.ts';
import { SHARING_PATH } from '../sharing/sharing-path.ts';
import { copyable } from '../frame/copyable.ts';

interface Snippet {
  readonly client: string;
  readonly code: string;
  /** The slug of the article about this client. */
  readonly article: string;
}

const CLIENTS = 'clients';

/** The snippets for one snapshot. Those for a single table read `costs` at its pinned address. */
function snippetsFor(snapshot_id: string, baseUrl: string): readonly Snippet[] {
  const snapshotUrl = pinnedUrl(snapshot_id, baseUrl);
  const table = `${snapshotUrl}/costs.parquet`;
  const fetched = `import io, os, urllib.request
url = "${table}"
headers = {"Authorization": f"Bearer {os.environ['TOKEN']}"}
file = io.BytesIO(urllib.request.urlopen(urllib.request.Request(url, headers=headers)).read())
`;
  const download = `curl --fail --silent --show-error -H "Authorization: Bearer $TOKEN" -o costs.parquet ${table}`;
  const pulled = `curl --fail --silent --show-error -o pull.mjs ${baseUrl.replace(/\/v1$/, '')}/pull.mjs
CROSSFOOT_TOKEN="$TOKEN" node pull.mjs --url ${baseUrl} --to snapshots --snapshot ${snapshot_id}
`;
  return [
    { client: 'curl', code: `${download}\n`, article: 'download-a-snapshot' },
    {
      client: 'DuckDB',
      code: `install httpfs;
load httpfs;
create secret crossfoot (type http, bearer_token 'paste the token here');
from read_parquet('${table}');
`,
      article: 'load-into-duckdb',
    },
    {
      client: 'pandas',
      code: `${fetched}import pandas\nprint(pandas.read_parquet(file))\n`,
      article: CLIENTS,
    },
    {
      client: 'Polars',
      code: `${fetched}import polars\nprint(polars.read_parquet(file))\n`,
      article: CLIENTS,
    },
    {
      client: 'Spark',
      code: `import os, urllib.request
url = "${table}"
headers = {"Authorization": f"Bearer {os.environ['TOKEN']}"}
with open("costs.parquet", "wb") as file:
    file.write(urllib.request.urlopen(urllib.request.Request(url, headers=headers)).read())
spark.read.parquet("costs.parquet").show()
`,
      article: CLIENTS,
    },
    {
      client: 'Databricks and Power BI',
      code: `{
  "shareCredentialsVersion": 1,
  "endpoint": "${baseUrl.replace(/\/v1$/, SHARING_PATH)}",
  "bearerToken": "paste a reporting token here"
}
`,
      article: 'mount-the-tables',
    },
    {
      client: 'Snowflake',
      code: `${pulled}curl --fail --silent --show-error -o load.sql ${baseUrl}/reporting/load/snowflake.sql
snowsql -q "create stage if not exists crossfoot file_format = (type = parquet use_logical_type = true)"
snowsql -q "put 'file://$PWD/snapshots/${snapshot_id}/*.parquet' @crossfoot auto_compress = false overwrite = true"
snowsql -f load.sql
`,
      article: 'load-into-snowflake',
    },
    {
      client: 'BigQuery',
      code: `${download}
bq mk --dataset --force "$PROJECT:crossfoot"
bq load --source_format=PARQUET --replace "$PROJECT:crossfoot.costs" costs.parquet
`,
      article: 'load-into-bigquery',
    },
    {
      client: 'dbt',
      code: `curl --fail --silent --show-error -o models/crossfoot.yml ${baseUrl}/reporting/dbt/sources.yml
dbt source freshness --select source:crossfoot
`,
      article: 'load-with-dbt',
    },
  ];
}

/** The section with all snippets; the first is open. */
export function snippetsSection(snapshot_id: string, baseUrl: string) {
  return html`<h2 id="read">Read it</h2>
    <p>
      Where a snippet needs an access token, it reads <code>TOKEN</code> or has a place for it. In a text,
      Ctrl+A and Ctrl+C copy the whole text (⌘ on a Mac).
      <a href="../docs/clients">Which clients were tried</a>; the others are written from their manuals.
    </p>
    ${snippetsFor(snapshot_id, baseUrl).map(
      ({ client, code, article }, index) =>
        html`<details name="client" ${index === 0 ? 'open' : ''}>
          <summary>${client}</summary>
          ${copyable(code, client)}
          <p><a href="../docs/${article}">More about ${client}</a></p>
        </details>`,
    )}`;
}
