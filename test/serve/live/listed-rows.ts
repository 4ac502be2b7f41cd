/** What each list must hold, straight from the base tables: the other side of the loop over all resources. */
import type { Client } from 'pg';
import { inAccount } from '../../support/ledger-rows.ts';
import type { LiveCompany } from './live-company.ts';

interface Expected {
  readonly table: string;
  /** SQL that is true for a row that is shown unless samples are asked for; `t` is the table. */
  readonly visible: string;
  /** The same when samples are asked for. */
  readonly withSamples: string;
}

const OF_NO_SAMPLE = `not exists (
  select from ledger.initiatives i where i.account_id = t.account_id and i.id = t.initiative_id and i.is_sample)`;

const EXPECTED: Readonly<Record<string, Expected>> = {
  initiatives: { table: 'initiatives', visible: 'not is_sample', withSamples: 'true' },
  budgets: { table: 'initiatives', visible: 'not is_sample', withSamples: 'true' },
  cost_entries: { table: 'cost_entries', visible: OF_NO_SAMPLE, withSamples: 'true' },
  value_entries: { table: 'value_entries', visible: OF_NO_SAMPLE, withSamples: 'true' },
  metrics: { table: 'metrics', visible: 'true', withSamples: 'true' },
  observations: {
    table: 'observations',
    visible: `deleted_at is null and ${OF_NO_SAMPLE}`,
    withSamples: 'true',
  },
  decisions: {
    table: 'portfolio_decisions',
    visible: `not is_sample and ${OF_NO_SAMPLE}`,
    withSamples: 'true',
  },
  // The rows of the company's bills add up to them, so there is no row for a rest.
  ai_usage: { table: 'usage', visible: 'not superseded', withSamples: 'not superseded' },
  integrations: { table: 'connections', visible: 'true', withSamples: 'true' },
};

export function expectedOf(name: string): Expected {
  const expected = EXPECTED[name];
  if (expected === undefined) throw new Error(`${name}: say in listed-rows.ts what this list must hold`);
  return expected;
}

/** The ids that a list must show, in order; `more` is a further condition on the table `t`. */
export async function expectedIds(
  owner: Client,
  name: string,
  more = 'true',
  { samples = false } = {},
): Promise<readonly number[]> {
  const { table, visible, withSamples } = expectedOf(name);
  const { rows } = await owner.query<{ id: bigint }>(
    `select id from ledger.${table} t
     where account_id = 1 and ${samples ? withSamples : visible} and (${more}) order by updated_at, id`,
  );
  return rows.map(({ id }) => Number(id));
}

/** Touches rows as a change of something served beside them does: only the stamp moves. */
export async function touch(owner: Client, name: string, ids: readonly number[]): Promise<void> {
  await inAccount(owner, 1n, () =>
    owner.query(
      `update ledger.${expectedOf(name).table} set updated_at = updated_at where account_id = 1 and id = any ($1)`,
      [ids],
    ),
  );
}

interface Listed {
  readonly data: readonly Readonly<Record<string, unknown>>[];
  readonly page: { readonly next_cursor: string | null; readonly has_more: boolean };
}

/** The id by which a row of a list stands in its order. */
export const idOf = (row: Readonly<Record<string, unknown>>): number =>
  Number('id' in row ? row['id'] : row['initiative_id']);

/** Asks for one page; fails unless it is one. */
export async function pageOf(company: LiveCompany, path: string): Promise<Listed> {
  const { status, body } = await company.ask(path);
  if (status !== 200) throw new Error(`${path} is answered ${status}: ${JSON.stringify(body)}`);
  return body as Listed;
}

/** All pages of a list to its end, one after the other. */
export async function* walk(company: LiveCompany, path: string): AsyncGenerator<Listed> {
  const and = path.includes('?') ? '&' : '?';
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: Listed = await pageOf(company, cursor === '' ? path : `${path}${and}cursor=${cursor}`);
    yield page;
    cursor = page.page.next_cursor;
  }
}

/** The ids of all rows of a list, in its order. */
export async function walkedIds(company: LiveCompany, path: string): Promise<readonly number[]> {
  const pages = await Array.fromAsync(walk(company, path));
  return pages.flatMap(({ data }) => data.map(idOf));
}
