/** Sends one message in the form of its webhook: posted and signed, or as a letter. */
import type { AllowedAddresses } from './allowed-addresses.ts';
import { letterOf, postedBody } from './forms.ts';
import { type MailSettings, mailAddressOf, sendLetter } from './mail.ts';
import type { WebhookForm } from './names.ts';
import { ADDRESS_REFUSED } from './guarded-lookup.ts';
import { type PostAnswer, post } from './post.ts';
import { signedHeaders } from './signature.ts';
import type { Instant } from '../instant.ts';

/** A message, and the webhook that gets it. */
export interface OutgoingMessage {
  readonly message_id: string;
  /** The JSON of the event. */
  readonly body: string;
  readonly url: string;
  readonly secrets: readonly string[];
  readonly form: WebhookForm;
  /** When it is sent, in seconds since 1970. */
  readonly sent_s: number;
}

export interface SendTools {
  readonly allowed: AllowedAddresses;
  /** The mail server of letters; null: none is set. */
  readonly mail: MailSettings | null;
  /** Name and version of this program, for the receiver's log. */
  readonly sender: string;
  /** Timeout of one request; 10 s if omitted. */
  readonly timeout_ms?: number;
  readonly signal: AbortSignal;
  readonly now: () => Instant;
}

/** Sends the message once; rejects only when aborted. */
export async function sendMessage(message: OutgoingMessage, tools: SendTools): Promise<PostAnswer> {
  const { message_id, url, secrets, form, sent_s } = message;
  if (form === 'email') {
    const to = mailAddressOf(new URL(url));
    return to === null
      ? { fault: ADDRESS_REFUSED }
      : await sendLetter({ message_id, to, ...letterOf(message.body) }, tools);
  }
  const body = postedBody(form, message.body);
  const headers = {
    ...signedHeaders({ id: message_id, sent_s, body }, secrets),
    'user-agent': tools.sender,
  };
  return await post({ url, headers, body }, tools);
}
