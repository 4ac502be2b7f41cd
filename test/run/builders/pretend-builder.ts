/** Stands in for the process of builds: what becomes of a build is written in the account's id. */
import type { BuildMessage, BuildRequest } from '../../../src/run/builders/messages.ts';

/** The accounts that it knows. */
export const PRETEND = {
  builds: 1n,
  fails: 2n,
  dies: 3n,
  swells: 4n,
  stands_still: 5n,
  hangs: 6n,
  /** It publishes, and dies while it compares its snapshot with the one before. */
  dies_comparing: 7n,
} as const;

const ENDS: Readonly<Record<string, readonly BuildMessage[]>> = {
  [`${PRETEND.builds}`]: [{ ended: { exit_code: 0, rss_bytes: 190e6 } }],
  [`${PRETEND.swells}`]: [{ ended: { exit_code: 0, rss_bytes: 300e6 } }],
  [`${PRETEND.fails}`]: [
    {
      failed: {
        code: 'copy_failed',
        message: 'A table broke off.',
        hint: 'Build again.',
        data: { table: 'costs', expected: 2, refused: ['42-check-amounts'] },
      },
    },
    { ended: { exit_code: 1, rss_bytes: 190e6 } },
  ],
};

const FAILED = ENDS[`${PRETEND.fails}`] ?? [];

process.on('message', ({ account }: BuildRequest) => {
  process.send?.({ event: { kind: 'moment.awaited', ms: process.pid } } satisfies BuildMessage);
  if (account === String(PRETEND.dies)) process.kill(process.pid, 'SIGKILL');
  if (account === String(PRETEND.dies_comparing)) {
    const event = { kind: 'snapshot.published', snapshot: '20260715T020000Z', seq: 2, ms: 1 } as const;
    process.send?.({ event } satisfies BuildMessage, () => process.kill(process.pid, 'SIGKILL'));
  }
  // Something is left running in it, which keeps it from ending.
  if (account === String(PRETEND.hangs)) setInterval(() => undefined, 60_000);
  const messages = account === String(PRETEND.hangs) ? FAILED : (ENDS[account] ?? []);
  for (const message of messages) process.send?.(message);
});
