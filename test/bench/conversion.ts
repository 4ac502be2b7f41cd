/** A conversion of entries in foreign currencies, against one bare UPDATE that writes the same columns of the same rows. */
import type { Client } from 'pg';
import { asOwner } from '../../src/run/as-owner.ts';
import { requireOwner, openDatabases } from '../../src/run/databases.ts';
import { loadSharedRows } from '../../src/run/demo/shared-rows.ts';
import { readSettings } from '../../src/config.ts';
import { type Conversion, convert } from '../../src/ledger/convert/convert.ts';
import { inAccount } from '../support/ledger-rows.ts';
import { type Benchmark, type Figure, figure } from './benchmark.ts';
import { wronglyConverted } from './converted-exactly.ts';
import { addForeignEntries } from './ledgers/foreign-entries.ts';
import { timed } from './rounds.ts';

const ROWS = 1_000_000;
const TODAY = '2026-07-15';

export const conversion: Benchmark = {
  name: 'conversion',
  title: 'entries in foreign currencies brought to dollars',
  run: async ({ rows, folder, say }) => {
    const entries = rows ?? ROWS;
    const { signal } = new AbortController();
    const databases = await openDatabases(
      readSettings({ ...process.env, DATA_DIR: folder }),
      signal,
      undefined,
      {
        creates: true,
      },
    );
    try {
      await loadSharedRows(requireOwner(databases));
      return await asOwner(databases, 'crossfoot bench', (owner) => measure(owner, entries, say));
    } finally {
      await databases[Symbol.asyncDispose]();
    }
  },
};

const ASKED = { today: TODAY, signal: new AbortController().signal, onBatch: () => undefined };

/** The rows of account $1 that have a rate in account $2, which has the same entries. */
const update = (table: string, rate: string, key: string): string => `
  update ledger.${table} set ${rate}
  where account_id = $1 and (${key}) in (
    select distinct ${key} from ledger.${table} where account_id = $2 and usd_rate is not null)`;
const RATE = "usd_rate = 1.25, usd_rate_from = '2024-04-02', usd_rate_through = '2024-04-30'";
const ENDS_ON = "coalesce(period_end, 'infinity')";
const UPDATES = [
  update(
    'cost_entries',
    `${RATE}, usd_rate_provisional = false`,
    `currency, coalesce(period_start, created_at::date), ${ENDS_ON}`,
  ),
  update('value_entries', RATE, `currency, period_start, ${ENDS_ON}`),
];

/** How many entries it wrote. */
function writtenBy({ accounts }: Conversion): number {
  return accounts.flatMap(({ currencies }) => currencies).reduce((sum, { written }) => sum + written, 0);
}

/** Of two accounts with the same entries one is converted, and the rows that this wrote are updated in the other. */
async function measure(
  owner: Client,
  entries: number,
  say: (line: string) => void,
): Promise<readonly Figure[]> {
  const [converted, updated] = [
    await addForeignEntries(owner, entries),
    await addForeignEntries(owner, entries),
  ];
  say(`  two accounts of ${entries} entries made`);
  let written = 0;
  const ours = await timed(async () => {
    written = writtenBy(await convert(owner, { ...ASKED, account_id: converted }));
  });
  const wrong = await wronglyConverted(owner, converted, TODAY);
  if (wrong.length > 0) throw new Error(`wrongly converted: ${wrong.slice(0, 5).join('; ')}`);
  let rows = 0;
  const bare = await timed(async () => {
    for (const statement of UPDATES) {
      const { rowCount } = await inAccount(owner, updated, () =>
        owner.query(statement, [updated, converted]),
      );
      rows += rowCount ?? 0;
    }
  });
  if (rows !== written) throw new Error(`${written} rows were converted, and ${rows} updated`);
  const again = await timed(() => convert(owner, { ...ASKED, account_id: converted }));
  const of = `${written} entries, those of ${entries} that have a rate`;
  return [
    figure('conversion: wall', ours.wall_s / bare.wall_s, 'times', {
      against: `one UPDATE per table of the same ${of}`,
      target: { at_most: 2 },
    }),
    figure('conversion: entries a second', entries / ours.wall_s, '/s'),
    figure('conversion: again, with nothing to write', again.wall_s, 's'),
  ];
}
