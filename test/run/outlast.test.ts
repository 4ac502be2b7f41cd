/** A step of a start is run again if PostgreSQL ended during it, and only then. */
import { DatabaseError } from 'pg';
import { describe, expect, it } from 'vitest';
import { CrossfootError } from '../../src/errors.ts';
import { outlast } from '../../src/run/outlast.ts';

const never = new Promise<never>(() => undefined);
const hint = 'Free the port.';

/** A server whose end is noticed when the test says so, and that refuses as many connections as the test says. */
function serverOf({ refuses = 0, lost = never }: { refuses?: number; lost?: Promise<never> }) {
  const server = { ended: 0, refuses, pauses: 0, steps: 0 };
  const told = new AbortController();
  const run = (step: () => unknown): Promise<unknown> =>
    outlast(
      async () => {
        server.steps += 1;
        return step();
      },
      {
        ends: () => server.ended,
        answers: async () => (server.refuses -= 1) < 0,
        lost,
      },
      { sleep: async () => void (server.pauses += 1), signal: told.signal },
    );
  return { server, told, run };
}

/** Fails the first time with this error, and gives `done` from then on. */
function failingOnce(error: unknown, onFail: () => void = () => undefined): () => string {
  let failed = false;
  return () => {
    if (failed) return 'done';
    failed = true;
    onFail();
    throw error;
  };
}

const withCode = (code: string): Error => Object.assign(new Error(code), { code });
const shutdown = Object.assign(new DatabaseError('shut down', 1, 'error'), { code: '57P01' });
const unreachable = new CrossfootError('database_unreachable', 'It could not connect.', { hint });
const ofLoad = new CrossfootError('copy_failed', 'The load broke off.', { hint, cause: shutdown });
const portInUse = new CrossfootError('settings_invalid', 'The port is in use.', { hint });

describe('a step of a start', () => {
  it.each([
    ['refused connection', withCode('ECONNREFUSED')],
    ['reset connection', withCode('ECONNRESET')],
    ['broken pipe', withCode('EPIPE')],
    ['session that the server shut down', shutdown],
    ['session that broke', new Error('Connection terminated unexpectedly')],
    ['connection that could not be opened', unreachable],
    ['load that a shut-down session broke off', ofLoad],
    ['failure behind a failed close', new SuppressedError(portInUse, unreachable)],
    ['failed close', new SuppressedError(unreachable, portInUse)],
  ])('is run again after a %s', async (_, error) => {
    const { run, server } = serverOf({});
    expect(await run(failingOnce(error))).toBe('done');
    expect(server).toMatchObject({ steps: 2, pauses: 1 });
  });

  it('is run again after any error if the end of the server was noticed during the step', async () => {
    const { run, server } = serverOf({});
    expect(await run(failingOnce(portInUse, () => (server.ended += 1)))).toBe('done');
    expect(server.steps).toBe(2);
  });

  it('is run again after any error if no server answers, once one answers', async () => {
    const { run, server } = serverOf({ refuses: 4 });
    expect(await run(failingOnce(portInUse))).toBe('done');
    // One refusal showed that the server had ended, three more were waited out.
    expect(server).toMatchObject({ steps: 2, pauses: 4 });
  });

  it('fails at once with its own error while the server runs', async () => {
    const { run, server } = serverOf({});
    await expect(run(failingOnce(portInUse))).rejects.toBe(portInUse);
    expect(server).toMatchObject({ steps: 1, pauses: 0 });
  });

  it('counts only the ends during the step, not those before', async () => {
    const { run, server } = serverOf({});
    server.ended = 3;
    await expect(run(failingOnce(portInUse))).rejects.toBe(portInUse);
  });

  it('is run eleven times at most', async () => {
    const { run, server } = serverOf({});
    await expect(run(() => Promise.reject(unreachable))).rejects.toBe(unreachable);
    expect(server.steps).toBe(11);
  });

  it('ends with the error of a server that is not started again', async () => {
    const givenUp = new CrossfootError('embedded_failed', 'Ten starts failed.', { hint });
    const lost = Promise.reject(givenUp);
    const { run } = serverOf({ refuses: 1_000, lost });
    await expect(run(failingOnce(unreachable))).rejects.toBe(givenUp);
  });

  it('is not run again once the program is being stopped', async () => {
    const { run, server, told } = serverOf({});
    told.abort(new Error('stopped by SIGINT'));
    await expect(run(failingOnce(unreachable))).rejects.toThrow('stopped by SIGINT');
    expect(server.steps).toBe(1);
  });
});
