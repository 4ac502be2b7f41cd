import { expect, it } from 'vitest';
import { pinClash, schemaOfPin } from '../../../src/snapshot/format/pin-schema.ts';

it('a pin is shared in a schema of its name in lower case, with a hyphen for each period', () => {
  expect(schemaOfPin('Close.2026.10')).toBe('close-2026-10');
});

it.each([
  ['latest', [], 'latest means the newest snapshot. Choose another name.'],
  ['newest', [], 'newest means the newest snapshot. Choose another name.'],
  ['newest-2026', [], null],
  ['reporting', [], 'reporting is the schema in which every snapshot is shared. Choose another name.'],
  ['main', [], 'main is the schema in which every snapshot is shared. Choose another name.'],
  [
    'close.2026',
    ['close-2026'],
    'close.2026 and the pin close-2026 would be shared as one schema, close-2026. Choose another name.',
  ],
  ['close-2026', ['close-2026', 'year-end'], null],
])('the name %s beside %j is taken or refused', (name, others, clash) => {
  expect(pinClash(name, others)).toBe(clash);
});
