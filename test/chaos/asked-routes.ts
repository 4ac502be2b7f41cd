/** The real routes over a reader that can be changed between two requests, asked without a socket. */
import { createReader } from '../../src/snapshot/read/reader.ts';
import type { SnapshotReader } from '../../src/snapshot/read/snapshot-reader.ts';
import type { Store } from '../../src/store/store.ts';
import { bearer, fakeApp, NOW, TOKENS } from '../serve/fake-parts.ts';

/** What came of a request. */
export interface Heard {
  readonly status: number;
  /** As far as it came. */
  readonly body: Buffer;
  /** It broke off before its end: a client throws it away. */
  readonly cut: boolean;
}

export interface AskedRoutes {
  /** From now on, a server that has read nothing yet stands on this store. */
  readonly standOn: (store: Store) => void;
  readonly ask: (path: string, range?: string) => Promise<Heard>;
  /** Alarms of broken chains since the last `standOn`. */
  readonly alarms: () => number;
}

/** Opens the application; its only token is of account 7. */
export function openRoutes(): AskedRoutes {
  let current: SnapshotReader | null = null;
  let alarms = 0;
  // Every call goes to the reader of the moment: making the routes takes longer than asking them.
  const snapshots = new Proxy({} as SnapshotReader, {
    get: (_, name) => Reflect.get(current ?? {}, name) as unknown,
  });
  const { app } = fakeApp({ snapshots, now: () => NOW });
  return {
    standOn(store) {
      alarms = 0;
      current = createReader({ store, now: () => NOW, onFault: () => (alarms += 1), cache_bytes: 2_000_000 });
    },
    async ask(path, range) {
      const { headers } = bearer(TOKENS.personal);
      const ranged = range === undefined ? headers : { ...headers, range };
      const response = await app.request(path, { headers: ranged });
      const pieces: Uint8Array[] = [];
      try {
        for await (const piece of response.body ?? []) pieces.push(piece as Uint8Array);
        return { status: response.status, body: Buffer.concat(pieces), cut: false };
      } catch {
        return { status: response.status, body: Buffer.concat(pieces), cut: true };
      }
    },
    alarms: () => alarms,
  };
}
