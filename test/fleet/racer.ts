/** One of many processes that publish for one account at the same time; `race.ts` tells it what, round by round. */
import { openObjectStore } from '../../src/run/object-store.ts';
import { CLOCK } from '../../src/run/machine.ts';
import { readSettings } from '../../src/config.ts';
import type { PublishResult } from '../../src/snapshot/builder/append-entry.ts';
import { publish } from '../../src/snapshot/builder/publish.ts';
import { readLog } from '../../src/snapshot/read/read-log.ts';
import { ACCOUNT, aBuild } from '../snapshot/builder/build-harness.ts';

export interface Round {
  /** Tells this process's build from any other. */
  readonly label: string;
  /** The moment it describes, microseconds since 1970, as text. */
  readonly moment: string;
  readonly night: string;
  readonly once: boolean;
}

export interface Raced extends PublishResult {
  readonly nonce: string;
}

const store = await openObjectStore(readSettings(process.env));
process.on('message', (round: Round) => {
  void race(round).then((raced) => process.send?.(raced));
});
process.send?.('ready');

async function race({ label, moment, night, once }: Round): Promise<Raced> {
  const files = new Map([['costs', Buffer.from(label)]]);
  const build = { ...aBuild(label, BigInt(moment), files), night, once };
  const result = await publish(build, await readLog(store, ACCOUNT), { store, clock: CLOCK });
  return { ...result, nonce: build.nonce };
}
