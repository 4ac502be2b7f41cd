/**
 * What a server does about a file that a read finds damaged: it says so in the log and has the snapshot scrubbed at once. The
 * scrub reads it over new connections and puts a mark into the store, which every server, command and page reads.
 */
import { errorFields, type Logger } from '../../log.ts';
import type { DamagedPlace } from '../../snapshot/read/file-blocks.ts';
import type { ObjectStoreSettings } from '../object-store.ts';
import { scrubByLog } from '../worker/scrub-by-log.ts';

interface DamageParts {
  readonly settings: ObjectStoreSettings;
  readonly logger: Logger;
}

/** Its disposal stops the scrubs and waits for the running one. */
interface DamageWatch extends AsyncDisposable {
  readonly onDamage: (place: DamagedPlace) => void;
}

export function watchDamage({ settings, logger }: DamageParts): DamageWatch {
  const stopped = new AbortController();
  const queued = new Set<string>();
  let last = Promise.resolve();

  /** A server that may not write to the store, or has no key for marks, leaves that to those who can. */
  async function scrubNow({ account_id, snapshot_id }: DamagedPlace): Promise<void> {
    queued.delete(`${account_id} ${snapshot_id}`);
    const damaged = { account_id, snapshot_id };
    try {
      await scrubByLog(settings, { damaged, logger, signal: stopped.signal });
    } catch (error) {
      if (!stopped.signal.aborted)
        logger.error('scrub.skipped', { account: account_id, ...errorFields(error) });
    }
  }

  return {
    onDamage(place) {
      const { account_id, snapshot_id, file } = place;
      logger.error('file.damaged', { account: account_id, snapshot: snapshot_id, file });
      const key = `${account_id} ${snapshot_id}`;
      if (queued.has(key)) return;
      queued.add(key);
      last = last.then(() => (stopped.signal.aborted ? undefined : scrubNow(place)));
    },
    async [Symbol.asyncDispose]() {
      stopped.abort();
      await last;
    },
  };
}
