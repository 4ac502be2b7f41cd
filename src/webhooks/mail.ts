/** One letter to a person, through the operator's own mail server. */
import { createTransport } from 'nodemailer';
import { z } from 'zod';
import { type PostAnswer, faultOf } from './post.ts';

/** The mail server of the settings, and who writes. */
export interface MailSettings {
  /** `smtp://` or `smtps://`, with its login. */
  readonly url: string;
  readonly from: string;
}

export interface Letter {
  /** Equal for equal events, so that a mailbox can drop duplicates. */
  readonly message_id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

interface MailTools {
  /** Null: no mail server is set. */
  readonly mail: MailSettings | null;
  readonly signal: AbortSignal;
  /** Limit of each step of the conversation; 10 s if omitted. */
  readonly timeout_ms?: number;
}

const PATIENCE_MS = 10_000;
const MAIL_UNSET = 'mail_unset';

/** The one address of a `mailto:` URL; null if it has none, several, or anything besides. */
export function mailAddressOf({ protocol, href, pathname }: URL): string | null {
  if (protocol !== 'mailto:' || href !== `mailto:${pathname}`) return null;
  const read = z.email().safeParse(pathname);
  return read.success ? read.data : null;
}

/** Sends a letter; rejects only when aborted. The status is that of the mail server, 250 for a letter that it took. */
export async function sendLetter(letter: Letter, tools: MailTools): Promise<PostAnswer> {
  const { mail, signal, timeout_ms = PATIENCE_MS } = tools;
  signal.throwIfAborted();
  if (mail === null) return { fault: MAIL_UNSET };
  const { message_id, to, subject, text } = letter;
  const transport = createTransport({
    ...loginOf(new URL(mail.url)),
    connectionTimeout: timeout_ms,
    greetingTimeout: timeout_ms,
    socketTimeout: timeout_ms,
    dnsTimeout: timeout_ms,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => aborted.reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  const sending = transport.sendMail({
    from: mail.from,
    to: { name: '', address: to },
    subject,
    text,
    messageId: `<${message_id}@crossfoot>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
  });
  try {
    const { response } = await Promise.race([sending, aborted.promise]);
    return { status: Number(response.slice(0, 3)), retry_after_s: null };
  } catch (error) {
    signal.throwIfAborted();
    const fault = faultOf(error);
    const status = error instanceof Error && 'responseCode' in error ? error.responseCode : undefined;
    // A server without TLS answers, too, but that it does not know the command says nothing to a person.
    return typeof status === 'number' && fault !== 'ETLS' ? { status, retry_after_s: null } : { fault };
  } finally {
    signal.removeEventListener('abort', abort);
    transport.close();
  }
}

/** Host, port and login. A login is sent only over TLS. */
function loginOf({ protocol, hostname, port, username, password }: URL) {
  const secure = protocol === 'smtps:';
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    ...(username === ''
      ? {}
      : {
          requireTLS: !secure,
          auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
        }),
  };
}
