/** Every row of the attack matrix, with what shows that the attack fails. */
import { SIGN_IN_ROWS } from './sign-in-rows.ts';

interface AttackRow {
  readonly id: `A-${number}`;
  readonly attack: string;
  /** Below test/, each with the id in the title of a test, or among the rows of a campaign. */
  readonly shownBy: readonly string[];
  /** What of it no test here can show, and why. */
  readonly untested?: string;
}

/** In the order of the matrix. */
export const ATTACK_ROWS: readonly AttackRow[] = [
  {
    id: 'A-1',
    attack: 'the id of another account, on every route, filter and tool',
    shownBy: [
      'chaos/campaigns/tenancy.ts',
      'serve/assistant/other-accounts.test.ts',
      'serve/tenancy.test.ts',
    ],
  },
  {
    id: 'A-2',
    attack: 'the snapshot id of another account',
    shownBy: ['serve/reporting/reporting-routes.test.ts'],
  },
  {
    id: 'A-3',
    attack: 'a query that forgot its account',
    shownBy: [
      'chaos/campaigns/tenancy.ts',
      'serve/assistant/other-accounts.test.ts',
      'serve/tenancy.test.ts',
    ],
  },
  {
    id: 'A-4',
    attack: 'holes in row security',
    shownBy: ['ledger/roles-check.test.ts', 'schema/row-security.test.ts'],
  },
  {
    id: 'A-5',
    attack: 'a pooled connection that keeps its last account',
    shownBy: ['chaos/campaigns/tenancy.ts', 'schema/row-security.test.ts', 'serve/tenancy.test.ts'],
  },
  {
    id: 'A-6',
    attack: 'SQL in a parameter',
    shownBy: ['attacks/constant-sql.test.ts', 'chaos/campaigns/fuzz.ts'],
  },
  { id: 'A-7', attack: 'a forged cursor', shownBy: ['serve/live/cursor.property.test.ts'] },
  {
    id: 'A-8',
    attack: 'guessing a token by its timing',
    shownBy: ['chaos/campaigns/tenancy.ts', 'ledger/tokens.test.ts'],
  },
  {
    id: 'A-9',
    attack: 'a token in logs, errors and addresses',
    shownBy: [
      'attacks/canary-tokens.test.ts',
      'serve/access-log.test.ts',
      'serve/reporting/link-routes.test.ts',
    ],
  },
  {
    id: 'A-10',
    attack: 'a token that no scanner knows',
    shownBy: ['attacks/security-article.test.ts', 'serve/auth/token.test.ts'],
  },
  { id: 'A-11', attack: 'a reporting token beyond reporting', shownBy: ['serve/routes-by-token.test.ts'] },
  {
    id: 'A-12',
    attack: 'a token that has ended',
    shownBy: [
      'run/server/service.test.ts',
      'serve/auth/authenticate.test.ts',
      'serve/auth/token-cache.test.ts',
    ],
  },
  {
    id: 'A-13',
    attack: 'learning the plan of an account',
    shownBy: ['serve/auth/authenticate.test.ts', 'serve/routes-by-token.test.ts'],
  },
  { id: 'A-14', attack: 'odd Basic credentials', shownBy: ['serve/auth/credentials.test.ts'] },
  {
    id: 'A-15',
    attack: 'two Authorization headers',
    shownBy: ['chaos/campaigns/fuzz.ts', 'serve/auth/authenticate.test.ts', 'serve/http/server.test.ts'],
  },
  {
    id: 'A-16',
    attack: 'brute force and noisy neighbours',
    shownBy: [
      'concurrency-limit.test.ts',
      'diff/feed-cache.test.ts',
      'diff/feed-of-many-versions.test.ts',
      'diff/kept-diffs.test.ts',
      'serve/limits/limit-requests.test.ts',
      'serve/rows/row-limit.test.ts',
      'serve/site/article-shelf.test.ts',
    ],
    untested: 'What another account waits meanwhile is a time, and times of a shared machine are no proof.',
  },
  {
    id: 'A-17',
    attack: 'paths that step upwards',
    shownBy: ['attacks/opened-paths.sweep.test.ts', 'chaos/campaigns/fuzz.ts', 'serve/http/paths.test.ts'],
  },
  { id: 'A-18', attack: 'a link in the folder of the store', shownBy: ['store/folder.test.ts'] },
  { id: 'A-19', attack: 'libraries that serve folders', shownBy: ['attacks/advisories.test.ts'] },
  {
    id: 'A-20',
    attack: 'request smuggling',
    shownBy: ['chaos/campaigns/fuzz.ts', 'serve/http/server.test.ts'],
    untested:
      'Behind a proxy: which bytes reach us is decided by that proxy; every form that two parties could read in two ways is refused and its connection closed.',
  },
  {
    id: 'A-21',
    attack: 'slow clients',
    shownBy: [
      'serve/http/connections.test.ts',
      'serve/http/listener-ends.test.ts',
      'serve/http/transfers.test.ts',
    ],
  },
  {
    id: 'A-22',
    attack: 'bodies where none belongs',
    shownBy: ['chaos/campaigns/fuzz.ts', 'serve/http/server.test.ts'],
  },
  {
    id: 'A-23',
    attack: 'very many headers and parameters',
    shownBy: [
      'attacks/many-parameters.test.ts',
      'chaos/campaigns/fuzz.ts',
      'serve/contract/contract.test.ts',
      'serve/http/server.test.ts',
    ],
  },
  {
    id: 'A-24',
    attack: 'abuse of ranges',
    shownBy: ['chaos/campaigns/fuzz.ts', 'serve/http/byte-range.test.ts'],
  },
  {
    id: 'A-25',
    attack: 'errors of Node itself',
    shownBy: ['chaos/campaigns/fuzz.ts', 'serve/http/server.test.ts'],
  },
  {
    id: 'A-26',
    attack: 'CONNECT, TRACE, upgrades and methods in headers',
    shownBy: ['chaos/campaigns/fuzz.ts', 'serve/app.test.ts', 'serve/http/server.test.ts'],
  },
  { id: 'A-27', attack: 'a poisoned Host', shownBy: ['serve/reporting/reporting-routes.test.ts'] },
  {
    id: 'A-28',
    attack: 'other origins, and caches between',
    shownBy: ['attacks/security-article.test.ts', 'serve/app.test.ts'],
  },
  {
    id: 'A-29',
    attack: 'requests of ours to where an attacker says',
    shownBy: ['store/s3-faults.sweep.test.ts', 'webhooks/allowed-addresses.test.ts'],
  },
  {
    id: 'A-30',
    attack: 'formulas and HTML in texts',
    shownBy: ['serve/site/article-html.test.ts', 'snapshot/read/table-csv.test.ts'],
  },
  {
    id: 'A-31',
    attack: 'columns that must never leave',
    shownBy: ['attacks/canary-columns.test.ts', 'serve/live/resources.test.ts'],
  },
  {
    id: 'A-32',
    attack: 'instructions to a model, in titles and notes',
    shownBy: ['serve/assistant/words-of-people.test.ts'],
    untested:
      'What a model then does is beyond the tools: they read only, and say that words of people are data.',
  },
  {
    id: 'A-33',
    attack: 'strangers, sessions and bombs at the assistant',
    shownBy: ['chaos/campaigns/fuzz.ts', 'serve/assistant/protocol.test.ts'],
  },
  {
    id: 'A-34',
    attack: 'search beyond the account',
    shownBy: ['ledger/lists/search-tenancy.test.ts', 'serve/assistant/other-accounts.test.ts'],
  },
  {
    id: 'A-35',
    attack: 'database roles that do what is not theirs',
    shownBy: ['ledger/roles-check.test.ts', 'schema/roles.test.ts'],
  },
  { id: 'A-36', attack: 'functions and grants of SQL', shownBy: ['schema/roles.test.ts'] },
  {
    id: 'A-37',
    attack: 'a stolen key of the bucket',
    shownBy: ['snapshot/format/publish-log.test.ts'],
    untested:
      'That the key may create and not delete is a policy of whoever runs the bucket; the page about deploying has it. What such a key can write shows in the chain of the log.',
  },
  {
    id: 'A-38',
    attack: 'bombs in Parquet',
    shownBy: ['snapshot/format/manifest.test.ts'],
    untested:
      'No file is read whose digest no manifest vouches for: a bomb would have to be written by our own builder.',
  },
  { id: 'A-39', attack: 'other things in the queue', shownBy: ['attacks/queued-payload.sweep.test.ts'] },
  {
    id: 'A-40',
    attack: 'a dependency that attacks',
    shownBy: ['attacks/bill-of-materials.sweep.test.ts', 'house/package.test.ts'],
  },
  {
    id: 'A-41',
    attack: 'health and metrics that tell',
    shownBy: ['attacks/crawl-without-token.test.ts', 'serve/metrics/metrics.test.ts'],
  },
  {
    id: 'A-42',
    attack: 'errors that tell of the inside',
    shownBy: ['chaos/campaigns/fuzz.ts', 'serve/app.test.ts'],
  },
  ...SIGN_IN_ROWS,
];
