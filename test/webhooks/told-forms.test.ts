/** Every event in every form: what happened, since when and in which money, the page to look at, and the command to run. */
import { AdaptiveCard, SerializationContext } from 'adaptivecards';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { letterOf, postedBody } from '../../src/webhooks/forms.ts';
import type { WebhookEvent } from '../../src/webhooks/event.ts';
import { EVENT_TYPES, type WebhookForm } from '../../src/webhooks/names.ts';
import { NIGHT_PAGE, SENTENCES, SNAPSHOT_PAGE } from './told-events.ts';

/** What a receiver shows of a message. */
interface Shown {
  readonly text: string;
  readonly link: string | null;
}

const slack = z.object({ blocks: z.tuple([z.object({ text: z.object({ text: z.string() }) })]) });
const teams = z.object({ attachments: z.tuple([z.object({ content: z.unknown() })]) });
const card = z.object({
  body: z.array(z.object({ inlines: z.array(z.object({ text: z.string() })) })),
  actions: z.array(z.object({ url: z.string() })),
});

/** Reads a message of people as its receiver does: Slack its signs, Teams the card by its published reader. */
const SHOWN: Readonly<Record<Exclude<WebhookForm, 'json'>, (body: string) => Shown>> = {
  slack(body) {
    const [block] = slack.parse(JSON.parse(postedBody('slack', body))).blocks;
    const text = block.text.text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
    return { text, link: /<([^|>]+)\|Open the page>/.exec(text)?.[1] ?? null };
  },
  teams(body) {
    const [{ content }] = teams.parse(JSON.parse(postedBody('teams', body))).attachments;
    const read = new AdaptiveCard();
    const context = new SerializationContext();
    read.parse(content, context);
    expect([context.eventCount, read.validateProperties().validationEvents]).toEqual([0, []]);
    const { body: blocks, actions } = card.parse(read.toJSON());
    const text = blocks.flatMap(({ inlines }) => inlines.map((run) => run.text)).join('\n');
    return { text, link: actions[0]?.url ?? null };
  },
  email(body) {
    const { subject, text } = letterOf(body);
    expect(subject).toMatch(/^Account 7: \w/);
    return { text, link: /^Open the page: (.+)$/m.exec(text)?.[1] ?? null };
  },
};

/** The words that say what happened and since when, and the money of the event if it has some. */
const SAID: Readonly<
  Record<WebhookEvent['type'], { readonly what: string; readonly when: string; readonly money?: string }>
> = {
  'snapshot.published': { what: 'passed its audit', when: '20260715T020101Z', money: 'EUR 600.00' },
  'snapshot.refused': { what: 'refused', when: 'since 2026-07-14 01:46 UTC', money: 'USD 1,234.56' },
  'snapshot.failed': { what: 'failed at its last try', when: 'as of 2026-07-15 01:46 UTC' },
  'snapshot.late': { what: 'more than 26 hours old', when: 'made 2026-07-15 02:01 UTC' },
  'snapshot.stale': { what: 'more than 36 hours old', when: 'made 2026-07-15 02:01 UTC' },
  'snapshot.retracted': { what: 'was retracted', when: 'as of 2026-07-15 01:46 UTC' },
  'snapshot.damaged': { what: 'was found damaged', when: 'at 2026-07-15 01:46 UTC' },
  'totals.moved': { what: 'moved', when: 'since 2026-07-14 02:01 UTC', money: 'USD 1,100.50' },
  'budget.passed': {
    what: 'passed its CapEx budget',
    when: 'since 2026-07-14 02:01 UTC',
    money: 'EUR 1,200.00',
  },
  'snapshot.delivered': { what: 'was delivered whole', when: '20260715T020101Z' },
  'snapshot.undelivered': { what: 'could not be delivered', when: 'until 2026-07-15 01:46 UTC' },
};

const typed = z.object({
  type: z.enum(EVENT_TYPES),
  data: z.object({ account_id: z.int(), url: z.string() }),
});
const FORMS = Object.entries(SHOWN);
const CASES = SENTENCES.flatMap(([title, body, sentence, link, next]) =>
  FORMS.map(([form, show]) => ({
    title,
    form,
    show,
    body,
    sentence,
    link,
    command: `npx --no crossfoot ${next}`,
  })),
);

describe('an event', () => {
  it.each(CASES)('($title) as $form has the sentence, the page and the command', (each) => {
    const { text, link } = each.show(each.body);
    expect(text).toContain(each.sentence);
    expect(link).toBe(each.link);
    expect(text).toContain(each.command);
  });

  it.each(EVENT_TYPES)('of type %s says in one of its sentences what, since when and how much', (type) => {
    const { what, when, money = '' } = SAID[type];
    const sentences = SENTENCES.filter(([, body]) => typed.parse(JSON.parse(body)).type === type);
    const all = sentences.map(([, , sentence]) => sentence).join('\n');
    for (const words of [what, when, money]) expect(all).toContain(words);
  });

  it.each(SENTENCES)(
    '(%s) as JSON is the body itself, whose facts the other forms tell',
    (_, body, __, link) => {
      expect(postedBody('json', body)).toBe(body);
      const { data } = typed.parse(JSON.parse(body));
      expect(data.account_id).toBe(7);
      expect(data.url).toMatch(/^https:\/\/figures\.example\/shop\/v1\/reporting\//);
      // The page of a person and the address of a program belong to the same place.
      expect(link.startsWith(SNAPSHOT_PAGE) || link === NIGHT_PAGE).toBe(true);
    },
  );
});
