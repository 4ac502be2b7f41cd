/** What people are told, in each form; `told-events.ts` has every sentence, written by hand. */
import { readFile } from 'node:fs/promises';
import type { AnyBlock } from '@slack/types';
import { AdaptiveCard, SerializationContext } from 'adaptivecards';
import { describe, expect, it } from 'vitest';
import { letterOf, postedBody, slackMessage, teamsMessage } from '../../src/webhooks/forms.ts';
import { EVENT_TYPES } from '../../src/webhooks/names.ts';
import { tellOf } from '../../src/webhooks/told.ts';
import {
  CHANGES,
  damaged,
  NIGHT_PAGE,
  PASSED,
  PUBLISHED,
  REFUSED,
  SENTENCES,
  snapshot,
  SNAPSHOT_PAGE,
  written,
} from './told-events.ts';

/** The published types of messages: Slack's own, and the reader of cards that Microsoft publishes; both packages of npm. */
const TYPES = [
  { name: '@slack/types', version: '3.2.0', published: '2026-09-30' },
  { name: 'adaptivecards', version: '3.0.6', published: '2026-04-10' },
];

it.each(TYPES)('messages are checked by $name $version of $published', async ({ name, version }) => {
  const file = new URL(`../../node_modules/${name}/package.json`, import.meta.url);
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ name, version });
});

describe('a person', () => {
  it.each(SENTENCES)(
    'gets the message of %s, with where to look and what to run',
    (_, body, sentence, link, next) => {
      expect(tellOf(body)).toMatchObject({ sentence, link, command: `npx --no crossfoot ${next}` });
    },
  );

  it('gets a message for every type of event', () => {
    const told = SENTENCES.map(([, body]) => (JSON.parse(body) as { type: string }).type);
    expect(new Set(told)).toEqual(new Set(EVENT_TYPES));
  });

  it('gets a test message, which names no page', () => {
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
    expect(text).toContain('UTC: &lt;!channel&gt; &amp; co does not hold');
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
    expect(JSON.stringify(card.toJSON())).toContain('UTC: *a* does not hold');
    expect(card.getActionCount()).toBe(1);
    expect(JSON.parse(postedBody('teams', PUBLISHED))).toEqual(teamsMessage(PUBLISHED));
  });

  it('names ten budgets that were passed, and how many more', () => {
    const budgets = Array.from({ length: 300 }, (_, at) => ({ ...PASSED, initiative_id: 501 + at }));
    const changes = { ...CHANGES, budgets };
    const { sentence: text } = tellOf(written({ type: 'budget.passed', ...snapshot }, { changes }));
    expect(text).toContain('Initiative 510 of account 7 passed its budget since 2026-07-14 02:01 UTC.');
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
