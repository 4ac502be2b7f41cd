/** What holds for every operation of the contract, asked over the fixture company. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeApi } from '../../../src/serve/api-document.ts';
import { OPERATIONS, valueOf } from './contract-operations.ts';
import { faultsOfBody } from './contract-check.ts';
import { bearer } from '../fake-parts.ts';
import { type LiveCompany, openLive, tokenOf } from '../live/live-company.ts';

/** What stands directly in one of these has a name that clients read. */
const NAMING = /\/(?:properties|parameters|headers|responses|schemas|securitySchemes|tags)\/$/;

/** Operations that answer files of other kinds. */
/** Files whose length HEAD does not state, because DuckDB would then ask for ranges; `movable-addresses` says why. */
const WITHOUT_LENGTH = ['get_lake_ducklake', 'get_lake_sqlite'];
const NO_JSON = /_table$|_lake_\w+$|_csv$|_sql$|_sources$|_model$|_data_contract$|_signers$|sums$/;

let company: LiveCompany;
beforeAll(async () => {
  company = await openLive();
});
afterAll(() => company.close());

const ask = (path: string, init: RequestInit = {}) =>
  company.app.request(path, { ...bearer(tokenOf(1)), ...init });

async function refusal(path: string) {
  const response = await ask(path);
  const { error } = (await response.json()) as { error: { message: string } };
  return { status: response.status, message: error.message };
}

it('the contract names every route of the application, and no other', () => {
  const routed = company.app.routes
    .filter(({ method, path }) => method === 'GET' && path.startsWith('/v1/'))
    .map(({ path }) => path.slice('/v1'.length))
    .map((path) => path.replace(/:(table|dialect)\{.*\\\.(\w+)\}/, '{$1}.$2').replaceAll(/:(\w+)/g, '{$1}'));
  expect(OPERATIONS.map(({ path }) => path).toSorted()).toEqual([...new Set(routed)].toSorted());
});

it('the contract says of every field, parameter, header and answer what it means', () => {
  const silent: string[] = [];
  const look = (part: unknown, place: string, names: boolean): void => {
    if (typeof part !== 'object' || part === null) return;
    if (names && !('$ref' in part) && !('description' in part)) silent.push(place);
    for (const [key, below] of Object.entries(part)) {
      if (key !== 'example') look(below, `${place}/${key}`, NAMING.test(`${place}/`));
    }
  };
  look(describeApi('https://api.example.com/v1'), '', false);
  expect(silent).toEqual([]);
});

describe.each(OPERATIONS)(
  'the operation $operationId',
  ({ asked, query, isPublic, operationId, responses }) => {
    it('answers HEAD as GET, without the body', async () => {
      const [get, head] = [await ask(asked), await ask(asked, { method: 'HEAD' })];
      await get.text(); // a file that is not read counts against the next
      expect([get.status, head.status]).toEqual([200, 200]);
      expect(await head.text()).toBe('');
      for (const name of ['content-type', 'etag']) {
        expect(head.headers.get(name)).toBe(get.headers.get(name));
      }
      const length = get.headers.get('content-length');
      expect(head.headers.get('content-length')).toBe(WITHOUT_LENGTH.includes(operationId) ? null : length);
    });

    it('needs a token, unless its contract says that it is public', async () => {
      expect((await company.app.request(asked)).status).toBe(isPublic ? 200 : 401);
    });

    it('A-23: refuses a parameter that it does not name, and says which', async () => {
      expect(await refusal(`${asked}?windw=all`)).toEqual({
        status: 400,
        message: 'This route does not accept the parameter "windw".',
      });
    });

    it('A-23: refuses each of its parameters when it is given twice', async () => {
      for (const each of query) {
        const pair = `${each.name}=${encodeURIComponent(valueOf(each))}`;
        const seen = await refusal(`${asked}?${pair}&${pair}`);
        expect(seen).toEqual({
          status: 400,
          message: `The parameter ${each.name} was given more than once.`,
        });
      }
    });

    it('takes each of its parameters by the value that the contract shows', async () => {
      for (const each of query.filter(({ name }) => name !== 'cursor')) {
        const answer = await ask(`${asked}?${each.name}=${encodeURIComponent(valueOf(each))}`);
        await answer.text();
        expect([each.name, answer.status]).toEqual([each.name, 200]);
      }
    });

    it('refuses a value that is not of the type, format or list of its parameter, and does not repeat it', async () => {
      for (const { name, schema } of query) {
        if (schema.type === 'string' && schema.format === undefined && schema.enum === undefined) continue;
        const seen = await refusal(`${asked}?${name}=not%00so`);
        expect([seen.status, seen.message]).toEqual([
          400,
          expect.stringMatching(`^The parameter ${name} must be `),
        ]);
        expect(seen.message).not.toContain('not');
      }
    });

    it('shows an example that its own schema accepts', () => {
      const json = responses[200].content['application/json'];
      const faults = json === undefined ? ['is no JSON'] : faultsOfBody(json.schema, json.example);
      expect(faults).toEqual(NO_JSON.test(operationId) ? ['is no JSON'] : []);
    });
  },
);
