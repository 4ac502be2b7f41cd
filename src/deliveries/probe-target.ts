/** Tests that a target keeps what deliveries need, with an object of its own that it deletes. */
import { CrossfootError } from '../errors.ts';
import type { ReplacingStore } from '../store/store.ts';

const CAP_BYTES = 64;

/** Throws `delivery_refused` if the target does not keep a promise; returns false if it does not let the probe be deleted. */
export async function probeTarget(target: ReplacingStore, randomUuid: () => string): Promise<boolean> {
  const key = `probe/${randomUuid()}`;
  holds('a new object is created', (await target.create(key, text('first'))) === 'created');
  holds('a second create changes nothing', (await target.create(key, text('second'))) === 'exists');
  const first = await target.readVersion(key, CAP_BYTES);
  if (first === null || !isText(first.bytes, 'first'))
    throw broken('an object is read back as it was written');
  const replaced = await target.replace(key, text('third'), first.version);
  holds('an object is replaced if it has not changed since it was read', replaced === 'replaced');
  const late = await target.replace(key, text('fourth'), first.version);
  const last = await target.readSmall(key, CAP_BYTES);
  const stays = late === 'changed' && last !== null && isText(last, 'third');
  holds('an object is not replaced if it has changed since it was read', stays);
  try {
    await target.delete(key);
    return (await target.stat(key)) === null;
  } catch {
    return false;
  }
}

function holds(promise: string, kept: boolean): void {
  if (!kept) throw broken(promise);
}

function broken(promise: string): CrossfootError {
  return new CrossfootError('delivery_refused', `The target breaks a promise: ${promise}.`, {
    hint: 'Use a folder on a local disk, or a bucket with conditional writes.',
  });
}

function text(value: string): Uint8Array {
  return Buffer.from(value);
}

function isText(bytes: Uint8Array, value: string): boolean {
  return Buffer.from(bytes).toString() === value;
}
