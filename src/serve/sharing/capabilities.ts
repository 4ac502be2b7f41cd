/** What a client says of itself in the headers of the protocol, and what the answer says back. */
import { refused } from './chosen-version.ts';

/** What a request asks of the form of its answer. */
export interface AskedForm {
  /** True if the client reads a last line about the whole answer; other clients take it for a file. */
  readonly endLine: boolean;
  /** The headers of the answer. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Reads the headers. The answer is in the Parquet format also for a client that reads the Delta format: the protocol
 * allows it wherever a table has no feature of Delta. Only an answer that names files can have a last line: Spark fails
 * if the line is announced and missing.
 */
export function askedForm(header: (name: string) => string | undefined, namesFiles: boolean): AskedForm {
  const capabilities = header('delta-sharing-capabilities')?.toLowerCase();
  const asked = (capabilities ?? '').split(';').map((each) => each.trim().split('='));
  const endLine =
    namesFiles && asked.some(([name, value]) => name === 'includeendstreamaction' && value === 'true');
  const own = `responseformat=parquet${endLine ? ';includeendstreamaction=true' : ''}`;
  const scheme = header('fileidhash')?.toLowerCase();
  if (scheme !== undefined && scheme !== 'parquet' && scheme !== 'delta') {
    throw refused(`fileidhash must be parquet or delta, found ${JSON.stringify(scheme)}.`);
  }
  return {
    endLine,
    headers: {
      ...(capabilities !== undefined && { 'delta-sharing-capabilities': own }),
      // A file has one id, its digest, whichever scheme a client names.
      ...(scheme !== undefined && { fileidhash: scheme }),
    },
  };
}
