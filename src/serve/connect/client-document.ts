/** Clients that are known by a document at their own address (client id metadata documents): the address is their id. */
import { CrossfootError } from '../../errors.ts';
import { refusedParameter } from '../http/parameters.ts';
import type { AssistantRecords } from '../../ops/assistants.ts';
import type { ConnectParts } from './sign-in-parts.ts';
import { type ClientMetadata, readClientMetadata } from './client-metadata.ts';

const DOCUMENTS_A_MINUTE = 10;
const MAX_ADDRESS_CHARACTERS = 500;
/** One sentence for every fault: another would say what the network of this server has. */
const UNREAD =
  'The description of the client could not be read at its address: JSON of at most 64 kB, over https, without a redirect, within 3 seconds.';

/** Whether a client is known by a document. */
export function hasDocument(client_id: string): boolean {
  return client_id.startsWith('https://');
}

/**
 * The client of a request that a signed-in person opens. Its document is read now and kept, so that the form of the page and
 * the client's own requests are answered from what the page has shown.
 */
export async function findClient(
  { signIn, rateLimiter }: ConnectParts,
  network: string,
  client_id: string,
): ReturnType<AssistantRecords['find']> {
  if (!hasDocument(client_id)) return await signIn.records.find(client_id);
  if (!rateLimiter.take(`document:${network}`, DOCUMENTS_A_MINUTE).allowed) {
    throw new CrossfootError(
      'too_many_requests',
      'Too many descriptions of clients are read for this address.',
    );
  }
  const document = isDocumentAddress(client_id) ? await signIn.readDocument(client_id) : null;
  const metadata = readClientDocument(document, client_id);
  if (typeof metadata === 'string') throw refusedParameter(metadata);
  await signIn.records.know({ client_id, ...metadata });
  return await signIn.records.find(client_id);
}

/** An https address with a path, spelt as a URL parser spells it: an id is compared letter by letter. */
function isDocumentAddress(client_id: string): boolean {
  const url = client_id.length > MAX_ADDRESS_CHARACTERS ? null : URL.parse(client_id);
  return (
    url?.href === client_id &&
    url.protocol === 'https:' &&
    url.pathname !== '/' &&
    url.hash === '' &&
    url.username + url.password === ''
  );
}

/** What the document says of the client; a text says why it is refused. */
function readClientDocument(document: unknown, client_id: string): ClientMetadata | string {
  if (typeof document !== 'object' || document === null) return UNREAD;
  if (!('client_id' in document) || document.client_id !== client_id) {
    return 'The description of the client is that of another client: its client_id is not its address.';
  }
  const method = 'token_endpoint_auth_method' in document ? document.token_endpoint_auth_method : 'none';
  if (method !== 'none')
    return 'The description of the client must have the token_endpoint_auth_method none.';
  const metadata = readClientMetadata(document);
  return 'error' in metadata ? `The description of the client is refused. ${metadata.sentence}` : metadata;
}
