/** The log as a person reads it, on a stand-in for a terminal and without one. */
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { CrossfootError } from '../src/errors.ts';
import { createLogger, errorFields, type Logger } from '../src/log.ts';
import { LOG_EVENTS } from '../src/log-events.ts';
import { isReadByPerson } from '../src/log-format.ts';
import { type LogOutput, textLines } from '../src/log-text.ts';

/** Stands in for standard error: what it is, and all that was written to it. */
function standIn(facts: Omit<LogOutput, 'write'> = {}): { logger: Logger; written: string[] } {
  const written: string[] = [];
  const output = { ...facts, write: (text: string) => written.push(text) };
  return { logger: createLogger('debug', textLines(output)), written };
}

/** The text behind the time. */
function textOf(log: (logger: Logger) => void): string {
  const { logger, written } = standIn();
  log(logger);
  expect(written).toHaveLength(1);
  expect(written[0]).toMatch(/^\d\d:\d\d:\d\d .+\n$/s);
  return written[0]?.slice(9, -1) ?? '';
}

describe('the form of the log', () => {
  it.each([
    [undefined, true, true],
    [undefined, false, false],
    ['', true, true],
    ['json', true, false],
    ['text', false, true],
  ])('with LOG_FORMAT %j and a terminal %j is for a person: %j', (format, isTerminal, person) => {
    expect(isReadByPerson(format, isTerminal)).toBe(person);
  });
});

describe('a line of the log for a person', () => {
  it('says the event and its values, with their units', () => {
    const answered = { method: 'GET', route: '/v1/roi', status: 200, ms: 12.4, bytes: 3_411 };
    expect(textOf((logger) => logger.with({ request_id: 'r1' }).info('request.answered', answered))).toBe(
      'A request was answered (GET, /v1/roi, 200, 12 ms, 4 kB)',
    );
    const taken = { account: 7n, attempt: 2, night: '2026-07-15' };
    expect(textOf((logger) => logger.info('job.taken', taken))).toBe(
      'A worker builds a snapshot of an account (account 7, attempt 2, night 2026-07-15)',
    );
  });

  it('begins with the time of the JSON line, in UTC', () => {
    const written: string[] = [];
    const lines = textLines({ write: (text) => written.push(text) });
    lines.write('{"level":"info","time":"2026-07-15T02:03:04.567Z","event":"limits.shared"}\n');
    expect(written).toEqual(['02:03:04 Request counts are shared again\n']);
  });

  it('names code, message and next step of an error of ours, and shows no stack', () => {
    const hint = 'Run `npx --no crossfoot migrate`.';
    const error = new CrossfootError('schema_drift', 'ledger.costs: expected a view, found none.', { hint });
    expect(textOf((logger) => logger.error('build.failed', errorFields(error)))).toBe(
      `error A build failed: schema_drift: ledger.costs: expected a view, found none.\n         ${hint}`,
    );
  });

  it('names the step of the event where the error has none', () => {
    const error = new CrossfootError('schema_drift', 'It drifted.');
    expect(textOf((logger) => logger.error('job.failed', { account: 1n, ...errorFields(error) }))).toBe(
      'error The build or the range failed (account 1): schema_drift: It drifted.\n         Run `npx --no crossfoot why`.',
    );
  });

  it('names the classes of any other error, and how to learn where it was thrown', () => {
    const error = Object.assign(new RangeError('bad value "Ada"'), { code: '22P02' });
    const fields = { request_id: 'r1', ...errorFields(error) };
    expect(textOf((logger) => logger.error('request.failed', fields))).toBe(
      'error A request was answered with 500 or more (request_id r1): RangeError 22P02\n' +
        '         Set LOG_FORMAT=json: the line then says where in the program.',
    );
  });

  it('is one line where there is nothing to do', () => {
    expect(textOf((logger) => logger.warn('transfer.cut', { ms: 61_000, bytes: 12_345_678 }))).toBe(
      'warn A download was cut off: it was too slow or took too long (61.00 s, 12.3 MB)',
    );
  });

  it.each(Object.values(LOG_EVENTS).flatMap((events) => Object.keys(events)))(
    'names no field of %s that it does not show',
    (event) => {
      const text = textOf((logger) => logger.info(event as 'job.taken', {})); // its own keys
      expect(text).not.toMatch(/\bfields?\b|Follow `(?:code|hint)`|^ +Nothing|[{}]/m);
      expect(text).toMatch(/^[A-Z]/);
    },
  );
});

describe('on a terminal', () => {
  it('first erases the line that is rewritten in place', () => {
    const { logger, written } = standIn({ isTTY: true });
    logger.info('limits.shared');
    expect(written[0]?.slice(0, 4)).toBe('\r\u001B[K');
    expect(written[0]?.slice(4)).toMatch(/^\d\d:\d\d:\d\d Request/);
  });

  it('colours the word of the level, and only where the terminal takes colours and NO_COLOR is not set', () => {
    const plain = standIn({ isTTY: true, hasColors: () => false });
    const coloured = standIn({ isTTY: true, hasColors: () => true });
    for (const { logger } of [plain, coloured]) logger.error('night.failed');
    expect(plain.written[0]).not.toContain('\u001B[3');
    expect(coloured.written[0]).toContain('\u001B[31merror\u001B[39m ');
    expect(stripVTControlCharacters(coloured.written[0] ?? '')).toBe(
      stripVTControlCharacters(plain.written[0] ?? ''),
    );
  });
});
