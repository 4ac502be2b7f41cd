import { describe, expect, it } from 'vitest';
import { CrossfootError, ERRORS } from '../src/errors.ts';
import { errorOf, failureOf, findingOf } from '../src/failure.ts';

const data = { check: '42-check-amounts', table: 'costs', place: 'cost_id 7', figure: 'amount_cents' };

describe('a failure', () => {
  it.each(Object.keys(ERRORS) as (keyof typeof ERRORS)[])(
    'carries %s with its words and facts through JSON, and becomes the error again',
    (code) => {
      const facts = { ...data, expected: 2n, found: 3, refused: ['42-check-amounts'], window: null };
      const error = new CrossfootError(code, 'No.', { hint: 'Try.', data: facts, cause: new Error('disk') });
      const again = errorOf(JSON.parse(JSON.stringify(failureOf(error))));
      expect(again).toMatchObject({ code, message: 'No.', hint: 'Try.' });
      expect(again.data).toEqual({ ...facts, expected: '2' });
      expect(again.cause).toBeUndefined();
    },
  );

  it('leaves out what JSON cannot hold', () => {
    const error = new CrossfootError('copy_failed', 'No.', { data: { at: () => 1, rows: [{ id: 1n }] } });
    expect(failureOf(error)).toEqual({ code: 'copy_failed', message: 'No.', hint: null, data: {} });
  });

  it('of a code outside the catalogue becomes a build that died, with its message', () => {
    const error = errorOf({ code: 'unforeseen', message: 'Odd.', hint: null });
    expect(error).toMatchObject({ code: 'build_died', message: 'Odd.', hint: undefined, data: {} });
  });
});

describe('a refused figure', () => {
  it('states its place and both figures as texts, and the cents between them as a number', () => {
    const error = new CrossfootError('audit_refused', 'No.', {
      data: { ...data, expected: 200, found: '300', cents_off: 100, refused: ['42-check-amounts'] },
    });
    expect(findingOf(error)).toEqual({ ...data, expected: '200', found: '300', cents_off: 100 });
  });

  it('lacks each fact that the error does not state', () => {
    const error = new CrossfootError('table_lost_rows', 'No.', { data: { table: 'costs', cents_off: null } });
    expect(findingOf(error)).toEqual({ table: 'costs' });
  });

  it('does not exist for an error that refuses no figures', () => {
    expect(findingOf(new CrossfootError('copy_failed', 'No.', { data }))).toBeNull();
  });
});
