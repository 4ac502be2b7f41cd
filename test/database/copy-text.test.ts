import { expect, it } from 'vitest';
import { COPY_CHARACTERS, copyLine, copyLines } from '../../src/database/copy-text.ts';

it('a line of COPY has its cells between tabs, a sign for no value, and escapes', () => {
  expect(copyLine(['a', null, '', 'tab\there', 'line\nend\r', 'C:\\N', '\\.'])).toBe(
    'a\t\\N\t\ttab\\there\tline\\nend\\r\tC:\\\\N\t\\\\.\n',
  );
});

it('lines of COPY are joined into messages, in their order', () => {
  const row = ['x'.repeat(COPY_CHARACTERS / 2)];
  const messages = [...copyLines([row, row, ['last']])];
  expect(messages.map((message) => message.length)).toEqual([COPY_CHARACTERS + 2, 'last\n'.length]);
  expect([...copyLines([])]).toEqual([]);
});
