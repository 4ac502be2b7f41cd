/** The addresses of the sign-in, all below the public address of the server: no header of a request names one. */
import { issuerOf } from '../auth/well-known.ts';

/** The page of consent, and the routes of programs. */
export const AUTHORIZE_PATH = '/authorize';
export const TOKEN_PATH = '/token';
export const REGISTER_PATH = '/register';
export const REVOKE_PATH = '/revoke';
/** The page of what is connected. */
export const CONNECTIONS_PATH = '/clients';

/** The maximum size of what a client sends to a route of the sign-in. */
export const MAX_SIGN_IN_BYTES = 8 * 1024;

/** What a client may do with a token. There is one thing. */
export const SCOPE = 'read';

/** The metadata of the authorization server (RFC 8414), with what clients look for. */
export function signInMetadata(baseUrl: string) {
  const issuer = issuerOf(baseUrl);
  return {
    issuer,
    authorization_endpoint: issuer + AUTHORIZE_PATH,
    token_endpoint: issuer + TOKEN_PATH,
    registration_endpoint: issuer + REGISTER_PATH,
    revocation_endpoint: issuer + REVOKE_PATH,
    scopes_supported: [SCOPE],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    service_documentation: `${issuer}/docs/assistant`,
  } as const;
}
