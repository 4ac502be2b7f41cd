/** No slip of a file goes in silently: the rules refuse it alone, or `--expect` does. `npm run campaign -- slips` draws more. */
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readCatalogue } from '../../src/ledger/staging/catalogue.ts';
import { type Chance, chanceOf } from '../chaos/chance.ts';
import { loadFiles } from '../ledger/load/folder.ts';
import { type TestDatabase, createDatabase } from '../support/database.ts';
import { foundAccount } from '../support/ledger-rows.ts';
import { quickFolder } from '../support/quick-folder.ts';
import { itInSweeps } from '../support/sweeps.ts';
import { type Judge, expectedOf, loadJudge, readerJudge } from './judge.ts';
import { REFUSED_CELLS } from './refused-cells.ts';
import { REFUSED_FILES } from './refused-files.ts';
import { CONTENTS, type Sheet, drawSheet } from './sheet.ts';
import { type Slip, slipped } from './slip.ts';
import { UNSEEN } from './unseen.ts';

/** `npm run campaign -- slips` gives these. */
const READ = Number(process.env['SLIPS_READ'] ?? 0);
const LOADED = Number(process.env['SLIPS_LOADED'] ?? 0);
const SEED = Number(process.env['SLIPS_SEED'] ?? 50);

const REFUSED = [...REFUSED_CELLS, ...REFUSED_FILES];

let database: TestDatabase;
let folder: string;
let reads: Judge;
let loads: Judge;
beforeAll(async () => {
  database = await createDatabase();
  folder = await mkdtemp(join(quickFolder(), 'crossfoot-slips-'));
  const owner = await database.client('cf_owner');
  const { account } = await foundAccount(owner);
  const url = database.url('cf_owner');
  await loadFiles(
    url,
    { 'initiatives.csv': 'source_ref,title,stage\nJ,Mail,live\n' },
    { mode: 'upsert', account, source: 'slips' },
  );
  const table = (await readCatalogue(owner)).find(({ name }) => name === 'cost_entries');
  if (table === undefined) throw new Error('the ledger has no costs');
  reads = readerJudge({ folder }, table);
  loads = loadJudge({ folder }, { url, account });
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

/** Draws a file in which the slip can happen, and its bytes afterwards. */
function drawn(slip: Slip, chance: Chance): { readonly sheet: Sheet; readonly bytes: Buffer } {
  for (let tries = 0; tries < 1000; tries += 1) {
    const content = slip.content ?? chance.oneOf(CONTENTS);
    const forms = slip.forms.filter((form) => content === 'costs' || form !== 'standard input');
    const sheet = drawSheet(chance, content, chance.oneOf(forms));
    const bytes = slipped(slip, sheet, chance);
    if (bytes !== null) return { sheet, bytes };
  }
  throw new Error(`no file has a place for this slip: ${slip.kind}`);
}

/** Makes each slip in turn, so many in all; returns those that go in. */
async function silent(
  slips: readonly Slip[],
  judge: Judge,
  { draws, seed, withLine }: { readonly draws: number; readonly seed: number; readonly withLine: boolean },
): Promise<readonly string[]> {
  const found: string[] = [];
  for (let nth = 0; nth < draws; nth += 1) {
    const slip = slips[nth % slips.length];
    if (slip === undefined) break;
    const { sheet, bytes } = drawn(slip, chanceOf(seed + nth));
    const refused = await judge(sheet, bytes, withLine ? expectedOf(sheet) : undefined).catch(
      (error: unknown) => `an error: ${String(error)}`,
    );
    const isRight =
      refused !== null &&
      !refused.startsWith('an error') &&
      (!withLine || refused.startsWith('load_unexpected'));
    if (!isRight) {
      found.push(`seed ${seed + nth}, ${slip.kind}, ${sheet.content} as ${sheet.form}: ${refused}`);
      // A campaign of an hour tells at once.
      process.stderr.write(`${found.at(-1)}\n`);
    }
    if ((nth + 1) % 1_000 === 0) process.stderr.write(`${nth + 1} slips, ${found.length} silent\n`);
  }
  return found;
}

/** The slips that readers refuse without a database: in bills all of them. */
const READABLE: readonly Slip[] = REFUSED.flatMap((slip) => {
  if (slip.byDatabase !== true) return [slip];
  return slip.content === 'costs' ? [] : [{ ...slip, content: 'bill' }];
});

const everyFifth = (slips: readonly Slip[]): readonly Slip[] => slips.filter((_, index) => index % 5 === 0);

describe('a drawn file', () => {
  it('is loaded as it is, with the line of its rows and sums', async () => {
    const refused: string[] = [];
    for (let nth = 0; nth < 20; nth += 1) {
      const chance = chanceOf(SEED + nth);
      const { sheet, bytes } = drawn(
        { kind: 'none', forms: ['csv', 'csv.gz', 'standard input', 'ndjson', 'parquet'] },
        chance,
      );
      for (const judge of [reads, ...(nth < 6 ? [loads] : [])]) {
        const why = await judge(sheet, bytes, expectedOf(sheet));
        if (why !== null) refused.push(`seed ${SEED + nth}, ${sheet.content} as ${sheet.form}: ${why}`);
      }
    }
    expect(refused).toEqual([]);
  });

  it('is refused by its readers after each slip that the rules can see', async () => {
    expect(await silent(READABLE, reads, { draws: READABLE.length, seed: SEED, withLine: false })).toEqual(
      [],
    );
  });

  it('is refused by a load after each slip that the rules can see', async () => {
    expect(
      await silent(everyFifth(REFUSED), loads, { draws: REFUSED.length / 5, seed: SEED, withLine: false }),
    ).toEqual([]);
  });

  it('is refused with its line of rows and sums after each slip that no rule can see', async () => {
    expect(await silent(UNSEEN, reads, { draws: 3 * UNSEEN.length, seed: SEED, withLine: true })).toEqual([]);
    expect(
      await silent(everyFifth(UNSEEN), loads, { draws: UNSEEN.length / 5, seed: SEED, withLine: true }),
    ).toEqual([]);
  });

  itInSweeps('is refused after thousands of slips', { timeout: 3_600_000 }, async () => {
    const seed = SEED + 1_000_000;
    const [read, loaded] = [READ === 0 ? 4_000 : READ, LOADED === 0 ? 300 : LOADED];
    const found = [
      ...(await silent(REFUSED, loads, { draws: (loaded * 3) / 4, seed, withLine: false })),
      ...(await silent(UNSEEN, loads, { draws: loaded / 4, seed, withLine: true })),
      ...(await silent(READABLE, reads, { draws: (read * 3) / 4, seed, withLine: false })),
      ...(await silent(UNSEEN, reads, { draws: read / 4, seed, withLine: true })),
    ];
    expect(found).toEqual([]);
  });
});
