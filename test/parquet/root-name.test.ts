import { expect, it } from 'vitest';
import { nameRoot } from '../../src/parquet/root-name.ts';

// The head of a footer: version 2, a list of two elements, and the first element's name.
const HEAD = '\u0015\u0002\u0019\u002c\u0048';

function fileEnd(pages: string, root: string, rest: string): Uint8Array<ArrayBuffer> {
  const footer = `${HEAD}${String.fromCodePoint(root.length)}${root}${rest}`;
  const trailer = Buffer.alloc(8, 'PAR1');
  trailer.writeUInt32LE(footer.length);
  return new Uint8Array(Buffer.concat([Buffer.from(pages + footer, 'latin1'), trailer]));
}

it('the new name of the root and the length of the footer are the only bytes that change', () => {
  const end = nameRoot(fileEnd('pages', 'arrow_schema', ' and arrow_schema'), 'costs');
  expect(Buffer.from(end?.pages ?? []).toString()).toBe('pages');
  // Without pages, so that only the footer and its trailer are compared.
  expect(Buffer.from(end?.footer ?? [])).toEqual(Buffer.from(fileEnd('', 'costs', ' and arrow_schema')));
});

it.each([
  ['a footer that is cut off', fileEnd('', 'arrow_schema', '').subarray(4)],
  ['fewer bytes than a trailer', new Uint8Array(7)],
  ['a footer with another root', fileEnd('', 'schema', 'H\u000carrow_schema'.padStart(40))],
  ['pages without a trailer', fileEnd('pages', 'arrow_schema', '').subarray(0, -1)],
])('no end of a file is found in %s', (_, bytes) => {
  expect(nameRoot(bytes, 'costs')).toBeNull();
});

it('a name too long for its length to take one byte is refused', () => {
  expect(() => nameRoot(fileEnd('', 'arrow_schema', ''), 'x'.repeat(128))).toThrow('it has over 127 bytes');
});
