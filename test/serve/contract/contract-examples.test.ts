/** The examples of the contract are what the fixture company's own API answers. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import figures from '../../../src/serve/contract/examples/figures.json' with { type: 'json' };
import { EXAMPLES } from '../../../src/serve/contract/examples.ts';
import { OPERATIONS } from './contract-operations.ts';
import { type LiveCompany, openLive } from '../live/live-company.ts';

type Row = Readonly<Record<string, unknown>>;

let company: LiveCompany;
beforeAll(async () => {
  company = await openLive('template_company', { readToday: async () => '2026-07-15' });
});
afterAll(() => company.close());

const rowsOf = (body: unknown): readonly Row[] => (body as { data?: readonly Row[] }).data ?? [body as Row];
const idOf = (row: Row) => row['id'] ?? row['initiative_id'];

it.each(Object.entries(figures))('%s is shown as it is answered', async (operationId, example) => {
  const operation = OPERATIONS.find((each) => each.operationId === operationId);
  const [shown] = rowsOf(example);
  const query = operation?.query.some(({ name }) => name === 'limit') === true ? '?limit=500' : '';
  const { body } = await company.ask(`${operation?.asked.slice('/v1'.length)}${query}`);
  const answered = rowsOf(body).find((row) => idOf(row) === idOf(shown ?? {}));
  // When a row was last changed is when the fixture was loaded.
  expect({ ...answered, updated_at: null }).toEqual({ ...shown, updated_at: null });
});

it('the contract shows the data packages as they are answered, of fewer tables', async () => {
  const { body } = await company.ask('/reporting/datapackage.json');
  const [snapshot] = (body as { readonly resources: readonly object[] }).resources;
  expect(EXAMPLES['get_data_package']).toEqual({ ...(body as object), resources: [snapshot] });
  expect(EXAMPLES['get_snapshot_data_package']).toMatchObject({
    name: 'crossfoot',
    title: 'Crossfoot reporting tables',
    version: '20260715T020000Z',
    resources: [{ name: 'snapshot' }, { parquet: { path: 'costs.parquet', bytes: 20_480 } }],
  });
});
