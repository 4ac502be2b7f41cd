import type { Pool } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addPoints, forgetPoints } from '../../src/ops/rate-limits.ts';
import { type TestDatabase, createDatabase } from '../support/database.ts';

let database: TestDatabase;
let service: Pool;
beforeAll(async () => {
  database = await createDatabase();
  service = database.pool('cf_service', 8);
});
afterAll(() => database.drop());

const spent = (window_number: number, subject: string, points: number) => ({
  window_number,
  subject,
  points,
});

test('the points of several servers add up, by subject and window', async () => {
  expect(await addPoints(service, [spent(5, 'token:1', 3), spent(5, 'token:2', 1)])).toEqual([
    spent(5, 'token:1', 3),
    spent(5, 'token:2', 1),
  ]);
  expect(await addPoints(service, [spent(5, 'token:1', 4), spent(6, 'token:1', 1)])).toEqual([
    spent(5, 'token:1', 7),
    spent(6, 'token:1', 1),
  ]);
});

test('eight servers at once lose no point and never wait for each other in a circle', async () => {
  // Each tells of the same 50 subjects, in its own order.
  const told = Array.from({ length: 8 }, (_, server) =>
    Array.from({ length: 50 }, (__, index) => spent(7, `token:${(index * (2 * server + 1)) % 50}`, 1)).filter(
      (each, index, all) => all.findIndex(({ subject }) => subject === each.subject) === index,
    ),
  );
  await Promise.all(told.map((each) => addPoints(service, each)));
  const totals = await addPoints(service, [spent(7, 'token:0', 1), spent(7, 'token:1', 1)]);
  const tellers = (subject: string) =>
    told.filter((each) => each.some((point) => point.subject === subject)).length;
  expect(totals).toEqual([
    spent(7, 'token:0', tellers('token:0') + 1),
    spent(7, 'token:1', tellers('token:1') + 1),
  ]);
});

test('windows that have passed are forgotten, and no other', async () => {
  await addPoints(service, [spent(8, 'token:1', 1), spent(9, 'token:1', 1), spent(10, 'token:1', 1)]);
  await Promise.all([forgetPoints(service, 10), forgetPoints(service, 10)]);
  await forgetPoints(service, 10); // what two left to each other
  const { rows } = await service.query('select window_number, subject from ops.rate_limits');
  expect(rows).toEqual([{ window_number: 10n, subject: 'token:1' }]);
});
