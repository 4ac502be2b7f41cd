/** The page on which a signed-in person allows a client to ask the assistant, and the answer that leads back to the client. */
import type { Context } from 'hono';
import { html } from 'hono/html';
import { CrossfootError } from '../../errors.ts';
import { refusedParameter } from '../http/parameters.ts';
import { readAccountName } from '../../ledger/accounts.ts';
import type { AccountSession, AccountWork } from '../../ledger/account-session.ts';
import type { AssistantClient, AssistantRecords } from '../../ops/assistants.ts';
import type { ServeEnv } from '../auth/authenticate.ts';
import { definePage } from '../frame/define-page.ts';
import { FORM_TOKEN } from '../frame/page-frame.ts';
import { formTokenFor, type SignInParts } from '../frame/signed-in.ts';
import type { Html } from '../frame/site-layout.ts';
import { issuerOf, resourceOf } from '../auth/well-known.ts';
import { AUTHORIZE_PATH } from './addresses.ts';
import { type AuthorizationRequest, readAuthorizationRequest } from './authorization-request.ts';
import { findClient, hasDocument } from './client-document.ts';
import { isRegistered, placeOf, withAnswer } from './redirect-address.ts';
import type { ConnectParts } from './sign-in-parts.ts';

/** The names of the form's fields. */
export const REQUEST = 'request';
export const ANSWER = 'answer';

/** What the form has of a request at most: with the form's token it stays below the maximum of a form. */
const LONGEST_REQUEST = 3_500;
const NAME_TIMEOUT_MS = 3_000;

export interface ConsentParts extends ConnectParts, SignInParts {
  /** Runs a transaction that sees one account. */
  readonly inAccount: <Result>(session: AccountSession, run: AccountWork<Result>) => Promise<Result>;
}

/** A request of a known client, to an address that is one of its own. */
export interface KnownRequest extends AuthorizationRequest {
  readonly client: AssistantClient & { readonly id: bigint };
}

/** The page. It keeps what the document of a client says; it connects nothing. */
export const consentPage = definePage({
  path: AUTHORIZE_PATH,
  access: 'sign-in',
  title: 'Connect an assistant',
  here: null,
  query: null,
  says: 'Asks a signed-in person whether a client may ask the assistant; a personal token alone can allow it.',
  body:
    (parts: ConsentParts) =>
    async ({ c }) => {
      requirePersonal(c);
      const query = new URL(c.req.url).searchParams;
      const request = await knownRequest(parts, query, (client_id) =>
        findClient(parts, c.var.network, client_id),
      );
      const { asked, client, redirect_uri } = request;
      if ('error' in asked) return { body: refusedBody(request, answerTo(request, asked, parts.baseUrl())) };
      const { account_id } = c.var.principal;
      const account = await parts.inAccount({ account_id, timeout_ms: NAME_TIMEOUT_MS }, (ledger) =>
        readAccountName(ledger, account_id),
      );
      return {
        title: `Connect ${client.name}`,
        body: html`<h1>Connect ${client.name}?</h1>
          <p class="lead">
            A program that calls itself <strong>${client.name}</strong> wants to read the figures of
            <strong>${account}</strong>.
          </p>
          <ul>
            <li>It reads what the assistant reads: costs, value, budgets, initiatives and their notes.</li>
            <li>It can change nothing.</li>
            ${
              hasDocument(client.client_id)
                ? html`<li>It is described at <strong>${new URL(client.client_id).host}</strong>.</li>`
                : ''
            }
            <li>
              Your answer goes to <strong>${placeOf(redirect_uri)}</strong>. Anybody can choose a name, so
              allow it only if you began this there.
            </li>
            <li>It ends after 30 days without a question, and after 90 days at the latest.</li>
            <li>It ends at once when you leave the account, or when your access token ends.</li>
          </ul>
          <form method="post" action="${AUTHORIZE_PATH.slice(1)}">
            <input type="hidden" name="${FORM_TOKEN}" value="${formTokenFor(c, parts)}" />
            <input type="hidden" name="${REQUEST}" value="${String(query)}" />
            <button name="${ANSWER}" value="allow">Allow</button>
            <button name="${ANSWER}" value="refuse">Refuse</button>
          </form>`,
      };
    },
});

/** Throws unless the person signed in with a personal token: a reporting token belongs to no person. */
export function requirePersonal(c: Context<ServeEnv>): void {
  if (c.var.principal.kind === 'personal') return;
  throw new CrossfootError(
    'token_of_other_kind',
    'A reporting token cannot connect an assistant. Sign out, then sign in with a personal token.',
  );
}

/** The request, with its client. Throws if the client or its address is unknown: only the person hears that. */
export async function knownRequest(
  { signIn, baseUrl }: ConnectParts,
  query: URLSearchParams,
  find: AssistantRecords['find'] = (client_id) => signIn.records.find(client_id),
): Promise<KnownRequest> {
  if (encodeURIComponent(String(query)).length > LONGEST_REQUEST)
    throw refusedParameter('The request of the client is too long.');
  const request = readAuthorizationRequest(query, resourceOf(baseUrl()));
  if (typeof request === 'string') throw refusedParameter(request);
  const client = await find(request.client_id);
  if (client === null) {
    throw refusedParameter(
      'This client is not known here any more. Remove the connection in the client, then add it again.',
    );
  }
  if (!isRegistered(request.redirect_uri, client.redirect_uris)) {
    throw refusedParameter('The client wants the answer at an address that it did not register.');
  }
  return { ...request, client };
}

/** The address of the client with an answer: a code or an error, who answers (RFC 9207), and the client's state. */
export function answerTo(
  { redirect_uri, state }: AuthorizationRequest,
  answer: { readonly code: string } | { readonly error: string; readonly sentence: string },
  baseUrl: string,
): string {
  const said =
    'code' in answer ? { code: answer.code } : { error: answer.error, error_description: answer.sentence };
  return withAnswer(redirect_uri, {
    ...said,
    ...(state !== null && { state }),
    iss: issuerOf(baseUrl),
  });
}

/** No redirect: this server must not send people to an address that a stranger registered. The person may follow a link. */
function refusedBody({ client, asked, redirect_uri }: KnownRequest, address: string): Html {
  return html`<h1>${client.name} cannot be connected</h1>
    <p class="note bad" role="alert">
      ${'sentence' in asked ? asked.sentence : ''} The client must be changed or updated.
    </p>
    <p><a href="${address}">Tell ${placeOf(redirect_uri)}</a></p>`;
}
