import { describe, expect, it } from 'vitest';
import { CrossfootError, isCrossfootError } from '../src/errors.ts';
import { firstError } from '../src/errors.ts';

describe('the first error', () => {
  it('is that of the work, though two resources fail to close after it', async () => {
    const thrown: unknown = await failTwice().catch((error: unknown) => error);
    expect(isCrossfootError(thrown)).toBe(false);
    expect(firstError(thrown)).toMatchObject({ code: 'ledger_locked' });
  });

  it('is the error itself where nothing failed after it', () => {
    const error = new Error('disk');
    expect(firstError(error)).toBe(error);
  });
});

async function failTwice(): Promise<void> {
  await using opened = new AsyncDisposableStack();
  opened.defer(() => Promise.reject(new Error('the pool does not end')));
  opened.defer(() => Promise.reject(new Error('the queue does not close')));
  throw new CrossfootError('ledger_locked', 'Another session keeps a source table locked.');
}
