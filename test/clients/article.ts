/** The page of the documentation that the client matrix writes. */
import { CLIENTS, WAYS } from './snippets.ts';

export const ARTICLE = 'docs/articles/clients.md';

/** What came of a snippet: `works`, or why not. */
export type Outcome = string;

const LANGUAGES = { bash: 'sh', node: 'js', python3: 'python' } as const;

/** The whole page: the table of what was run, then each client's snippet with a bearer token. */
export function article(outcomes: ReadonlyMap<string, readonly Outcome[]>, versions: string): string {
  const rows = CLIENTS.map(({ client, remark = '' }) => {
    const cells = outcomes.get(client) ?? [];
    return `| ${[client, ...WAYS.map((_, place) => cells[place] ?? 'not run'), remark].join(' | ')} |\n`;
  });
  const snippets = CLIENTS.map(
    ({ client, runs, code }) =>
      `## ${client}\n\n\`\`\`${LANGUAGES[runs]}\n${code('Bearer') ?? code('link')}\n\`\`\`\n`,
  );
  return `---
id: 40
slug: clients
theme: Warehouse
title: Clients that read the files
summary: Which client reads a table with a bearer token, a password or a link, each tried against a real server.
published: true
---

\`npm run campaign -- clients\` starts this program, runs every snippet below with the client it is for, and writes this
page. Each snippet prints the number of rows of \`costs\`. The campaign compares it with the manifest; curl checks the
file with \`sha256sum\` too. Python has the packages of \`test/clients/requirements.txt\`.
Tried with ${versions}.

| client | ${WAYS.join(' | ')} | |
|---|${WAYS.map(() => '---|').join('')}---|
${rows.join('')}
The snippets read variables. \`BASE_URL\` is the address of the API, which ends in \`/v1\`. \`TOKEN\` is an access
token. \`SNAPSHOT_URL\` is the address of a pinned snapshot. For the last column, \`LINK\` is a link to the table.

${snippets.join('\n')}`;
}
