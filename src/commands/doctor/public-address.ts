/** Whether the public address leads here: it is reached, its certificate holds, it is this server, and its clock is right. */
import { CLOCKS_AGREE_SECONDS } from '../../clock-offsets.ts';
import {
  documentOf,
  issuerOf,
  RESOURCE_DOCUMENT,
  resourceOf,
  SERVER_DOCUMENT,
} from '../../serve/auth/well-known.ts';
import { type Finding, fine } from './findings.ts';
import { type Instant, SECOND } from '../../instant.ts';

const TIMEOUT_MS = 5_000;
const REACH =
  'Open it from another machine. Behind a proxy, let it pass every path on, also this one, with the certificate of BASE_URL.';

/**
 * Asks the address of `BASE_URL` for what every assistant asks for before it connects, without a token. Everything is a warning,
 * because no night depends on it. `now` is in microseconds.
 */
export async function examinePublicAddress(baseUrl: string, now: () => Instant): Promise<Finding> {
  const root = issuerOf(baseUrl);
  try {
    const resource = await ask(documentOf(RESOURCE_DOCUMENT, resourceOf(baseUrl)));
    if ('finding' in resource) return resource.finding;
    const finding = judgePublicAnswer(root, { ...resource, now: now() });
    if (finding.outcome !== 'ok' || textIn(resource.body, 'authorization_servers') === undefined)
      return finding;
    const server = await ask(documentOf(SERVER_DOCUMENT, root));
    if ('finding' in server) return server.finding;
    return textIn(server.body, 'issuer') === root ? finding : otherServer(root);
  } catch (error) {
    return warning(`${root} was not reached: ${reason(error)}`, REACH);
  }
}

/** The document at this address, or what is wrong with its status. */
async function ask(
  address: string,
): Promise<{ readonly body: unknown; readonly date: string | null } | { readonly finding: Finding }> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const answer = await fetch(address, { redirect: 'manual', signal });
  if (answer.status === 200) return { body: await answer.json(), date: answer.headers.get('date') };
  await answer.body?.cancel();
  return { finding: warning(`${address} answered ${answer.status}`, REACH) };
}

/** The answer names the address of the assistant as its resource, and the clock of its server is ours. */
export function judgePublicAnswer(
  root: string,
  { body, date, now }: { readonly body: unknown; readonly date: string | null; readonly now: Instant },
): Finding {
  if (textIn(body, 'resource') !== resourceOf(root)) return otherServer(root);
  const sent = date === null ? Number.NaN : Date.parse(date);
  if (Number.isNaN(sent)) return fine(`${root} is reached, and is this product`);
  const apart = now / SECOND - BigInt(Math.floor(sent / 1_000));
  if (apart < -CLOCKS_AGREE_SECONDS || apart > CLOCKS_AGREE_SECONDS) {
    return warning(
      `the clock of ${root} is ${apart} s behind this machine`,
      'Set both clocks by NTP: codes and tokens of the sign-in end by the clock.',
    );
  }
  return fine(`${root} is reached, is this product, and has the time of this machine`);
}

function otherServer(root: string): Finding {
  return warning(
    `${root} is answered by another server, or by one with another BASE_URL`,
    `Set BASE_URL to the public address on every server: assistants connect only to the address that they asked.`,
  );
}

function textIn(body: unknown, name: string): unknown {
  return typeof body === 'object' && body !== null ? new Map(Object.entries(body)).get(name) : undefined;
}

function warning(found: string, advice: string): Finding {
  return { outcome: 'warning', found, advice };
}

/** The message of an error of `fetch`, which says only "fetch failed"; its `cause` has the words. */
function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return `no answer within ${TIMEOUT_MS / 1_000} s`;
  return error.cause instanceof Error ? error.cause.message : error.message;
}
