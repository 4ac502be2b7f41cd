/** What webhooks are told of a build that the audit refused: facts of the error, never its sentence. */
import { expect, it } from 'vitest';
import { CrossfootError } from '../../../src/errors.ts';
import { refusalEvent } from '../../../src/run/builders/webhook-events.ts';
import { refuse } from '../../../src/snapshot/audit/report.ts';

const build = { account_id: 7n, night: '2026-07-15' };

function refusal(figure: string, expected: string, found: string): CrossfootError {
  const offence = { subject: 'reported_totals', place: 'all', figure, expected, found };
  const check = {
    name: '42-check-amounts',
    rows_examined: 9,
    passed: false,
    offences: [offence],
    cut: false,
  };
  return refuse({
    snapshot_id: 'x',
    account_id: '7',
    engine: 'x',
    passed: false,
    checks: [check],
    windows: [],
  });
}

it('a refusal of an amount names the check and the cents', () => {
  expect(refusalEvent(build, refusal('cash_value_cents', '119900', '120000'))).toEqual({
    type: 'snapshot.refused',
    ...build,
    check: '42-check-amounts',
    cents_off: 100,
  });
});

it('a refusal of anything else names the check and no cents', () => {
  expect(refusalEvent(build, refusal('rows', '2', '1'))).toMatchObject({
    check: '42-check-amounts',
    cents_off: null,
  });
  const shrunk = new CrossfootError('table_lost_rows', 'It shrank.', { data: { expected: 2, found: 1 } });
  expect(refusalEvent(build, shrunk)).toMatchObject({ check: 'table_lost_rows', cents_off: null });
});

it('a failure that refuses no figures is no refusal', () => {
  expect(refusalEvent(build, new CrossfootError('ledger_locked', 'Locked.'))).toBeNull();
});
