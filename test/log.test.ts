import { describe, expect, it } from 'vitest';
import type { LogLevel } from '../src/config.ts';
import { CrossfootError } from '../src/errors.ts';
import { createLogger, errorFields, type Logger } from '../src/log.ts';

function logInto(level: LogLevel): { logger: Logger; lines: string[] } {
  const lines: string[] = [];
  return { logger: createLogger(level, { write: (line) => lines.push(line) }), lines };
}

function only(lines: string[]): Record<string, unknown> {
  expect(lines).toHaveLength(1);
  return JSON.parse(lines[0] ?? '') as Record<string, unknown>;
}

describe('the log', () => {
  it('writes one JSON line per event, with its level, time and fields', () => {
    const { logger, lines } = logInto('info');
    logger.info('snapshot.published', { account: 7n, snapshot: '20261120T020000Z', rows: 12, ms: 3.5 });
    expect(lines[0]).toMatch(/^[^\n]*\n$/);
    const { time, ...line } = only(lines);
    expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(line).toEqual({
      level: 'info',
      event: 'snapshot.published',
      account: '7',
      snapshot: '20261120T020000Z',
      rows: 12,
      ms: 3.5,
    });
  });

  it('drops every field that is not listed, even from an object that carries more than its type says', () => {
    const { logger, lines } = logInto('info');
    const row = { table: 'costs', token: 'cf_pat_secret', owner_name: 'Ada' };
    logger.with(row).info('table.written', row);
    expect(only(lines)).toEqual({
      level: 'info',
      time: expect.any(String) as string,
      event: 'table.written',
      table: 'costs',
    });
    expect(lines[0]).not.toMatch(/secret|Ada/);
  });

  it('carries the fields of `with` on every line', () => {
    const { logger, lines } = logInto('info');
    logger.with({ request_id: 'r1' }).with({ account: 9n }).warn('request.refused', { status: 401 });
    expect(only(lines)).toMatchObject({ level: 'warn', request_id: 'r1', account: '9', status: 401 });
  });

  it('says nothing below its level', () => {
    const { logger, lines } = logInto('error');
    logger.debug('step.begun');
    logger.info('step.ended');
    logger.warn('step.repeated');
    expect(lines).toEqual([]);
    logger.error('step.failed');
    expect(only(lines)).toMatchObject({ event: 'step.failed' });
  });

  it('says nothing at all when silent', () => {
    const { logger, lines } = logInto('silent');
    logger.error('step.failed');
    expect(lines).toEqual([]);
  });

  it('logs debug lines when asked', () => {
    const { logger, lines } = logInto('debug');
    logger.debug('step.begun', { step: 'audit' });
    expect(only(lines)).toMatchObject({ level: 'debug', step: 'audit' });
  });
});

describe('the log fields of an error', () => {
  it('are code, message, hint and frames of an error of ours', () => {
    const error = new CrossfootError('usage_invalid', 'No such command.', { hint: 'Say --help.' });
    const fields = errorFields(error);
    expect(fields).toMatchObject({
      error: 'CrossfootError usage_invalid',
      code: 'usage_invalid',
      message: 'No such command.',
      hint: 'Say --help.',
    });
    expect(fields.stack).toMatch(/^at .*log\.test\.ts/);
  });

  it('name check, table, key and figure of a refusal, with the expected and found value', () => {
    const finding = {
      check: '42-check-amounts',
      table: 'reported_totals',
      place: 'fy2026',
      figure: 'cost_cents',
      expected: '119900',
      found: '120000',
      cents_off: 100,
    };
    const error = new CrossfootError('audit_refused', 'It is off.', { data: { ...finding, refused: ['x'] } });
    expect(errorFields(error)).toMatchObject(finding);
    const rows = new CrossfootError('table_lost_rows', 'It shrank.', { data: { expected: 2, found: 1 } });
    expect(errorFields(rows)).toMatchObject({ expected: '2', found: '1' });
    // What is no refusal of figures says what it says in its message alone.
    expect(errorFields(new CrossfootError('schema_drift', 'z', { data: finding }))).not.toHaveProperty(
      'check',
    );
  });

  it('are class, code and frames of any other error, because its message may repeat a value', () => {
    const error = Object.assign(new RangeError('bad value "Ada"\n  owed 3'), { code: '22P02' });
    const fields = errorFields(error);
    expect(fields).toMatchObject({ error: 'RangeError 22P02', code: '22P02', message: undefined });
    expect(JSON.stringify(fields)).not.toMatch(/Ada|owed/);
    expect(fields.stack).toMatch(/^at /);
  });

  it('leave out a name that another server chose', () => {
    for (const name of ['x'.repeat(200), 'Two\nlines', '<b>']) {
      const cause = Object.assign(new Error('refused'), { name });
      const fields = errorFields(new Error('outer', { cause }));
      expect(fields).toMatchObject({ error: 'Error < an error of an unreadable name' });
    }
  });

  it('name the causes, outermost first', () => {
    const cause = new TypeError('x', { cause: Object.assign(new Error('y'), { code: 'EIO' }) });
    expect(errorFields(new CrossfootError('not_found', 'z', { cause })).error).toBe(
      'CrossfootError not_found < TypeError < Error EIO',
    );
  });

  it('are only the type of a thrown value that is no error', () => {
    expect(errorFields('cf_pat_secret')).toEqual({ error: 'string' });
  });
});
