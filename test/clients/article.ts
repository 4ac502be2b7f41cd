/** The page of the documentation that the client matrix writes. */
import { CLIENTS, WAYS } from './snippets.ts';
import { WHOLE_RUNS } from './whole-runs.ts';

export const ARTICLE = 'docs/articles/clients.md';

/** What came of a snippet, `works` or why not; of a whole run, its figures. */
export type Outcome = string;

export const FAILS: Outcome = 'FAILS';

/** The journeys have no package of npm beside the program's own, and no Java. */
const OTHER_PACKAGES = ['nodejs-polars', 'pyspark'];
const MARK = '<!-- not run: needs more packages; the campaign clients runs it -->\n';

const LANGUAGES = { bash: 'sh', node: 'js', python3: 'python' } as const;

/** The whole page: the tables of what was run, then each client's snippet with a bearer token. */
export function article(
  outcomes: ReadonlyMap<string, readonly Outcome[]>,
  wholeRuns: ReadonlyMap<string, Outcome>,
  versions: string,
): string {
  const wholeRows = WHOLE_RUNS.map(({ title }) => `| ${title} | ${wholeRuns.get(title) ?? 'not run'} |\n`);
  const rows = CLIENTS.map(({ client, remark = '' }) => {
    const cells = outcomes.get(client) ?? [];
    return `| ${[client, ...WAYS.map((_, index) => cells[index] ?? 'not run'), remark].join(' | ')} |\n`;
  });
  const snippets = CLIENTS.map(
    ({ client, runs, code, needs }) =>
      `## ${client}\n\n${OTHER_PACKAGES.includes(needs ?? '') ? MARK : ''}\`\`\`${LANGUAGES[runs]}\n${code('Bearer') ?? code('link')}\n\`\`\`\n`,
  );
  return `---
id: 40
slug: clients
theme: Warehouse
title: Clients that read the files
summary: Which client reads a table with a bearer token, a password or a link, each tried against a real server.
published: true
---

\`npm run campaign -- clients\` starts a Crossfoot server, runs every snippet below with its client, and writes this page.
Each snippet prints the number of rows of \`costs\`. The campaign compares it with the manifest; curl checks the file with
\`sha256sum\` too. The versions of all packages are pinned in \`test/clients/packages\`.
Tried with ${versions}.
A jar with a commit in place of a version was built from the source of that commit.

| client | ${WAYS.join(' | ')} | |
|---|${WAYS.map(() => '---|').join('')}---|
${rows.join('')}
Larger tools were run on two published snapshots, versions 1 and 2. Version 1 is pinned. From 1 to 2, one cost was added, one
was deleted, and one rose by a cent. Figures that must be equal were compared to the cent.

| run | outcome |
|---|---|
${wholeRows.join('')}
## Whole numbers in pandas

By default pandas has no whole number that may be empty: such a column becomes a float, and a float is exact up to 2^53 only.
\`dtype_backend="pyarrow"\` keeps the numbers whole. \`delta-sharing\` has no such option. If all values are below 2^53,
\`frame["usd_amount_cents"].astype("Int64")\` makes the column whole again. Or read a link with pyarrow: it keeps whole numbers.

## Variables

The snippets read variables. \`BASE_URL\` is the address of the API, which ends in \`/v1\`. \`TOKEN\` is an access
token. \`SNAPSHOT_URL\` is the address of a snapshot by its id. For the last column, \`LINK\` is a link to the table.
\`JARS\` are the files of Spark's connector.

A client that reads ranges gets \`SNAPSHOT_URL\` or a link, never \`latest\`: \`latest\` is another file after each night, so it
[answers such a client with the whole file or not at all](http.md). This gives the address of the newest snapshot:

\`\`\`sh
ID=$(curl -sSf -H "Authorization: Bearer $TOKEN" "$BASE_URL/reporting/latest" | jq -r .snapshot_id)
export SNAPSHOT_URL="$BASE_URL/reporting/snapshots/$ID"
\`\`\`

${snippets.join('\n')}`;
}
