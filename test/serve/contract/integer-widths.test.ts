/** Generated clients read a whole number without a format as 32 bits: 21 million dollars. */
import { expect, it } from 'vitest';
import { describeApi } from '../../../src/serve/api-document.ts';

type Json = Readonly<Record<string, unknown>>;

/** Members of a schema or of a document that hold values. */
const VALUES = ['default', 'enum', 'example', 'examples'];

/** Every object of the document that is a schema of whole numbers, with its place. */
function* integersIn(part: unknown, place: string, isNamed = false): Generator<readonly [string, Json]> {
  if (typeof part !== 'object' || part === null) return;
  const own = part as Json;
  // Below `properties` the members have names of fields, and a field may be called `type` or `example`.
  if (!isNamed && [own['type']].flat().includes('integer')) yield [place, own];
  for (const [key, value] of Object.entries(own)) {
    if (isNamed || !VALUES.includes(key))
      yield* integersIn(value, `${place} ${key}`, key === 'properties' && !isNamed);
  }
}

const document = describeApi('https://api.example.com/v1');
const integers = [...integersIn(document, '')];

it('every integer of the contract is of 64 bits: answers, parameters, headers', () => {
  expect(integers.length).toBeGreaterThanOrEqual(122);
  expect(integers.filter(([, { format }]) => format !== 'int64').map(([place]) => place)).toEqual([]);
});

it('no other value of the contract has this format, and no example gets one', () => {
  const marked = JSON.stringify(document).split('"format":"int64"').length - 1;
  expect(marked).toBe(integers.length);
});
