/** What is connected to an account: the page, the command, and clients that are known by a document. */
import { auth as currentAuth } from '@modelcontextprotocol/client';
import { auth as earlierAuth } from '@modelcontextprotocol/sdk/client/auth.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addClientsCommand } from '../../../src/commands/token.ts';
import { createRateLimiter } from '../../../src/serve/limits/rate-limiter.ts';
import { runCommand } from '../../commands/in-process.ts';
import { formTokenIn, openBrowser } from '../pages/browser.ts';
import { openProvider } from './memory-provider.ts';
import {
  answerConsent,
  ask,
  authorizePath,
  CALLBACK,
  connect,
  fetchInto,
  openConnect,
  ORIGIN,
  postForm,
  redemption,
  type Tokens,
} from './open-connect.ts';

let ledger: Awaited<ReturnType<typeof openConnect>>;
let app: ReturnType<(typeof ledger)['open']>['app'];
let token: string;
beforeAll(async () => {
  ledger = await openConnect();
  ({ app } = ledger.open());
  ({ token } = await ledger.issue());
});
afterAll(() => ledger.close());

const run = (...args: readonly string[]) =>
  runCommand(
    addClientsCommand,
    { DATABASE_URL: ledger.url('cf_reader'), OWNER_URL: ledger.url('cf_owner') },
    'clients',
    ...args,
  );

async function newest(account: string): Promise<Record<string, string>> {
  const { printed } = await run('list', '--account', account, '--json');
  return (JSON.parse(printed.join('\n')) as Record<string, string>[]).at(-1) ?? {};
}

describe('the command clients', () => {
  it('says that nothing is connected', async () => {
    const { printed, said } = await run('list', '--account', '2');
    expect([printed, said]).toEqual([[], ['no assistant is connected to account 2 by signing in']]);
  });

  it('lists the connected clients, and ends a client at its next question', async () => {
    const { access_token } = await connect(app, token);
    const { id = '', ...connection } = await newest('1');
    expect(connection).toMatchObject({ name: 'Helper', redirect_uri: CALLBACK, user_id: '1' });
    const { printed } = await run('list', '--account', '1');
    expect(printed[0]).toMatch(/^id +client +answers go to +allowed by +since +last asked$/);
    expect(printed.at(-1)).toMatch(/^\d+ +Helper +client\.example +person 1 /);
    expect((await run('end', id, '--account', '1')).printed).toEqual([
      `client ${id} of account 1 is ended: its next question is refused`,
    ]);
    expect(await ask(app, access_token)).toBe(401);
    expect((await run('end', id, '--account', '1')).error).toMatchObject({ code: 'not_found' });
  });

  it('ends nothing of another account', async () => {
    const { access_token } = await connect(app, token);
    const { id = '' } = await newest('1');
    expect((await run('end', id, '--account', '2')).error).toMatchObject({ code: 'not_found' });
    expect(await ask(app, access_token)).toBe(200);
  });
});

describe('the page of connected clients', () => {
  it('shows a button that ends each client, and refuses the form of another site or session', async () => {
    const { access_token } = await connect(app, token);
    const { id = '' } = await newest('1');
    const browser = openBrowser(app);
    await browser.signIn(token);
    const page = await browser.page('/clients');
    expect(page).toContain('<th scope="row">Helper</th>');
    const form = { form_token: formTokenIn(page), end: id };
    expect((await browser.post('/clients', form, { origin: 'https://evil.example' })).status).toBe(403);
    expect((await browser.post('/clients', { ...form, form_token: 'x' })).status).toBe(403);
    expect(await ask(app, access_token)).toBe(200);
    const ended = await browser.post('/clients', form);
    expect([ended.status, ended.headers.get('location')]).toEqual([303, './clients']);
    expect(await ask(app, access_token)).toBe(401);
    expect((await browser.post('/clients', form)).status).toBe(404);
  });

  it('is of one account, and of no reporting token', async () => {
    await connect(app, token);
    const { id = '' } = await newest('1');
    const other = await ledger.issue(2n);
    const browser = openBrowser(app);
    await browser.signIn(other.token);
    const page = await browser.page('/clients');
    expect(page).toContain('No program is connected.');
    const form_token = formTokenIn(page);
    expect((await browser.post('/clients', { form_token, end: id })).status).toBe(404);
    const reporting = openBrowser(app);
    await reporting.signIn((await ledger.issue(1n, 'reporting')).token);
    expect((await reporting.send('/clients')).status).toBe(403);
  });
});

describe('a client with a document', () => {
  const ID = 'https://client.example/oauth/client.json';
  const DOCUMENT = { client_id: ID, client_name: 'Documented', redirect_uris: [CALLBACK] };
  const withDocument = (document: unknown) =>
    ledger.open({}, { readDocument: async (address) => (address === ID ? document : null) }).app;

  it.each([
    ['2025-11-25', earlierAuth],
    ['2026-07-28', currentAuth],
  ])('that uses the official library of protocol %s registers nothing', async (_, auth) => {
    const known = withDocument(DOCUMENT);
    const { provider, led, tokens } = openProvider(CALLBACK);
    const asked: string[] = [];
    const into = fetchInto(known);
    const fetchFn = async (input: string | URL | Request, init?: RequestInit) => {
      asked.push(new URL(input instanceof Request ? input.url : input).pathname);
      return await into(input, init);
    };
    const options = { serverUrl: `${ORIGIN}/mcp`, fetchFn };
    const documented = { ...provider, clientMetadataUrl: ID };
    expect(await auth(documented, options)).toBe('REDIRECT');
    const { to } = await answerConsent(known, token, `/authorize${led[0]?.search ?? ''}`);
    const answered = { authorizationCode: to?.searchParams.get('code') ?? '', iss: ORIGIN };
    expect(await auth(documented, { ...options, ...answered })).toBe('AUTHORIZED');
    expect(await ask(known, tokens()?.access_token ?? '')).toBe(200);
    expect(led[0]?.searchParams.get('client_id')).toBe(ID);
    expect(asked).not.toContain('/register');
  });

  it('connects without a registration; the page names where it is described', async () => {
    const known = withDocument(DOCUMENT);
    const browser = openBrowser(known);
    await browser.signIn(token);
    const page = await browser.page(authorizePath(ID));
    expect(page).toContain('calls itself <strong>Documented</strong>');
    expect(page).toContain('described at <strong>client.example</strong>');
    const { to } = await answerConsent(known, token, authorizePath(ID));
    const sent = redemption(ID, to?.searchParams.get('code') ?? '');
    const tokens = (await (await postForm(known, '/token', sent)).json()) as Tokens;
    expect(await ask(known, tokens.access_token)).toBe(200);
  });

  it.each([
    ['is of another client', { ...DOCUMENT, client_id: `${ID}x` }],
    ['has no client_id', { redirect_uris: [CALLBACK] }],
    ['wants a secret', { ...DOCUMENT, token_endpoint_auth_method: 'client_secret_basic' }],
    ['has another address', { ...DOCUMENT, redirect_uris: ['https://evil.example/'] }],
    ['has an address of http', { ...DOCUMENT, redirect_uris: ['http://client.example/callback'] }],
    ['is no object', 'text'],
    ['cannot be read', null],
  ])('is refused when the document %s', async (_, document) => {
    const browser = openBrowser(withDocument(document));
    await browser.signIn(token);
    expect((await browser.send(authorizePath(ID))).status).toBe(400);
  });

  it.each([
    'https://client.example',
    'https://client.example/',
    'https://client.example/a/../client.json',
    'https://CLIENT.example/client.json',
    'https://user@client.example/client.json',
    'https://client.example/client.json#x',
    'http://client.example/client.json',
    `https://client.example/${'x'.repeat(500)}`,
  ])('is not asked for at %s', async (address) => {
    const asked: string[] = [];
    const browser = openBrowser(ledger.open({}, { readDocument: async (each) => void asked.push(each) }).app);
    await browser.signIn(token);
    expect((await browser.send(authorizePath(address))).status).toBe(400);
    expect(asked).toEqual([]);
  });

  it('is read for signed-in people only, ten times a minute for one address, of whichever client', async () => {
    let asked = 0;
    const readOne = async (client_id: string): Promise<unknown> => {
      asked += 1;
      return { ...DOCUMENT, client_id };
    };
    const limited = ledger.open({ rateLimiter: createRateLimiter(() => 0) }, { readDocument: readOne }).app;
    await openBrowser(limited).send(authorizePath(ID));
    expect(asked).toBe(0);
    const browser = openBrowser(limited);
    await browser.signIn(token);
    for (let each = 0; each < 10; each += 1) await browser.send(authorizePath(`${ID}?${each}`));
    expect([(await browser.send(authorizePath(ID))).status, asked]).toEqual([429, 10]);
  });

  it('A-52: inside the network of the server is never asked', async () => {
    const browser = openBrowser(app);
    await browser.signIn(token);
    for (const host of ['127.0.0.1', 'localhost', '169.254.169.254', '[::1]', '10.0.0.1']) {
      const page = await browser.send(authorizePath(`https://${host}/client.json`));
      expect([page.status, await page.text()]).toEqual([400, expect.stringContaining('could not be read')]);
    }
  });
});
