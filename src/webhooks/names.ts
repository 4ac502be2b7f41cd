/** The names of the forms and events of a webhook, as commands take them. */
import { CrossfootError } from '../errors.ts';
import type { WebhookEvent } from './event.ts';

export type WebhookForm = 'json' | 'slack' | 'teams' | 'email';

/** The types of events, in the order of the help. */
export const EVENT_TYPES = [
  'snapshot.published',
  'snapshot.refused',
  'snapshot.failed',
  'snapshot.late',
  'snapshot.stale',
  'snapshot.retracted',
  'snapshot.damaged',
  'totals.moved',
  'budget.passed',
  'snapshot.delivered',
  'snapshot.undelivered',
] as const satisfies readonly WebhookEvent['type'][];

type EventType = (typeof EVENT_TYPES)[number];

/** The name of a type, such as `late`; `budget` for a budget that was passed. */
export function eventName(type: string): string {
  const [subject = '', happened = ''] = type.split('.');
  return subject === 'budget' ? subject : happened;
}

const LATER_TYPES: readonly string[] = [
  'snapshot.late',
  'totals.moved',
  'budget.passed',
  'snapshot.delivered',
  'snapshot.undelivered',
];
const FIRST_TYPES = EVENT_TYPES.filter((type) => !LATER_TYPES.includes(type));

/** The events that a webhook gets, as a command names them. */
interface Asked {
  /** Names that commas separate; the six types of the first version if omitted. */
  readonly events?: string;
  /** The share that must have moved, such as `5%`; adds the event of moved totals. */
  readonly moved?: string;
}

/** The types of the named events, each once in the order of the list above, and the share of totals that must have moved. */
export function parseSubscription({ events, moved }: Asked): { events: string[]; moved_share?: string } {
  const named = events === undefined ? FIRST_TYPES : parseEvents(events);
  if (moved === undefined) return { events: [...named] };
  const [, percent = ''] = /^(\d{1,4}(?:\.\d{1,4})?) ?%$/.exec(moved) ?? [];
  if (!(Number(percent) > 0)) {
    throw new CrossfootError('usage_invalid', `--moved must be a share above 0, found '${moved}'.`, {
      hint: 'Write it in percent, such as 5% or 0.5%.',
    });
  }
  const wanted = EVENT_TYPES.filter((type) => type === 'totals.moved' || named.includes(type));
  return { events: wanted, moved_share: `${percent}e-2` };
}

function parseEvents(text: string): readonly EventType[] {
  const given = text.split(',').map((name) => name.trim());
  const names = EVENT_TYPES.map(eventName);
  const unknown = given.find((name) => !names.includes(name));
  if (unknown !== undefined) {
    throw new CrossfootError('usage_invalid', `No event is called '${unknown}'.`, {
      hint: `The events are ${names.join(', ')}.`,
    });
  }
  return EVENT_TYPES.filter((type) => given.includes(eventName(type)));
}
