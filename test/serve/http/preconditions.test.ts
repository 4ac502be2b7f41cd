import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evaluatePreconditions, namesVersion, rangeCounts } from '../../../src/serve/http/preconditions.ts';

const ETAG = '"e1"';
const onlyMatch = (ifMatch: string) => evaluatePreconditions({ ifMatch, ifNoneMatch: undefined }, ETAG);
const onlyNoneMatch = (ifNoneMatch: string) =>
  evaluatePreconditions({ ifMatch: undefined, ifNoneMatch }, ETAG);

describe('a request without conditions', () => {
  it('gets the whole file', () => {
    expect(evaluatePreconditions({ ifMatch: undefined, ifNoneMatch: undefined }, ETAG)).toBe('send');
  });
});

describe('If-Match', () => {
  it.each(['*', ' * ', '"e1"', '"e0", "e1"', '"e0","e1","e2"', ', "e1" ,', 'W/"e1", "e1"'])(
    'holds for %s',
    (header) => {
      expect(onlyMatch(header)).toBe('send');
    },
  );

  it.each(['', '"e0"', 'W/"e1"', 'w/"e1"', 'e1', '"E1"', '"e1', '*, "e0"', '"e0" "e1"', "'e1'"])(
    'does not hold for %j',
    (header) => {
      expect(onlyMatch(header)).toBe('failed');
    },
  );
});

describe('If-None-Match', () => {
  it.each(['*', '"e1"', 'W/"e1"', '"e0", W/"e1"', '"e0",\t"e1"'])('finds it in %s', (header) => {
    expect(onlyNoneMatch(header)).toBe('unchanged');
  });

  it.each(['', '"e0"', 'W/"e0"', 'w/"e1"', 'e1', '"e1"x', '"e0" "e1"'])(
    'does not find it in %j',
    (header) => {
      expect(onlyNoneMatch(header)).toBe('send');
    },
  );
});

describe('If-Match and If-None-Match', () => {
  it('are evaluated in this order: If-Match first', () => {
    expect(evaluatePreconditions({ ifMatch: '"e0"', ifNoneMatch: ETAG }, ETAG)).toBe('failed');
    expect(evaluatePreconditions({ ifMatch: ETAG, ifNoneMatch: ETAG }, ETAG)).toBe('unchanged');
    expect(evaluatePreconditions({ ifMatch: ETAG, ifNoneMatch: '"e0"' }, ETAG)).toBe('send');
  });
});

function text({ weak, name }: { weak: boolean; name: string }): string {
  return `${weak ? 'W/' : ''}"${name}"`;
}

describe('any list of tags', () => {
  const tag = fc.record({ weak: fc.boolean(), name: fc.constantFrom('e0', 'e1', 'e2', '') });
  const separator = fc.constantFrom(',', ', ', ' , ', ',,', ', ,\t');

  it('matches as its members do: strongly for If-Match, weakly for If-None-Match', () => {
    fc.assert(
      fc.property(fc.array(tag, { minLength: 1, maxLength: 5 }), separator, (tags, between) => {
        const header = tags.map(text).join(between);
        const strong = tags.some(({ weak, name }) => !weak && name === 'e1');
        const weakly = tags.some(({ name }) => name === 'e1');
        expect(onlyMatch(header)).toBe(strong ? 'send' : 'failed');
        expect(onlyNoneMatch(header)).toBe(weakly ? 'unchanged' : 'send');
      }),
    );
  });
});

describe('a range', () => {
  it.each([undefined, ETAG, ` ${ETAG} `])('counts with If-Range %j', (header) => {
    expect(rangeCounts(header, ETAG)).toBe(true);
  });

  it.each(['', '"e0"', 'W/"e1"', '*', '"e1", "e0"', 'Sat, 21 Nov 2026 02:00:00 GMT'])(
    'does not count with If-Range %j',
    (header) => {
      expect(rangeCounts(header, ETAG)).toBe(false);
    },
  );
});

describe('a request names this version', () => {
  it.each([ETAG, ` ${ETAG} `])('in If-Range %j', (ifRange) => {
    expect(namesVersion({ ifMatch: undefined, ifRange }, ETAG)).toBe(true);
  });

  it.each([ETAG, `"e0", ${ETAG}`, `W/"e1",${ETAG}`])('in If-Match %j', (ifMatch) => {
    expect(namesVersion({ ifMatch, ifRange: undefined }, ETAG)).toBe(true);
  });

  it.each([undefined, '', '*', ' * ', '"e0"', `W/${ETAG}`, 'e1', 'Sat, 21 Nov 2026 02:00:00 GMT'])(
    'not in %j',
    (header) => {
      expect(namesVersion({ ifMatch: header, ifRange: undefined }, ETAG)).toBe(false);
      expect(namesVersion({ ifMatch: undefined, ifRange: header }, ETAG)).toBe(false);
    },
  );
});
