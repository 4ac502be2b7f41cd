/** The rule about sessions whose errors have a listener, on examples. */
import { expect, it } from 'vitest';
import { refuseUnheardSessions } from './file-rules.ts';
import { readSource } from './source.ts';

it.each([
  ["const a = new Client({ url }); a.on('error', ignore);", 0],
  ["const a = new Client({ url }); a.on('end', ignore);", 1],
  ["const a = new Pool({ url }); const b = new Client({ url }); b.on('error', ignore);", 1],
  ['const a = new ClientFor({ url });', 0],
])('a file that opens a session listens to its errors: %s', (text, refused) => {
  expect(refuseUnheardSessions([readSource('src/a.ts', text)])).toHaveLength(refused);
});
