/** What people are told, in each form; every sentence is written by hand. */
import type { AnyBlock } from '@slack/types';
import { AdaptiveCard, SerializationContext } from 'adaptivecards';
import { describe, expect, it } from 'vitest';
import { bodyOf, type Circumstances, type WebhookEvent } from '../../src/webhooks/event.ts';
import { letterOf, postedBody, slackMessage, teamsMessage } from '../../src/webhooks/forms.ts';
import type { NightChanges } from '../../src/webhooks/night-changes.ts';
import { EVENT_TYPES } from '../../src/webhooks/names.ts';
import { tellOf } from '../../src/webhooks/told.ts';
import { LEFT_OUT } from './webhook-harness.ts';

const AT = 1_784_080_000_000_001n; // 2026-07-15T01:46:40.000001Z
const DAY = 86_400_000_000n;
const BASE = 'https://figures.example/shop/v1';
const snapshot = { account_id: 7n, snapshot_id: '20260715T020101Z', night: '2026-07-15' };
const night = { account_id: 7n, night: '2026-07-15' };
const SNAPSHOT_PAGE = 'https://figures.example/shop/snapshots/20260715T020101Z';
const NIGHT_PAGE = 'https://figures.example/shop/night';

const written = (event: WebhookEvent, more: Partial<Circumstances> = {}): string =>
  bodyOf(event, { at: AT, since: AT, left_out: LEFT_OUT, changes: null, baseUrl: BASE, ...more });

const damaged = (file: string): string =>
  written({ type: 'snapshot.damaged', ...snapshot, files: [file], mark: 3 });

const PUBLISHED = written({ type: 'snapshot.published', ...snapshot });
const REFUSED: WebhookEvent = {
  type: 'snapshot.refused',
  ...night,
  check: '42-check-amounts',
  cents_off: 123_456,
};

const PASSED = { initiative_id: 103, part: null, currency: null, budget_cents: null, actual_cents: null };

const CHANGES: NightChanges = {
  compared_with: '20260714T020101Z',
  totals: [
    { figure: 'cash_value_cents', before_cents: 100_000, after_cents: 110_050 },
    { figure: 'freed_capacity_cents', before_cents: 0, after_cents: -500 },
  ],
  budgets: [
    { initiative_id: 101, part: 'CapEx', currency: 'EUR', budget_cents: 100_000, actual_cents: 120_000 },
    PASSED,
  ],
};

const SENTENCES: readonly (readonly [
  title: string,
  body: string,
  sentence: string,
  link: string,
  next: string,
])[] = [
  [
    'a published snapshot, with what no total has',
    PUBLISHED,
    'Snapshot 20260715T020101Z of account 7 passed its audit and can be read. 1 cost in EUR (EUR 600.00) has no dollar figure yet and is in no total.',
    SNAPSHOT_PAGE,
    'rates import https://www.ecb.europa.eu/stats/eurofxref/eurofxref-hist.zip',
  ],
  [
    'a published snapshot whose totals have all',
    written({ type: 'snapshot.published', ...snapshot }, { left_out: null }),
    'Snapshot 20260715T020101Z of account 7 passed its audit and can be read.',
    SNAPSHOT_PAGE,
    'snapshots --account 7',
  ],
  [
    'a first refusal',
    written(REFUSED),
    'The audit refused the snapshot of account 7 for the night of 2026-07-15 by 42-check-amounts, off by USD 1,234.56; the snapshot before stays served.',
    NIGHT_PAGE,
    'why --account 7',
  ],
  [
    'a refusal that is not about an amount, of a check that refuses since the day before',
    written({ ...REFUSED, cents_off: null }, { since: AT - DAY }),
    'The audit refused the snapshot of account 7 for the night of 2026-07-15 by 42-check-amounts since 2026-07-14 01:46 UTC; the snapshot before stays served.',
    NIGHT_PAGE,
    'why --account 7',
  ],
  [
    'a failed build of a night',
    written({ type: 'snapshot.failed', ...night, job_id: 'a job', code: 'ledger_locked' }),
    'The build of account 7 for the night of 2026-07-15 failed at its last try (ledger_locked); the snapshot before stays served.',
    NIGHT_PAGE,
    'why --account 7',
  ],
  [
    'a failed rebuild, which is of no night',
    written({ type: 'snapshot.failed', account_id: 7n, night: null, job_id: 'a job', code: 'ledger_locked' }),
    'The build of account 7 failed at its last try (ledger_locked); the snapshot before stays served.',
    NIGHT_PAGE,
    'why --account 7',
  ],
  [
    'a late night',
    written({ type: 'snapshot.late', ...snapshot }),
    'The newest snapshot of account 7 is more than 26 hours old: 20260715T020101Z, made 2026-07-15 02:01 UTC.',
    SNAPSHOT_PAGE,
    'why --account 7',
  ],
  [
    'a stale snapshot',
    written({ type: 'snapshot.stale', ...snapshot }),
    'The newest snapshot of account 7 is more than 36 hours old: 20260715T020101Z, made 2026-07-15 02:01 UTC.',
    SNAPSHOT_PAGE,
    'why --account 7',
  ],
  [
    'a retracted snapshot with a replacement',
    written({ type: 'snapshot.retracted', ...snapshot, replaced_by: '20260716T020101Z' }),
    'Snapshot 20260715T020101Z of account 7 was retracted and must no longer be used; use 20260716T020101Z instead.',
    SNAPSHOT_PAGE,
    'snapshots --account 7',
  ],
  [
    'a retracted snapshot without a replacement',
    written({ type: 'snapshot.retracted', ...snapshot, replaced_by: null }),
    'Snapshot 20260715T020101Z of account 7 was retracted and must no longer be used; nothing replaces it yet.',
    SNAPSHOT_PAGE,
    'snapshots --account 7',
  ],
  [
    'one damaged file',
    written({ type: 'snapshot.damaged', ...snapshot, files: ['costs.parquet'], mark: 3 }),
    'Snapshot 20260715T020101Z of account 7 is damaged: costs.parquet does not hold what was audited, and is refused until it is restored.',
    SNAPSHOT_PAGE,
    'enqueue --account 7',
  ],
  [
    'three damaged files',
    written({ type: 'snapshot.damaged', ...snapshot, files: ['costs.parquet', 'a', 'b'], mark: 3 }),
    'Snapshot 20260715T020101Z of account 7 is damaged: costs.parquet and 2 more do not hold what was audited, and are refused until they are restored.',
    SNAPSHOT_PAGE,
    'enqueue --account 7',
  ],
  [
    'totals that moved',
    written({ type: 'totals.moved', ...snapshot }, { changes: CHANGES }),
    'Totals of account 7 moved in snapshot 20260715T020101Z: cash value from USD 1,000.00 to USD 1,100.50, freed capacity from USD 0.00 to USD −5.00.',
    `${SNAPSHOT_PAGE}/changes?from=20260714T020101Z`,
    'diff 20260714T020101Z 20260715T020101Z --account 7',
  ],
  [
    'budgets that were passed',
    written({ type: 'budget.passed', ...snapshot }, { changes: CHANGES }),
    'Initiative 101 of account 7 passed its CapEx budget: EUR 1,200.00 spent of EUR 1,000.00. Initiative 103 of account 7 passed its budget.',
    `${SNAPSHOT_PAGE}/changes?from=20260714T020101Z`,
    'diff 20260714T020101Z 20260715T020101Z --table budget_vs_actual --account 7',
  ],
  [
    'a delivered snapshot',
    written({ type: 'snapshot.delivered', ...snapshot, target_id: 3n, reason: null }),
    'Snapshot 20260715T020101Z of account 7 was delivered whole to target 3.',
    SNAPSHOT_PAGE,
    'deliver list --account 7',
  ],
  [
    'a snapshot that could not be delivered',
    written({ type: 'snapshot.undelivered', ...snapshot, target_id: 3n, reason: 'target: refused (403).' }),
    'Snapshot 20260715T020101Z of account 7 could not be delivered to target 3 so far: target: refused (403).',
    SNAPSHOT_PAGE,
    'deliver test 3 --account 7',
  ],
];

describe('a person', () => {
  it.each(SENTENCES)('is told of %s, where to look, and what to run', (_, body, sentence, link, next) => {
    expect(tellOf(body)).toMatchObject({ sentence, link, command: `npx --no crossfoot ${next}` });
  });

  it('is told of every type of event', () => {
    const told = SENTENCES.map(([, body]) => (JSON.parse(body) as { type: string }).type);
    expect(new Set(told)).toEqual(new Set(EVENT_TYPES));
  });

  it('is told of a test message, which names no page', () => {
    const body = JSON.stringify({ type: 'test', timestamp: '2026-07-15T01:46:40Z', data: { account_id: 7 } });
    expect(tellOf(body)).toEqual({
      subject: 'Account 7: test message',
      sentence: 'This is a test: messages of account 7 arrive here.',
      link: null,
      command: 'npx --no crossfoot webhooks list --account 7',
    });
  });
});

describe('a message', () => {
  it('to a program is the JSON of the event, byte for byte', () => {
    expect(postedBody('json', PUBLISHED)).toBe(PUBLISHED);
  });

  it('to Slack has the text and one block of its published types, with the signs of Slack escaped', () => {
    const { text, blocks } = slackMessage(damaged('<!channel> & co'));
    const typed: readonly AnyBlock[] = blocks;
    expect(text).toContain('is damaged: &lt;!channel&gt; &amp; co does not hold');
    expect(typed).toEqual([
      {
        type: 'section',
        text: {
          type: 'mrkdwn',
          text: `${text}\n<${SNAPSHOT_PAGE}|Open the page>\n\`npx --no crossfoot enqueue --account 7\``,
        },
      },
    ]);
    expect(JSON.parse(postedBody('slack', PUBLISHED))).toEqual(slackMessage(PUBLISHED));
  });

  it('to Teams is a card that its published reader takes without a complaint, in runs without Markdown', () => {
    const [attachment] = teamsMessage(damaged('*a*')).attachments;
    expect(attachment?.contentType).toBe('application/vnd.microsoft.card.adaptive');
    const card = new AdaptiveCard();
    const context = new SerializationContext();
    card.parse(attachment?.content, context);
    expect(context.eventCount).toBe(0);
    expect(card.validateProperties().validationEvents).toEqual([]);
    expect(JSON.stringify(card.toJSON())).toContain('is damaged: *a* does not hold');
    expect(card.getActionCount()).toBe(1);
    expect(JSON.parse(postedBody('teams', PUBLISHED))).toEqual(teamsMessage(PUBLISHED));
  });

  it('names ten budgets that were passed, and how many more', () => {
    const budgets = Array.from({ length: 300 }, (_, at) => ({ ...PASSED, initiative_id: 501 + at }));
    const changes = { ...CHANGES, budgets };
    const { sentence: text } = tellOf(written({ type: 'budget.passed', ...snapshot }, { changes }));
    expect(text).toContain('Initiative 510 of account 7 passed its budget.');
    expect(text).not.toContain('511');
    expect(text).toContain(' 290 more did.');
  });

  it('to Slack is cut before the 3,000 characters that Slack takes', () => {
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('');
    const codes = ['X', 'Y', 'Z'].flatMap((first) =>
      letters.flatMap((second) => [`${first}${second}A`, `${first}${second}B`]),
    );
    const cost = codes.map((currency) => ({ currency, amount_cents: 123_456_789_012, entries: 1 }));
    const left_out = { cost, value: [] };
    const message = slackMessage(written({ type: 'snapshot.published', ...snapshot }, { left_out }));
    expect(message.text).toMatch(/^Snapshot 20260715T020101Z of account 7 passed its audit .*…$/);
    expect(message.text.length).toBe(2_001);
    expect(message.blocks[0]?.text.text).toContain(`<${SNAPSHOT_PAGE}|Open the page>`);
    expect(message.blocks[0]?.text.text.length).toBeLessThan(3_000);
  });

  it('as a letter has a subject, the sentence, the page and the command', () => {
    expect(letterOf(written(REFUSED))).toEqual({
      subject: 'Account 7: snapshot refused',
      text: [
        'The audit refused the snapshot of account 7 for the night of 2026-07-15 by 42-check-amounts, off by USD 1,234.56; the snapshot before stays served.',
        '',
        `Open the page: ${NIGHT_PAGE}`,
        '',
        'Run next: npx --no crossfoot why --account 7',
        '',
      ].join('\n'),
    });
  });
});
