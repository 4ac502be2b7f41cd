import { describe, expect, it } from 'vitest';
import { CrossfootError, ERRORS, isCrossfootError } from '../src/errors.ts';

const entries = Object.entries(ERRORS);

describe('the error catalogue', () => {
  it('is sorted by code', () => {
    const codes = Object.keys(ERRORS);
    expect(codes).toEqual(codes.toSorted());
  });

  it.each(entries)(
    '%s is a snake_case code with one sentence, an exit code and an HTTP error status',
    (code, kind) => {
      expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
      expect(kind.meaning).toMatch(/^[A-Z].*\.$/);
      expect([1, 2, 3, 10]).toContain(kind.exit);
      expect(kind.status).toBeGreaterThanOrEqual(400);
      expect(kind.status).toBeLessThan(600);
    },
  );
});

describe('an error of ours', () => {
  it('carries code, message, hint, data and cause', () => {
    const cause = new Error('disk');
    const error = new CrossfootError('usage_invalid', 'No.', { hint: 'Try.', data: { found: 1 }, cause });
    expect(error).toMatchObject({
      code: 'usage_invalid',
      message: 'No.',
      hint: 'Try.',
      data: { found: 1 },
      cause,
    });
    expect(error).toMatchObject({ exitCode: 2, status: 500 });
  });

  it('has no hint, no data and no cause unless given', () => {
    const error = new CrossfootError('not_found', 'No.');
    expect(error.hint).toBeUndefined();
    expect(error.data).toEqual({});
    expect('cause' in error).toBe(false);
    expect(error).toMatchObject({ exitCode: 1, status: 404 });
  });

  it('is distinguished from other errors, and by its code', () => {
    const error = new CrossfootError('not_found', 'No.');
    expect(isCrossfootError(error)).toBe(true);
    expect(isCrossfootError(error, 'not_found')).toBe(true);
    expect(isCrossfootError(error, 'usage_invalid')).toBe(false);
    expect(isCrossfootError(new Error('not_found'))).toBe(false);
    expect(isCrossfootError({ code: 'not_found' }, 'not_found')).toBe(false);
  });
});
