/** The names of the forms and events of a webhook, as commands take them. */
import { CrossfootError } from '../errors.ts';
import type { WebhookEvent } from './event.ts';

export type WebhookForm = 'json' | 'slack' | 'teams' | 'email';

/** The types of events, in the order of the help. The name of one is what follows its dot. */
export const EVENT_TYPES = [
  'snapshot.published',
  'snapshot.refused',
  'snapshot.failed',
  'snapshot.late',
  'snapshot.stale',
  'snapshot.retracted',
  'snapshot.damaged',
] as const satisfies readonly WebhookEvent['type'][];

/** The name of a type, such as `late`. */
export function eventName(type: string): string {
  return type.slice(type.indexOf('.') + 1);
}

/** The types of these names, which commas separate; each once, in the order of the list above. */
export function parseEvents(text: string): string[] {
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
