import { z } from '@hono/zod-openapi';
import { CrossfootError } from '../../errors.ts';
import { listIntegrations } from '../../ledger/lists/integrations.ts';
import { CONNECTION_STATUSES } from '../../tables/records/integration.ts';
import { horizonForLists } from '../../ledger/lists/horizon.ts';
import {
  findPlatformGuide,
  type Platform,
  type PlatformGuide,
  readPlatforms,
} from '../../ledger/lists/platform-guide.ts';
import { arrayOf, day, integer, oneOfThese, text, boolean } from '../contract/shapes.ts';
import { exactNumber } from '../contract/shown.ts';
import { readLinks } from '../../ledger/lists/application-url.ts';
import { nearNames } from './near-names.ts';
import { MAX_ROWS } from './recent-page.ts';
import { defineTool, TOOL_TIMEOUT_MS } from './tool.ts';

const NAMED = 5;

const output = z.strictObject({
  platform: text('The key of the platform.'),
  name: text('Its name.'),
  connected: boolean('Whether the account has connected it and not disconnected it again.'),
  connections: arrayOf(
    z.strictObject({
      id: integer('The connection.'),
      status: oneOfThese(CONNECTION_STATUSES, 'The state of the connection.'),
    }),
    "The account's connections to it.",
  ),
  guide: z
    .strictObject({
      connection_method: text('How it is connected.'),
      steps: text('What to do, as Markdown.'),
      credential_location: text('Where the credential is found on the platform.').nullable(),
      setup_script: text('A script that prepares the platform; null when there is none.').nullable(),
      tips: text('The most frequent problems.').nullable(),
      source_url: text("The vendor's documentation that the steps follow.").nullable(),
      checked_on: day('When the steps were last compared with that documentation.').nullable(),
    })
    .nullable()
    .meta({ description: 'Null while there is no guide for the platform.' }),
  app_url: text('The page of the application to connect it from.').nullable(),
});

type Guide = NonNullable<z.output<typeof output>['guide']>;

/** How to connect a platform, and whether the account is connected to it. */
export const get_platform_setup_guide = defineTool({
  name: 'get_platform_setup_guide',
  title: 'Platform setup guide',
  description:
    'Use this when someone wants to connect an outside platform (an AI provider, a cloud, a ticket system) or has trouble doing so: ' +
    'how it connects, step by step, where to find the credential, a setup script where there is one, whether the account has connected it already, and the page to connect it from. ' +
    'Takes the name or key of the platform, in any case. It connects nothing itself and never asks for a credential.',
  staysLive: true,
  input: z.strictObject({
    platform: z.string().trim().min(1).max(200).meta({
      description: 'The name or key of one platform, for example OpenAI or azure_openai.',
    }),
  }),
  output,
  async answer({ inAccount }, { platform: requested }, { account_id }) {
    const session = { account_id, timeout_ms: TOOL_TIMEOUT_MS, withHorizon: true };
    return await inAccount(session, async (client, horizon) => {
      const { key, name } = requirePlatform(await readPlatforms(client), requested);
      const guide = await findPlatformGuide(client, key);
      const rows = { horizon: horizonForLists(horizon), after: null, rows: MAX_ROWS + 1 };
      const page = { account_id, first: 'newest change', ...rows } as const;
      const connections = await listIntegrations(client, page, { platform: key });
      const link = await readLinks(client, account_id);
      return {
        platform: key,
        name,
        connected: connections.some(({ status }) => status !== 'disconnected'),
        connections: connections
          .slice(0, MAX_ROWS)
          .map(({ id, status }) => ({ id: exactNumber(id), status })),
        guide: guide === null ? null : stepsOf(guide),
        app_url: link(guide?.page_path ?? `/integrations/${key}`),
      };
    });
  },
  tell({ name, platform, connected, connections, guide, app_url }) {
    const states = connections.map(({ id, status }) => `${id} (${status})`).join(', ');
    return [
      `# Connecting ${name} (${platform})`,
      connected ? 'The account has connected it.' : 'The account has not connected it.',
      ...(states === '' ? [] : [`Connections: ${states}`]),
      ...(guide === null ? ['There is no guide for it yet.'] : tellGuide(guide)),
      `Connect it at: ${app_url ?? 'no page'}`,
    ].join('\n\n');
  },
});

function stepsOf(guide: PlatformGuide): Guide {
  const { connection_method, steps, credential_location, setup_script, tips, source_url, checked_on } = guide;
  return { connection_method, steps, credential_location, setup_script, tips, source_url, checked_on };
}

function tellGuide(guide: Guide): string[] {
  const parts = [
    ['Method', guide.connection_method],
    ['Credential', guide.credential_location],
    ['Tips', guide.tips],
    ['Source', guide.source_url],
    ['Checked on', guide.checked_on],
  ] as const;
  return [
    guide.steps,
    ...parts.flatMap(([label, value]) => (value === null ? [] : [`${label}: ${value}`])),
    ...(guide.setup_script === null ? [] : [`Setup script:\n\n${guide.setup_script}`]),
  ];
}

function requirePlatform(platforms: readonly Platform[], requested: string): Platform {
  const key_or_name = requested.toLowerCase();
  const platform = platforms.find(
    ({ key, name }) => key === key_or_name || name.toLowerCase() === key_or_name,
  );
  if (platform !== undefined) return platform;
  const suggestions = nearNames(platforms, ({ key, name }) => [name, key], requested)
    .slice(0, NAMED)
    .map(({ key, name }) => `${name} (${key})`);
  const hint =
    suggestions.length === 0
      ? 'use search with types ["platform"] to find one'
      : `the nearest names are ${suggestions.join(', ')}`;
  throw new CrossfootError('not_found', `There is no platform of that name or key; ${hint}.`);
}
