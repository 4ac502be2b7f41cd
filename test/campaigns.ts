/** Every campaign of `npm run campaign`: what takes too long for the gate, or needs a program beyond Node and npm. */

interface Campaign {
  readonly name: string;
  /** One sentence: what it shows. */
  readonly shows: string;
  /** What it needs beyond Node and npm. */
  readonly needs?: string;
  /** Options that stand before those of the command line, which win. */
  readonly options?: readonly string[];
  /** The options with which `.ci/run` runs it; it does not run one without them. */
  readonly ci?: readonly string[];
  /** Its file, which does the work as it is imported. */
  readonly run: () => Promise<unknown>;
}

export const CAMPAIGNS: readonly Campaign[] = [
  {
    name: 'alerts',
    shows: 'Prometheus evaluates the alert rules on recorded metrics.',
    needs: 'promtool, or the program that PROMTOOL names',
    ci: [],
    run: () => import('./alerts/run.ts'),
  },
  {
    name: 'as-of',
    shows:
      'As of a snapshot the API answers what it answered live, over fifty generated ledgers, also after edits.',
    run: () => import('./serve/live/as-of-ledgers.ts'),
  },
  {
    name: 'backup',
    shows: 'The ledger, dumped by pg_dump and restored by pg_restore, is the same row for row.',
    needs: 'pg_dump and pg_restore of PostgreSQL 18 or later',
    ci: [],
    run: () => import('./backup/pg-dump.ts'),
  },
  {
    name: 'build-memory',
    shows:
      'The build of a large account stays within its memory, and takes hardly more than one of a quarter.',
    run: () => import('./bench/build-memory.ts'),
  },
  {
    name: 'chaos',
    shows:
      'Faults of every kind are done to the real code, and nothing wrong comes of them: `npm run chaos`.',
    ci: ['--short'],
    run: () => import('./chaos/chaos.ts'),
  },
  {
    name: 'clickhouse',
    shows:
      'ClickHouse and DuckDB load a delivered snapshot by the printed SQL, from a folder and from a bucket.',
    needs: 'python3 with venv, and the registry of Python',
    run: () => import('./warehouse/run.ts'),
  },
  {
    name: 'clients',
    shows: 'Each client of the documentation reads every row; writes docs/articles/clients.md.',
    needs:
      'python3 with venv, Java, Maven, and the registries of Python, Java, npm and dbt; DELTA_SHARING_JARS and DBT_UTILS name folders in place of two of them',
    run: () => import('./clients/clients.ts'),
  },
  {
    name: 'compose',
    shows:
      'Every service of compose.yaml runs as a process with its variables, from nothing to a published and delivered snapshot.',
    needs: 'openssl, psql, and versitygw, which VERSITYGW names or Go builds',
    run: () => import('./deploy/compose-processes.ts'),
  },
  {
    name: 'conformance',
    shows: 'The assistant passes the official conformance suite of its protocol.',
    run: () => import('./serve/assistant/conformance.ts'),
  },
  {
    name: 'deliveries',
    shows:
      'Deliveries into a bucket that loses answers, refuses, is full and slow end whole, no manifest before its files, also after kills.',
    ci: ['--short'],
    run: () => import('./deliveries/run.ts'),
  },
  {
    name: 'fleet',
    shows: 'Workers that are killed again and again build one night of many accounts, each exactly once.',
    run: () => import('./fleet/fleet.ts'),
  },
  {
    name: 'focus',
    shows: 'The validator of FOCUS passes the FOCUS files of real builds, as Parquet and as CSV.',
    needs: 'Python 3.12 or 3.13, or the program that FOCUS_PYTHON names, and the registry of Python',
    ci: [],
    run: () => import('./focus/run.ts'),
  },
  {
    name: 'fuzz',
    shows: 'No raw or odd request makes the server fail, open a strange file or grow: `chaos --only fuzz`.',
    options: ['--only', 'fuzz', '--times', '20000'],
    run: () => import('./chaos/chaos.ts'),
  },
  {
    name: 'interrupts',
    shows: 'Pulls that are cut off and killed at random bytes end with the whole published snapshot.',
    needs: 'python3, unless --programs names node alone',
    run: () => import('./client/interrupts.ts'),
  },
  {
    name: 'journeys',
    shows: 'The blocks of code of every page run against a first `npm start`, and print what the page shows.',
    needs: 'what .ci/install installs',
    ci: [],
    run: () => import('./journeys/run.ts'),
  },
  {
    name: 'ledgers',
    shows:
      'Two thousand ledgers whose cells are drawn to differ between engines are published, each of them.',
    run: () => import('./snapshot/drawn/ledgers.ts'),
  },
  {
    name: 'litellm',
    shows: 'A bill that the exporter of LiteLLM itself writes is loaded with its models, requests and costs.',
    needs: 'python3 with venv, and the registry of Python',
    run: () => import('./focus/litellm.ts'),
  },
  {
    name: 'pages',
    shows:
      'A browser shows every page, and clients of others connect through it; with --screenshots <folder> it renews the pictures of the README.',
    needs: 'Chromium, or the browser that CHROMIUM names',
    ci: [],
    run: () => import('./pages/run.ts'),
  },
  {
    name: 'pauses',
    shows:
      'No request to any route, page or tool stops the event loop for long, and 120 pages of one reader stop no other account.',
    ci: ['--short'],
    run: () => import('./pauses/pauses.ts'),
  },
  {
    name: 'plans',
    shows: 'On a million rows an index finds every page of every list.',
    ci: [],
    run: () => import('./plans/list-plans.ts'),
  },
  {
    name: 'pooler',
    shows:
      'Servers, builds and workers work through PgBouncer in transaction mode; the rest is refused in words.',
    needs: 'pgbouncer',
    ci: [],
    run: () => import('./postgres/pooler.ts'),
  },
  {
    name: 'postgres',
    shows: 'The ledger works on PostgreSQL 16 and 17, and gives the snapshots that 18 gives.',
    needs: 'npm and its registry',
    ci: ['--short'],
    run: () => import('./postgres/run.ts'),
  },
  {
    name: 'python',
    shows: '`pull.py` passes the tests of `pull.mjs`.',
    needs: 'python3, 3.9 or later',
    ci: [],
    run: () => import('./client/python.ts'),
  },
  {
    name: 'race',
    shows: 'Many processes publish for one account at once, and the log tells each the truth.',
    run: () => import('./fleet/race.ts'),
  },
  {
    name: 's3',
    shows:
      'The store, a build and `npx --no crossfoot start` work on a real bucket, also one that is killed meanwhile.',
    needs: 'a bucket in OBJECT_STORE, or a program in S3_STARTER that starts one',
    ci: [],
    run: () => import('./s3/run.ts'),
  },
  {
    name: 'search',
    shows: 'On a hundred thousand records of one account search finds its rows by indexes alone.',
    ci: [],
    run: () => import('./plans/search-plans.ts'),
  },
  {
    name: 'signatures',
    shows:
      'ssh-keygen, openssl and the library of Sigstore verify a real snapshot, as the documentation says.',
    needs: 'ssh-keygen, openssl, curl, jq, npm and its registry',
    ci: [],
    run: () => import('./signing/run.ts'),
  },
  {
    name: 'slips',
    shows:
      'A hundred thousand slips of files are refused, by the rules alone or by the line of their rows and sums.',
    run: () => import('./slips/many.ts'),
  },
  {
    name: 'soak',
    shows: 'A server that is read without a pause, beside builds and prunes, takes no more memory with time.',
    run: () => import('./soak/soak.ts'),
  },
  {
    name: 'torn',
    shows:
      'Readers of ranges, while snapshots are published, read the bytes of one snapshot or are refused; prints the matrix.',
    needs: 'python3 with venv, and the registry of Python',
    run: () => import('./clients/torn.ts'),
  },
  {
    name: 'unread',
    shows: 'Thousands of downloads whose clients read nothing do not fill the memory of a server.',
    run: () => import('./soak/unread.ts'),
  },
];
