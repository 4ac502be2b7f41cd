/** The migration that makes the queue's tables, held to what the installed library would make. */
import { readFileSync } from 'node:fs';
import { getConstructionPlans } from 'pg-boss';
import { expect, it } from 'vitest';

const FILE = new URL('../../schema/ledger/0017-queue.sql', import.meta.url);
const [, OURS = ''] =
  /-- From here on as the library has it\.\n(.*)-- Up to here/s.exec(readFileSync(FILE, 'utf8')) ?? [];

/** Statements as they run: layout and empty statements say nothing. */
function normal(sql: string): string {
  return sql
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/(?: ?; ?)+/g, '; ')
    .trim();
}

it('the migration has every statement of the library, but for its lock and the partitions of an unused table', () => {
  const plan = normal(getConstructionPlans('ops', { createSchema: false }));
  const [begin = '', lock = ''] = /^begin; .*?advisory_xact_lock.*?bigint\); /i.exec(plan) ?? [];
  expect([begin, lock]).toEqual([expect.stringMatching(/^BEGIN; SET LOCAL .* SELECT pg_advisory/), '']);
  const [partitions = ''] = /DO \$\$ DECLARE d date;.*?END; \$\$; /.exec(plan) ?? [];
  expect(partitions).toContain('PARTITION OF ops.queue_stats');
  const theirs = plan
    .replace(begin, '')
    .replace(partitions, '')
    .replace(/ COMMIT;$/, '');
  expect(normal(OURS)).toBe(theirs.trim());
});
