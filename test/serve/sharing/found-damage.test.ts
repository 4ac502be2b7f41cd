/** A file that the server itself found damaged while a client read it: no scrub has said so yet. */
import { afterEach, expect, it } from 'vitest';
import { SECOND } from '../../snapshot/builder/build-harness.ts';
import { fileOf, IDS, pathOf, refusalOf, shareCompany, versionIn } from './shared-company.ts';

const TABLES = '/shares/crossfoot/schemas/reporting/tables';

let company: Awaited<ReturnType<typeof shareCompany>>;
afterEach(() => company.close());

it('a table whose file was damaged while it was read gives out no further link, and the other tables do', async () => {
  company = await shareCompany();
  const { ask, query, damage, clock } = company;
  const { url } = await fileOf(await query({}));
  damage(IDS[3], 'costs.parquet');
  // Nothing was read: the server does not know yet.
  expect((await query({})).status).toBe(200);
  expect((await ask(pathOf(url))).status).toBe(503);
  for (const answer of [
    await query({}),
    await query({ version: 4 }),
    await query({ refreshToken: 'v4' }),
    await ask(`${TABLES}/costs/metadata`),
    await ask(`${TABLES}/costs/version`),
  ]) {
    const [status, { errorCode, message }] = await refusalOf(answer);
    expect([status, errorCode]).toEqual([503, 'TEMPORARILY_UNAVAILABLE']);
    expect(message).toContain('costs.parquet');
  }
  expect(versionIn(await query({}, `${TABLES}/snapshot`))).toBe('4');
  expect(versionIn(await query({ version: 2 }))).toBe('2');
  // The bit is turned back: the file is read again after five seconds, and its links are given out.
  damage(IDS[3], 'costs.parquet');
  expect((await query({})).status).toBe(503);
  clock.now += 5n * SECOND;
  const { url: again } = await fileOf(await query({}));
  expect(await (await ask(pathOf(again))).text()).toBe(`costs of ${IDS[3]}`);
});
