/** Answers a link to the rows of one table that changed since the version before. The link needs no token. */
import { z } from '@hono/zod-openapi';
import { CrossfootError } from '../../errors.ts';
import type { FeedFile, TablePair } from '../../diff/feed-file.ts';
import { openStream } from '../../snapshot/read/checked-read.ts';
import { acceptHolder } from '../auth/authenticate.ts';
import { defineRoute } from '../contract/define-route.ts';
import { text } from '../contract/shapes.ts';
import { pinned, snapshotHeaders } from '../reporting/chosen-snapshot.ts';
import { type LinkedTableParts, openGrant, withoutReferrer } from '../reporting/linked-table.ts';
import { CHANGES } from '../reporting/links.ts';
import { answerTableFile, CACHE_LATEST } from '../reporting/table-file.ts';
import { table } from '../reporting/table-parameter.ts';
import type { ChangesParts } from './changes.ts';

export interface LinkedChangesParts extends LinkedTableParts, ChangesParts {}

/** The size of one read from the disk. */
const PIECE_BYTES = 1024 * 1024;

/** The file of the changes. */
export const linkedChanges = defineRoute(
  {
    path: `/links/{grant}/${CHANGES}/{table}.parquet`,
    summary: 'The rows of a change feed by a link that the feed handed out.',
    middleware: withoutReferrer,
    security: [],
    request: { params: z.object({ grant: text('What was granted, sealed.'), table }) },
    responses: { 200: { description: 'The file.' } },
  },
  (parts: LinkedChangesParts) => async (c) => {
    const { grant: sealed, table: name } = c.req.valid('param');
    const { holder, account_id, snapshot_id } = await openGrant(parts, sealed, `${CHANGES}/${name}`);
    acceptHolder(c, holder);
    const later = await pinned(parts, c, snapshot_id);
    const versions = await parts.snapshots.versions(account_id);
    const before = versions[versions.findIndex((each) => each.snapshot_id === snapshot_id) - 1];
    const earlier = before && (await pinned(parts, c, before.snapshot_id));
    if (!earlier) throw new CrossfootError('not_found', 'The version before this one is gone.');
    const pair: TablePair = { account_id, table: name, earlier, later };
    const read = (from: number, to: number): ReturnType<FeedFile['read']> =>
      parts.feeds.use(pair, (file) => file.read(from, to));
    const file = await parts.feeds.use(pair, async ({ size_bytes, sha256 }) => ({ size_bytes, sha256 }));
    return await answerTableFile(c, {
      table: { name: `${name}.changes`, ...file },
      headers: { 'cache-control': CACHE_LATEST, ...snapshotHeaders(parts, later) },
      moves: false,
      open: async ({ from, to }) =>
        to - from < PIECE_BYTES ? await read(from, to) : await openStream(piecesOf(read, from, to)),
    });
  },
);

/** Piece by piece, so that an evicted file is closed and made again between two pieces. */
async function* piecesOf(
  read: (from: number, to: number) => ReturnType<FeedFile['read']>,
  from: number,
  to: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (let at = from; at <= to; at += PIECE_BYTES) yield await read(at, Math.min(at + PIECE_BYTES - 1, to));
}
