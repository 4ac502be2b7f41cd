/** Search over a hundred thousand records of one account, as the assistant asks it. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Client } from 'pg';
import { openClient } from '../../src/ledger/connect.ts';
import { openLogins } from '../../src/embedded/logins.ts';
import { startEmbedded } from '../../src/embedded/embedded.ts';
import { migrate } from '../../src/ledger/migrate/migrate.ts';
import { searchAccount } from '../../src/ledger/lists/search.ts';
import { BIG, fillSearchLedger } from '../plans/search-ledger.ts';
import { asAdmin, createDatabase, databaseUrl } from '../support/cluster.ts';
import { inAccount } from '../support/ledger-rows.ts';
import { type Benchmark, type Figure, figure } from './benchmark.ts';
import { median, p99, timed } from './rounds.ts';

const SCHEMA = fileURLToPath(new URL('../../schema', import.meta.url));
const RUNS = 30;
/** What is asked for, and whether anything must be found. */
const QUESTIONS = [
  { query: 'pelican', kind: 'a word', finds: true },
  { query: 'invoi', kind: 'the beginning of a word', finds: true },
  { query: 'match invoices team 77', kind: 'several words', finds: true },
  { query: 'lovleace', kind: 'a misspelled name', finds: true },
  { query: 'zzyzx', kind: 'a word that no record has', finds: false },
] as const;

export const search: Benchmark = {
  name: 'search',
  title: 'search in a hundred thousand records of one account',
  run: async ({ folder }) => {
    const server = await startEmbedded({ dataDir: join(folder, 'data'), durable: false });
    try {
      const adminUrl = databaseUrl(server.adminUrl, 'search');
      await createDatabase(server.adminUrl, 'search', 'template0');
      await migrate({ adminUrl, folder: SCHEMA });
      await asAdmin(adminUrl, fillSearchLedger);
      const { cf_reader: url } = await openLogins(adminUrl, ['cf_reader']);
      const reader = await openClient({
        url,
        role: 'cf_reader',
        applicationName: 'crossfoot bench',
        onError: () => undefined,
      });
      try {
        const figures: Figure[] = [];
        for (const question of QUESTIONS) figures.push(...(await measure(reader, question)));
        return figures;
      } finally {
        await reader.end();
      }
    } finally {
      await server.stop();
    }
  },
};

async function measure(
  reader: Client,
  { query, kind, finds }: (typeof QUESTIONS)[number],
): Promise<readonly Figure[]> {
  const taken: number[] = [];
  for (let run = 0; run <= RUNS; run += 1) {
    const { wall_s } = await timed(async () => {
      const hits = await inAccount(reader, BIG, () =>
        searchAccount(reader, { query, types: null, limit: 20 }),
      );
      if (hits.length > 0 !== finds) throw new Error(`${query} finds ${hits.length}`);
    });
    // The first one reads from the disk what the others find in memory.
    if (run > 0) taken.push(wall_s * 1000);
  }
  return [
    figure(`search: ${kind}`, median(taken), 'ms', { runs: RUNS }),
    figure(`search: ${kind}, p99`, p99(taken), 'ms', { runs: RUNS }),
  ];
}
