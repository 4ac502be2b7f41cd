import { describe, expect, it } from 'vitest';
import { createLogger } from '../../src/log.ts';
import { openSessions, type Sessions } from '../../src/run/sessions.ts';

// Nothing listens there: a pool connects when it is first used.
const URL_OF_NONE = 'postgres://cf_reader@127.0.0.1:1/none';

function opened(lines: string[]): Promise<Sessions> {
  const logger = createLogger('warn', { write: (line) => lines.push(line) });
  return openSessions({
    url: URL_OF_NONE,
    role: 'cf_reader',
    applicationName: 'crossfoot test',
    max: 1,
    logger,
  });
}

describe('a lost session', () => {
  it('is logged', async () => {
    const lines: string[] = [];
    await using sessions = await opened(lines);
    sessions.pool.emit('error', new Error('terminated'));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('connection.lost');
  });

  it('is no news once its pool is to end, nor to what works on the pool', async () => {
    const lines: string[] = [];
    await using sessions = await opened(lines);
    sessions.expectEnd();
    sessions.pool.emit('error', new Error('terminated'));
    sessions.onError(new Error('terminated'));
    expect(lines).toEqual([]);
  });
});

it('no pool is opened for a login that a check refuses', async () => {
  const opening = openSessions({
    url: URL_OF_NONE,
    role: 'cf_reader',
    applicationName: 'crossfoot test',
    max: 1,
    checks: [async () => undefined],
    logger: createLogger('error'),
  });
  // The check needs a session, and there is no database to give one.
  await expect(opening).rejects.toMatchObject({ code: 'database_unreachable' });
});
