import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeCanonical, encodeCanonical } from '../../../src/snapshot/format/canonical-json.ts';

test('canonical JSON has sorted keys at every level and no white space', () => {
  expect(String(encodeCanonical({ b: [{ z: 1, a: 'é' }], a: null }))).toBe(
    '{"a":null,"b":[{"a":"é","z":1}]}',
  );
});

/** Refused at every depth; the generator thinks of it once in some thousand values. */
const PROTO_KEY = '"__proto__":';

test('canonical JSON is read back as it was written, for any order of the keys', () => {
  fc.assert(
    fc.property(
      fc
        .dictionary(fc.string(), fc.jsonValue())
        .filter((value) => !JSON.stringify(value).includes(PROTO_KEY)),
      (value) => {
        const bytes = encodeCanonical(value);
        expect(encodeCanonical(decodeCanonical(bytes)).equals(bytes)).toBe(true);
      },
    ),
  );
});

test.each([
  '{"a":1,"a":2}',
  '{"b":1,"a":2}',
  '{"a": 1}',
  '{"a":1}\n',
  '{"a":1}x',
  '{"a":9007199254740993}',
  '{"a":1e3}',
  '{"a":-0}',
  String.raw`{"a":"\u0041"}`,
  '{"__proto__":{"x":1}}',
  '{"a":{"__proto__":1}}',
  '',
  '{"a":1',
  '['.repeat(500_000),
])('the text %.40j is refused, because it is not canonical', (text) => {
  expect(() => decodeCanonical(Buffer.from(text))).toThrow(Error);
});

test('the reader refuses bytes that are not UTF-8', () => {
  expect(() => decodeCanonical(Buffer.from([0x22, 0xff, 0x22]))).toThrow(TypeError);
});
