/** A database that was restored to an earlier state, or copied, does not publish older figures as the newest. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isCrossfootError } from '../../../src/errors.ts';
import { requireSameLedger } from '../../../src/snapshot/builder/same-ledger.ts';
import { readLog } from '../../../src/snapshot/read/read-log.ts';
import { snapshotIdOf } from '../../../src/snapshot/format/snapshot-id.ts';
import { aBuild, publishNow } from '../../snapshot/builder/build-harness.ts';
import { AT, type BuildHarness, openBuildHarness } from '../../snapshot/builder/real-build.ts';

const BEFORE = AT - 3_600_000_000n;
/** Further than the other tests of this server can come meanwhile. */
const AHEAD = 1_000_000_000n;

let harness: BuildHarness;
beforeAll(async () => {
  harness = await openBuildHarness();
});
afterAll(() => harness.close());

/** The next transaction of the server, as a moment reads it. */
async function nextTransaction(): Promise<bigint> {
  const reader = await harness.database.client('cf_reader');
  const { rows } = await reader.query<{ xmax: string }>(
    'select pg_snapshot_xmax(pg_current_snapshot())::text as xmax',
  );
  return BigInt(rows[0]?.xmax ?? 0);
}

const entries = async (): Promise<number> => (await readLog(harness.store, 1n)).entries.length;

it('a build refuses a ledger that is behind the newest snapshot, until a person accepts it', async () => {
  const expected = (await nextTransaction()) + AHEAD;
  const files = new Map([['snapshot', Buffer.from('of the lost database')]]);
  await publishNow(harness.store, {
    ...aBuild('lost', BEFORE, files),
    account_id: 1n,
    pg_snapshot: `${expected}:${expected}:`,
  });
  const read: string[] = [];
  const onEvent = ({ kind }: { readonly kind: string }): void => void read.push(kind);
  const refused = await harness.build({ onEvent }).catch((error: unknown) => error);
  expect(refused).toMatchObject({
    code: 'ledger_older',
    exitCode: 1,
    message: expect.stringContaining(
      `ledger of account 1: snapshot ${snapshotIdOf(BEFORE)} read up to transaction ${expected}, this database has reached `,
    ),
    hint: expect.stringMatching(/npx --no crossfoot build --account 1 --accept-ledger\. .*standby/),
  });
  expect(await entries()).toBe(1);
  // No table was read to learn this.
  expect(read).toEqual([]);

  expect(await harness.build({ accept_ledger: true })).toMatchObject({ outcome: 'published', seq: 2 });
});

/** The error code of a build whose newest snapshot read up to a transaction, while the database has reached 1000. */
function codeFor(pg_snapshot: string): string | null {
  const newest = { snapshot_id: '20260714T020000Z', pg_snapshot };
  try {
    requireSameLedger({ account_id: 7n }, newest, { pg_snapshot: '998:1000:' });
    return null;
  } catch (error) {
    return isCrossfootError(error) ? error.code : 'another error';
  }
}

it.each([
  ['100 transactions ahead, which a crash may have lost', '990:1100:995,1000', null],
  ['101 transactions ahead', '1101:1101:', 'ledger_older'],
  ['of the same moment', '1000:1000:', null],
  ['behind', '700:720:', null],
])('the check of a newest snapshot that is %s', (_, newest, code) => {
  expect(codeFor(newest)).toBe(code);
});

it('the check passes an account without a snapshot', () => {
  const newest = null;
  expect(() => requireSameLedger({ account_id: 7n }, newest, { pg_snapshot: '998:1000:' })).not.toThrow();
});
