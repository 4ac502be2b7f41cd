/** Reads the body of a query. Unknown fields and hints are ignored, as the protocol says: clients filter themselves. */
import { z } from 'zod';
import { errorAnswer } from '../http/error-answer.ts';
import { refusedParameter } from '../http/parameters.ts';
import { readBody } from '../http/read-body.ts';
import type { NamedVersion } from './chosen-version.ts';
import { MAX_QUERY_BYTES } from './sharing-path.ts';

/** The refresh token: a client sends it before its links expire, and gets new links to the same version. */
const TOKEN = /^v(\d{1,15})$/;

/** What the body of a query says. */
interface Query extends NamedVersion {
  /** True if the client wants a refresh token, with which it gets new links to the same version. */
  readonly wantsToken: boolean;
}

const body = z.looseObject({
  version: z.int().min(0).nullish(),
  timestamp: z.string().nullish(),
  refreshToken: z.string().nullish(),
  includeRefreshToken: z.boolean().nullish(),
  startingVersion: z.unknown().optional(),
  startingTimestamp: z.unknown().optional(),
});

/** The refresh token of a version. */
export function refreshToken(seq: number): string {
  return `v${seq}`;
}

/** The query in the body, or the refusal of a body that is too large: the rest of that body is not read. */
export async function readQuery(request: Request): Promise<Query | Response> {
  const read = await readBody(request, MAX_QUERY_BYTES);
  if (read.tooLarge) {
    return errorAnswer(413, `A query may hold ${MAX_QUERY_BYTES} bytes.`, [['connection', 'close']]);
  }
  const parsed = body.safeParse(parse(read.text));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw refusedParameter(
      `The query must be a JSON object: ${issue?.path.join('.') || 'body'}: ${issue?.message}.`,
    );
  }
  const { version, timestamp, refreshToken: token, includeRefreshToken } = parsed.data;
  const wantsToken = includeRefreshToken === true;
  for (const name of ['startingVersion', 'startingTimestamp'] as const) {
    if ((parsed.data[name] ?? null) !== null) {
      throw refusedParameter(`A query answers one version. Read changes with GET …/changes?${name}=….`);
    }
  }
  const again = TOKEN.exec(token ?? '')?.[1];
  if ((token ?? '') !== '' && again === undefined) {
    throw refusedParameter('The refreshToken is not one of this server. Ask again without it.');
  }
  if (again !== undefined) return { version: Number(again), wantsToken };
  return { version: version ?? undefined, timestamp: timestamp ?? undefined, wantsToken };
}

function parse(text: string): unknown {
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
