import { expect, it } from 'vitest';
import { shownAddress } from '../../src/webhooks/shown-address.ts';

it.each([
  ['https://hooks.slack.com/services/T1/B1/KEY', 'slack', 'https://hooks.slack.com/…'],
  ['https://prod.example.com:443/workflows/a/paths/invoke?sig=KEY', 'teams', 'https://prod.example.com/…'],
  ['https://hooks.example.com:8443/a?b', 'slack', 'https://hooks.example.com:8443/…'],
  ['https://hooks.example/crossfoot', 'json', 'https://hooks.example/crossfoot'],
  ['https://hooks.example/crossfoot?token=KEY', 'json', 'https://hooks.example/crossfoot?…'],
  ['mailto:finance@example.com', 'email', 'mailto:finance@example.com'],
] as const)('a list shows of %s as %s no more than %s', (address, form, shown) => {
  expect(shownAddress(address, form)).toBe(shown);
});
