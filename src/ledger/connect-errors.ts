/**
 * Makes the error for a failed connection: the reason from the server or the network, the setting at fault, the next step.
 */
import { escapeIdentifier } from 'pg';
import { CrossfootError } from '../errors.ts';
import { hasSqlState, SQLSTATE } from '../postgres-errors.ts';

/** The setting that holds the URL of a role. */
const SETTING_OF: ReadonlyMap<string, string> = new Map([
  ['cf_reader', 'LEDGER_URL (or DATABASE_URL, when that is not set)'],
  ['cf_service', 'DATABASE_URL'],
  ['cf_owner', 'OWNER_URL'],
]);

interface Attempted {
  readonly url: string;
  readonly role: string;
  readonly applicationName: string;
}

/** The error for a connection to `url` as `role` that failed. It shows no password: neither does the driver's message. */
export function connectError(cause: unknown, { url, role, applicationName }: Attempted): CrossfootError {
  const setting = settingOf(role);
  const { login, database } = namesOf(url);
  // PostgreSQL refuses the role that the session asks for; CheckMyDatabase refuses the database.
  if (hasSqlState(cause, SQLSTATE.insufficient_privilege) && cause.routine !== 'CheckMyDatabase') {
    return new CrossfootError('role_refused', `The login of ${applicationName} may not be ${role}.`, {
      hint: `Set ${setting} to a login that is ${role} or a member of it, or have an administrator run: grant ${role} to ${quoted(login)};`,
      cause,
    });
  }
  return new CrossfootError(
    'database_unreachable',
    `${applicationName} could not connect as ${role}: ${reason(cause)}`,
    { hint: hintFor(cause, { setting, role, login, database }), cause },
  );
}

/** The setting that a person corrects when a session of the role fails. */
export function settingOf(role: string): string {
  return SETTING_OF.get(role) ?? 'its URL';
}

/** The login and the database of a URL. */
export function namesOf(url: string): { readonly login: string; readonly database: string } {
  const { username, pathname } = new URL(url);
  return { login: decodeURIComponent(username), database: decodeURIComponent(pathname.slice(1)) };
}

interface Place {
  readonly setting: string;
  readonly role: string;
  readonly login: string;
  readonly database: string;
}

function hintFor(cause: unknown, place: Place): string {
  const error = single(cause);
  const found = HINTS.find(({ matches }) => matches(error, place));
  return found?.hint(place) ?? `Check ${place.setting}, and that the database is up.`;
}

/** The fields of an error of Node, the driver or PostgreSQL that tell the cause of a failed connection. */
interface Refusal {
  readonly message?: string;
  readonly code?: string | undefined;
  readonly routine?: string | undefined;
}

interface Hint {
  readonly matches: (error: Refusal, place: Place) => boolean;
  readonly hint: (place: Place) => string;
}

/** A server's certificate that no CA known to this machine has signed, by Node's codes. */
const UNVERIFIED = [
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
];

const byCode =
  (...codes: readonly string[]): Hint['matches'] =>
  ({ code }) =>
    code !== undefined && codes.includes(code);
const byText =
  (text: string): Hint['matches'] =>
  ({ message }) =>
    message?.includes(text) === true;

const HINTS: readonly Hint[] = [
  {
    matches: byCode(SQLSTATE.invalid_password),
    hint: ({ setting }) => `Correct the user or the password in ${setting}.`,
  },
  {
    matches: byText('password must be a string'),
    hint: ({ setting }) => `Put the password into ${setting}: the server asks for one.`,
  },
  {
    matches: byCode(SQLSTATE.invalid_catalog_name),
    hint: ({ setting, database }) =>
      `Correct the database in ${setting}, or create it: create database ${quoted(database)};`,
  },
  {
    matches: ({ routine }) => routine === 'CheckMyDatabase',
    hint: ({ setting, database, login }) =>
      `Have the owner of the database of ${setting} run: grant connect on database ${quoted(database)} to ${quoted(login)};`,
  },
  {
    matches: byText('no encryption'),
    hint: ({ setting }) =>
      `Add sslmode=verify-full to ${setting}: the server lets this login in over TLS only, or not at all.`,
  },
  {
    matches: byCode(SQLSTATE.invalid_authorization_specification),
    hint: ({ setting }) => `Correct the user in ${setting}, or let it in by pg_hba.conf of the server.`,
  },
  {
    matches: ({ code, message }, { role }) =>
      code === SQLSTATE.invalid_parameter_value && message?.includes(`"${role}"`) === true,
    hint: ({ setting, role }) =>
      `Run npx --no crossfoot migrate with OWNER_URL: the server of ${setting} has no role ${role}.`,
  },
  {
    matches: byText('unsupported startup parameter'),
    hint: ({ setting }) =>
      `Set ${setting} to the address of PostgreSQL itself. The article own-postgresql says what can go through a pooler, and how.`,
  },
  {
    matches: byCode(SQLSTATE.too_many_connections),
    hint: ({ setting }) =>
      `Run fewer servers and workers, or raise max_connections of the server of ${setting}.`,
  },
  {
    matches: byText('does not support SSL'),
    hint: ({ setting }) => `Remove sslmode from ${setting}, or switch TLS on at the server.`,
  },
  {
    matches: byCode(...UNVERIFIED),
    hint: ({ setting }) =>
      `Add sslrootcert=<file> to ${setting}: the file of the CA that signed the server's certificate.`,
  },
  {
    matches: byCode('ERR_TLS_CERT_ALTNAME_INVALID'),
    hint: ({ setting }) => `Name the server in ${setting} as its certificate does.`,
  },
  {
    matches: byCode('ENOENT', 'EACCES'),
    hint: ({ setting }) =>
      `Correct the path of sslrootcert, sslcert or sslkey in ${setting}: the file cannot be read.`,
  },
];

function reason(cause: unknown): string {
  const { message } = single(cause);
  return message ?? String(cause);
}

/** A name as SQL takes it: in quotes if it needs them. */
export function quoted(name: string): string {
  return /^[a-z_][a-z0-9_]*$/.test(name) ? name : escapeIdentifier(name);
}

/** Node puts one error per tried address into an AggregateError, whose own message is empty. */
function single(cause: unknown): Refusal {
  const error: unknown = cause instanceof AggregateError ? cause.errors[0] : cause;
  return error instanceof Error ? error : {};
}
