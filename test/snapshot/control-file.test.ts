import { expect, it } from 'vitest';
import { encodeControl } from '../../src/snapshot/control-file.ts';

it('writes control totals as one JSON object with a line for each row, tables and keys in order', () => {
  const totals = {
    users: [
      { name_digest: null, id: '501' },
      { id: '502', name_digest: 'a line\nbreak' },
    ],
    accounts: [{ id: '7' }],
  };
  expect(encodeControl(totals).toString()).toBe(`{"rows":[
{"base_table":"accounts","figures":{"id":"7"},"row":1},
{"base_table":"users","figures":{"id":"501","name_digest":null},"row":1},
{"base_table":"users","figures":{"id":"502","name_digest":"a line\\nbreak"},"row":2}
]}
`);
});

it('writes none as an object, too', () => {
  expect(encodeControl({}).toString()).toBe('{"rows":[\n]}\n');
});
