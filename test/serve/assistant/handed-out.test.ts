/** Help articles and setup guides: what is the same for every account, and what of it is an account's own. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Asking, openAsking } from './questions.ts';

let asking: Asking;
const ids = new Map<string, number>();
beforeAll(async () => {
  asking = await openAsking();
  const owner = await asking.company.database.client('cf_owner');
  const made = await owner.query<{ slug: string; id: bigint }>(`
    insert into ledger.help_articles (slug, title, summary, body, published, generated) values
      ('quartz-windows', 'Windows', 'What they hold', '# Windows' || chr(10) || 'All of it.', true, false),
      ('quartz-long', 'Long', null, repeat('x', 50000), true, false),
      ('quartz-draft', 'Draft', null, 'Not yet.', false, false),
      ('quartz-table', 'Table', null, 'Columns.', true, true)
    returning slug, id`);
  for (const { slug, id } of made.rows) ids.set(slug, Number(id));
  await owner.query(`
    insert into ledger.platforms (key, name, category) values ('quartz_ledger', 'Quartz Ledger', 'books'), ('quartz_bare', 'Bare', 'books'), ('quorra', 'Quorra Forge', 'code');
    insert into ledger.platform_guides (platform_key, connection_method, steps, tips, page_path, checked_on)
      values ('quartz_ledger', 'API key', '1. Make a key.', 'Not the other key.', '/connect/quartz', '2026-11-20');
    insert into ledger.connections (account_id, platform_key, status) values (1, 'quartz_ledger', 'paused'), (2, 'quartz_ledger', 'disconnected')`);
});
afterAll(() => asking.company.close());

describe('get_help_article', () => {
  it('gives the whole article by its slug or its id, and its page', async () => {
    const bySlug = await asking.call('get_help_article', { slug: 'quartz-windows' });
    expect(bySlug.structured).toMatchObject({
      slug: 'quartz-windows',
      title: 'Windows',
      body: '# Windows\nAll of it.',
      cut_characters: 0,
      url: 'https://api.example.com/docs/quartz-windows',
    });
    expect(bySlug.text).toContain('All of it.');
    const byId = await asking.call('get_help_article', { id: ids.get('quartz-windows') }, 2);
    expect(byId).toEqual(bySlug);
  });

  it('says how much of a very long one was cut', async () => {
    const { structured, text } = await asking.call('get_help_article', { slug: 'quartz-long' });
    expect(structured).toMatchObject({ body: 'x'.repeat(40_000), cut_characters: 10_000 });
    expect(text).toContain('(10000 more characters are on the page.)');
  });

  it('refuses an unpublished article in the words for an unknown one', async () => {
    const none = await asking.call('get_help_article', { slug: 'quartz-none' });
    expect(none.isError).toBe(true);
    for (const asked of [
      { slug: 'quartz-draft' },
      { id: ids.get('quartz-draft') },
      { slug: 'QUARTZ-WINDOWS' },
    ]) {
      expect(await asking.call('get_help_article', asked)).toEqual(none);
    }
  });

  it('refuses a generated page, and says where it is', async () => {
    const { isError, text, structured } = await asking.call('get_help_article', { slug: 'quartz-table' });
    expect([isError, structured]).toEqual([true, undefined]);
    expect(text).toContain('https://api.example.com/docs/quartz-table');
    expect(text).not.toContain('Columns');
  });
});

describe('get_platform_setup_guide', () => {
  it.each(['quartz_ledger', 'Quartz Ledger', ' QUARTZ LEDGER ', 'Quartz_Ledger'])(
    'finds %j',
    async (platform) => {
      const { structured, text } = await asking.call('get_platform_setup_guide', { platform });
      expect(structured).toMatchObject({
        platform: 'quartz_ledger',
        name: 'Quartz Ledger',
        connected: true,
        connections: [{ status: 'paused' }],
        guide: {
          connection_method: 'API key',
          steps: '1. Make a key.',
          setup_script: null,
          checked_on: '2026-11-20',
        },
        app_url: 'https://app.crossfoot.example/halden/connect/quartz',
      });
      expect(text).toContain('1. Make a key.');
      expect(text).toContain('Not the other key.');
    },
  );

  it('shows no connection of another account: only that this account has disconnected its own', async () => {
    const { structured } = await asking.call('get_platform_setup_guide', { platform: 'quartz_ledger' }, 2);
    expect(structured).toMatchObject({
      connected: false,
      connections: [{ status: 'disconnected' }],
      app_url: 'https://app.crossfoot.example/kestrel/connect/quartz',
    });
  });

  it('says where to connect a platform that has no guide', async () => {
    const { structured, text } = await asking.call('get_platform_setup_guide', { platform: 'quartz_bare' });
    expect(structured).toMatchObject({ guide: null, connected: false });
    expect(text).toContain('There is no guide for it yet.');
    expect(text).toContain('/integrations/quartz_bare');
  });
});

describe('search', () => {
  it('returns each hit with its page and the tool that reads more about it', async () => {
    const { structured } = await asking.call('search', { query: 'quartz', types: ['article', 'platform'] });
    const { hits } = structured as { hits: Record<string, unknown>[] };
    expect(hits).toContainEqual({
      type: 'platform',
      id: 'quartz_bare',
      title: 'Bare',
      detail: { text: 'books', cut_characters: 0 },
      why: 'its title or description has every word',
      url: null,
      read_with: 'get_platform_setup_guide with platform',
    });
    const table = await asking.call('search', { query: 'Table', types: ['article'] });
    // What has the whole title comes before the reference pages of tables.
    expect((table.structured as typeof structured & { hits: unknown[] }).hits[0]).toMatchObject({
      type: 'article',
      url: 'https://api.example.com/docs/quartz-table',
      read_with: 'get_help_article with id',
    });
    expect((await asking.call('search', { query: 'Draft', types: ['article'] })).structured).toEqual({
      hits: [],
    });
  });

  it.each([
    // No record has both words: the rarer word decides.
    ['connect quorra', 'platform', 'quorra', 'nearest: it has quorra, not connect'],
    [
      'how do I load into the quartz table?',
      'article',
      'quartz-table',
      'nearest: it has quartz and table, not load',
    ],
    ['Windows', 'article', 'quartz-windows', 'its title is the query'],
    ['quorar', 'platform', 'quorra', 'its title has words of a similar spelling'],
    ['connect quorar', 'platform', 'quorra', 'nearest: it has a word like quorar, not connect'],
    ['connect github', 'platform', 'github', 'nearest: it has github, not connect'],
    ['quartz', 'platform', 'quartz_bare', 'its title or description has every word'],
  ])('finds by %j the %s %s first, because %s', async (query, type, key, why) => {
    const { structured, text } = await asking.call('search', { query, types: ['article', 'platform'] });
    const { hits } = structured as { hits: Record<string, unknown>[] };
    expect(hits[0]).toMatchObject({ type, id: type === 'article' ? String(ids.get(key)) : key, why });
    expect(text).toContain(why);
  });

  it('finds an initiative of the account by its id, and no initiative of another account', async () => {
    for (const query of ['101', '#101']) {
      const { structured } = await asking.call('search', { query });
      expect((structured as { hits: unknown[] }).hits[0]).toMatchObject({
        type: 'initiative',
        id: '101',
        why: 'its id is the query',
        read_with: 'get_initiative with initiative_id',
      });
    }
    const foreign = await asking.call('search', { query: '101', types: ['initiative'] }, 2);
    expect(foreign.structured).toEqual({ hits: [] });
  });

  it('says what to do where nothing has any of the words', async () => {
    const { text } = await asking.call('search', { query: 'xyzzyplugh' });
    expect(text).toBe(
      'Nothing has any of these words; try others, or list_initiatives for every initiative.',
    );
  });
});
