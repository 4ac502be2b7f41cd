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

it('replaces the name of the root and the length of the footer, and leaves every other byte', () => {
  const { pages, footer } = nameRoot(fileEnd('pages', 'arrow_schema', ' and arrow_schema'), 'costs');
  expect(Buffer.from(pages).toString()).toBe('pages');
  // Without pages, so that only the footer and its trailer are compared.
  expect(Buffer.from(footer)).toEqual(Buffer.from(fileEnd('', 'costs', ' and arrow_schema')));
});

it.each([
  ['that is cut off', fileEnd('', 'arrow_schema', '').subarray(4), 'did not write the footer in one piece'],
  ['of fewer bytes than a trailer', new Uint8Array(7), 'did not write the footer in one piece'],
  ['with another root', fileEnd('', 'schema', 'H\u000carrow_schema'.padStart(40)), 'cannot be named'],
])('refuses a footer %s', (_, end, why) => {
  expect(() => nameRoot(end, 'costs')).toThrow(why);
});
