/** A build that cuts its tables into ranges publishes the files of a build with one connection, or nothing. */
import { readdir } from 'node:fs/promises';
import type { Client } from 'pg';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { CrossfootError } from '../../../src/errors.ts';
import { canBeCut } from '../../../src/ledger/moment/table-ranges.ts';
import type { BuildTools } from '../../../src/snapshot/builder/build-tools.ts';
import { accountPrefix } from '../../../src/snapshot/format/keys.ts';
import { readChecksBeside } from '../../../src/run/builders/build-account.ts';
import { FILE_SETS } from '../../../src/tables/file-sets.ts';
import { cutOff, faultyClient } from '../builder/faulty-tools.ts';
import { itInSweeps } from '../../support/sweeps.ts';
import { outcomeOf } from '../../support/waiting.ts';
import {
  type Asked,
  type BuildHarness,
  change,
  listener,
  openBuildHarness,
  type Served,
  untilNoSession,
} from '../builder/real-build.ts';

/** The company has 60 costs: eight row groups of 8 rows, and more of other tables. */
const group_rows = 8;

let harness: BuildHarness;
let owner: Client;
let admin: Client;
let undivided: Served | null;
beforeAll(async () => {
  harness = await openBuildHarness();
  owner = await harness.database.client('cf_owner');
  admin = await harness.database.admin();
  await harness.build({ group_rows, checksBeside: await readChecksBeside() });
  undivided = await harness.served();
});
afterEach(() => untilNoSession(admin));
afterAll(() => harness.close());

/** Builds into an empty store; returns what it serves. */
async function buildIn(ranges: number, asked: Asked = {}): Promise<Served | null> {
  const store = await harness.emptyStore();
  await harness.build({ group_rows, ranges, range_lanes: 3, store, ...asked });
  return await harness.served(1n, store);
}

/** The error of a build in eight ranges, which must publish nothing and leave nothing. */
async function refusalIn(asked: Asked): Promise<unknown> {
  const store = await harness.emptyStore();
  const refusal = await outcomeOf(harness.build({ group_rows, ranges: 8, range_lanes: 3, store, ...asked }));
  const left: string[] = [];
  for await (const key of store.list(accountPrefix(1n))) left.push(key);
  expect(left).toEqual([]);
  expect(await readdir(harness.spool)).toEqual([]);
  return refusal;
}

/** Connections of which each but the first is changed. */
function afterFirst(fault: (connect: () => Promise<Client>) => Promise<Client>): () => Promise<Client> {
  let opened = 0;
  return () => {
    opened += 1;
    return opened === 1 ? harness.connect() : fault(harness.connect);
  };
}

/** What a snapshot publishes, without its times. */
function publishedOf(served: Served | null) {
  if (served === null) return null;
  const { tables, companions, focus, sums, files } = served;
  // `files` are audit.json, audit.sql, control.json, digests, footers and the schema.
  return { tables, companions, focus, sums, files };
}

/** What a build in ranges published, and the tables that it reported. */
async function builtIn(ranges: number) {
  let connections = 0;
  const connect = (): Promise<Client> => {
    connections += 1;
    return harness.connect();
  };
  const { events, onEvent } = listener();
  const served = await buildIn(ranges, { connect, onEvent, checksBeside: await readChecksBeside() });
  const written = events.flatMap((event) => (event.kind === 'table.written' ? [event.table] : []));
  // Costs alone have so many ranges, each with a connection.
  return { published: publishedOf(served), written: written.toSorted(), wide: connections > ranges };
}

const ofOneConnection = () => ({
  published: publishedOf(undivided),
  written: undivided?.tables.map(({ name }) => name).toSorted(),
  wide: true,
});

itInSweeps('three ranges of each table: every file has the SHA-256 of one connection', async () => {
  expect(await builtIn(3)).toEqual(ofOneConnection());
});

it('a build reads keys to cut its tables only if ranges are requested', async () => {
  const connect = (): Promise<Client> =>
    faultyClient(harness.connect, 'row_number() over keys', () => 'select 1 / 0');
  const store = await harness.emptyStore();
  await harness.build({ group_rows, store, connect });
  expect(await harness.served(1n, store)).not.toBeNull();
  expect(await refusalIn({ connect })).toMatchObject({ code: '22012' });
});

it('a build offers ranges of its companion tables and FOCUS file, and reads the keys of the costs once for both', async () => {
  const offered = new Set<string>();
  let readings = 0;
  const connect = (): Promise<Client> =>
    faultyClient(harness.connect, 'row_number() over keys', (client) => {
      expect(client).toBeDefined();
      readings += 1;
    });
  const shareRanges: BuildTools['shareRanges'] = async ({ ranges }) => {
    for (const { table } of ranges) offered.add(table);
    return null;
  };
  await buildIn(2, { connect, shareRanges, checksBeside: await readChecksBeside() });
  const beside = [...offered].filter((name) => undivided?.tables.every((table) => table.name !== name));
  // The company has at most eight decisions and eight metrics.
  expect(beside.toSorted()).toEqual([
    'api_ai_usage',
    'api_cost_entries',
    'api_initiatives',
    'api_integrations',
    'api_observations',
    'api_value_entries',
    'api_vendor_names',
    'focus',
  ]);
  const selects = FILE_SETS.flatMap((set) => set.tables.filter(canBeCut).map(({ from }) => from));
  expect(readings).toBe(selects.length - 1);
});

itInSweeps.each([2, 8])(
  '%d ranges of each table: every file has the SHA-256 of one connection',
  async (ranges) => {
    expect(await builtIn(ranges)).toEqual(ofOneConnection());
  },
);

itInSweeps('a build reports the rows of all ranges of a table together', async () => {
  const { events, onEvent } = listener();
  await buildIn(8, { onEvent });
  const rows = events.flatMap((event) =>
    event.kind === 'rows.written' && event.table === 'costs' ? [event.rows] : [],
  );
  const [costs] = undivided?.tables.filter(({ name }) => name === 'costs') ?? [];
  expect(rows.at(-1)).toBeGreaterThan(group_rows);
  expect(rows).toEqual(rows.toSorted((a, b) => a - b));
  expect(Math.max(...rows)).toBeLessThanOrEqual(costs?.row_count ?? 0);
});

const UNSEEN = {
  code: 'moment_unseen',
  message:
    'A connection that should read a range of a table does not see the moment of the build; nothing was published.',
};

itInSweeps(
  'a build refuses a range whose connection leads to a server that does not know the moment',
  async () => {
    const connect = afterFirst((open) =>
      faultyClient(open, 'set transaction snapshot', () => "set transaction snapshot '00000000-00000000-1'"),
    );
    expect(await refusalIn({ connect })).toMatchObject(UNSEEN);
  },
);

it('a build refuses a range whose connection sees a later moment', async () => {
  const connect = afterFirst(async (open) => {
    await change(owner, 'update ledger.accounts set name = name where id = 1');
    return await faultyClient(open, 'set transaction snapshot', () => 'select');
  });
  expect(await refusalIn({ connect })).toMatchObject(UNSEEN);
});

itInSweeps('a build refuses the snapshot if a range yields a row less than was counted', async () => {
  const connect = afterFirst(async (open) => {
    const client = await open();
    const query = client.query.bind(client) as (...given: unknown[]) => unknown;
    client.query = ((statement: { text?: string }, ...values: unknown[]) => {
      const { text } = statement;
      if (text?.includes('reporting.cost_entries') === true && text.startsWith('copy ('))
        statement.text = text.replace(' order by id', ' and id % 8 <> 3 order by id');
      return query(statement, ...values);
    }) as typeof client.query;
    return client;
  });
  const refusal = await refusalIn({ connect });
  expect(refusal).toMatchObject({ code: 'parts_refused', data: { table: 'costs' } });
  expect((refusal as CrossfootError).message).toMatch(
    /^costs: part \d of 9 has \d rows, expected 8; nothing was kept\.$/,
  );
});

itInSweeps('a build publishes nothing if a connection of a range is lost', async () => {
  const connect = afterFirst((open) => faultyClient(open, 'copy (', cutOff));
  expect(await refusalIn({ connect })).toBeInstanceOf(CrossfootError);
});

itInSweeps('a build publishes nothing if no further connection is granted', async () => {
  const connect = afterFirst(() => Promise.reject(new CrossfootError('database_unreachable', 'Too many.')));
  expect(await refusalIn({ connect })).toMatchObject({ code: 'database_unreachable', message: 'Too many.' });
});

itInSweeps('a build publishes nothing if the first connection is lost while ranges are read', async () => {
  let opened = 0;
  const connect = (): Promise<Client> => {
    opened += 1;
    return opened === 1 ? faultyClient(harness.connect, 'copy (', cutOff) : harness.connect();
  };
  expect(await refusalIn({ connect })).toBeInstanceOf(CrossfootError);
});

itInSweeps('a stop ends the ranges of a build', async () => {
  const stop = new AbortController();
  const reason = new Error('stopped by the test');
  const onEvent = (event: { readonly kind: string }): void => {
    if (event.kind === 'rows.written') stop.abort(reason);
  };
  expect(await refusalIn({ signal: stop.signal, onEvent })).toBe(reason);
});
