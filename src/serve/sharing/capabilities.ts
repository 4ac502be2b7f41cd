/** Reads the protocol's header in which a client lists its capabilities, and makes the headers of the answer. */
import { refusedParameter } from '../http/parameters.ts';

/** The form of the answer that a request allows. */
export interface AskedForm {
  /** True if the client understands a last line about the whole answer; other clients would read it as a file. */
  readonly endLine: boolean;
  /** The headers of the answer. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Reads the headers. Every answer is in the protocol's Parquet format. A client that lists it, or no format, can read
 * it; a client that lists the Delta format alone would read such an answer as empty, so it is refused. Only an answer that names files can have a
 * last line: Spark fails if the line is announced and missing.
 */
export function askedForm(header: (name: string) => string | undefined, namesFiles: boolean): AskedForm {
  const capabilities = header('delta-sharing-capabilities')?.toLowerCase();
  const asked = (capabilities ?? '').split(';').map((each) => each.split('=').map((part) => part.trim()));
  const formats = asked
    .filter(([name]) => name === 'responseformat')
    .flatMap(([, values = '']) => values.split(','))
    .map((each) => each.trim())
    .filter((each) => each !== '');
  if (formats.length > 0 && !formats.includes('parquet')) {
    throw refusedParameter(
      `This server answers in the format parquet, and the request allows ${formats.join(', ')} only. Set responseformat=parquet or responseformat=delta,parquet in delta-sharing-capabilities (in the Python client: use_delta_format=False).`,
    );
  }
  const endLine =
    namesFiles && asked.some(([name, value]) => name === 'includeendstreamaction' && value === 'true');
  const own = `responseformat=parquet${endLine ? ';includeendstreamaction=true' : ''}`;
  const scheme = header('fileidhash')?.toLowerCase();
  if (scheme !== undefined && scheme !== 'parquet' && scheme !== 'delta') {
    throw refusedParameter(`fileidhash must be parquet or delta, found ${JSON.stringify(scheme)}.`);
  }
  return {
    endLine,
    headers: {
      ...(capabilities !== undefined && { 'delta-sharing-capabilities': own }),
      // The id of a file is its digest for both schemes.
      ...(scheme !== undefined && { fileidhash: scheme }),
    },
  };
}
