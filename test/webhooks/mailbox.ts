/** A real mail server on loopback that takes letters, or refuses them as it is told. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

export interface Mailbox extends AsyncDisposable {
  /** Its address for `SMTP_URL`, with a login if one is given. */
  url(login?: string): string;
  /** What the next letters get, in order: the code of an SMTP answer, or `hang`. Afterwards letters are taken. */
  plan(...manners: readonly (number | 'hang')[]): void;
  /** The letters that it took, as they were sent, with the recipients of their envelopes. */
  readonly letters: { readonly to: readonly string[]; readonly from: string; readonly text: string }[];
  /** The logins that were sent. */
  readonly logins: string[];
}

/** Opens one on a free port. It has no certificate, unless `tls` offers that of its library. */
export async function openMailbox({ tls = false } = {}): Promise<Mailbox> {
  const letters: Mailbox['letters'] = [];
  const logins: string[] = [];
  const manners: (number | 'hang')[] = [];
  const server = new SMTPServer({
    disabledCommands: tls ? [] : ['STARTTLS'],
    authOptional: true,
    allowInsecureAuth: true,
    logger: false,
    onAuth({ username, password }, _, callback) {
      logins.push(`${username} ${password}`);
      callback(null, { user: username });
    },
    onData(stream, { envelope }, callback) {
      const take = async (): Promise<void> => {
        const letter = await text(stream);
        const manner = manners.shift();
        if (manner === 'hang') return;
        if (manner !== undefined)
          return callback(Object.assign(new Error('refused'), { responseCode: manner }));
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        letters.push({ to: envelope.rcptTo.map(({ address }) => address), from, text: letter });
        callback();
      };
      void take();
    },
  });
  // A client that leaves in the middle is what some tests are about.
  server.on('error', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo; // a TCP listener has one
  return {
    letters,
    logins,
    plan: (...next) => void manners.push(...next),
    url: (login) => `smtp://${login === undefined ? '' : `${login}@`}127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      const closed = Promise.withResolvers<void>();
      server.close(() => closed.resolve());
      await closed.promise;
    },
  };
}
