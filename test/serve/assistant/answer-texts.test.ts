import { describe, expect, it } from 'vitest';
import { nearNames } from '../../../src/serve/assistant/near-names.ts';
import { joinEntries } from '../../../src/serve/assistant/recent-page.ts';
import { cutText, quoted } from '../../../src/serve/assistant/user-text.ts';

const numbers = (count: number): number[] => [...Array(count).keys()];

describe('the latest entries of an overview', () => {
  it.each([
    ['ten with a period and five without', 10, 5, false],
    ['eleven with a period', 11, 0, true],
    ['six without a period', 0, 6, true],
  ])('of %s say whether more exist', (_, dated, undated, has_more) => {
    const joined = joinEntries({ dated: numbers(dated), undated: numbers(undated) });
    expect([joined.rows.length, joined.has_more]).toEqual([
      Math.min(dated, 10) + Math.min(undated, 5),
      has_more,
    ]);
  });
});

describe('a misspelt name', () => {
  it('is near to a name with a third of its letters wrong, and to none with more', () => {
    // Two of six letters differ in the first name, three in the second.
    expect(nearNames(['abcdxy', 'abcxyz'], (name) => [name], 'ABCDEF')).toEqual(['abcdxy']);
  });
});

describe('a text that is cut', () => {
  it.each([
    ['abc', 3, 'abc', 0],
    ['abc', 2, 'ab', 1],
    // A pair of two units is not cut in two: both are among the three that are missing.
    ['a\u{1f600}b', 2, 'a', 3],
  ])('%j to %i keeps %j, and %i characters are missing', (uncut, most, text, cut_characters) => {
    expect(cutText(uncut, most)).toEqual({ text, cut_characters });
  });
});

describe('a quoted text', () => {
  it.each([
    ['a format character', '\u200b', String.raw`\u200b`],
    ['a character for private use', '\ue000', String.raw`\ue000`],
    ['a character that Unicode does not assign', '\u0378', String.raw`\u0378`],
    ['a tag character, which is two units long', '\u{e0041}', String.raw`\udb40\udc41`],
    ['a separator of lines', '\u2028', String.raw`\u2028`],
  ])('shows %s, which could hide words, as an escape', (_, character, escape) => {
    expect(quoted(`a${character}b`)).toBe(`<data>"a${escape}b"</data>`);
  });
});
