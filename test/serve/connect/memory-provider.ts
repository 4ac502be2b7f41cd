/** What the official clients ask of the program that uses them, kept in memory; of both generations of the library. */
import type { OAuthClientProvider as CurrentProvider } from '@modelcontextprotocol/client';
import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';

type Registered = Awaited<ReturnType<OAuthClientProvider['clientInformation']>>;
type Tokens = Awaited<ReturnType<OAuthClientProvider['tokens']>>;

/** `led` has the addresses to which the client would send a person. */
export function openProvider(redirectUrl: string) {
  let client: Registered;
  let tokens: Tokens;
  let verifier = '';
  let discovered: Awaited<ReturnType<NonNullable<CurrentProvider['discoveryState']>>>;
  const led: URL[] = [];
  const provider: CurrentProvider & OAuthClientProvider = {
    redirectUrl,
    clientMetadata: { redirect_uris: [redirectUrl], client_name: 'Official client' },
    state: () => 'a state',
    clientInformation: () => client,
    saveClientInformation: (saved) => void (client = saved),
    tokens: () => tokens,
    saveTokens: (saved) => void (tokens = saved),
    redirectToAuthorization: (url) => void led.push(url),
    saveCodeVerifier: (saved) => void (verifier = saved),
    codeVerifier: () => verifier,
    // With it the client holds an answer to the issuer that it asked.
    saveDiscoveryState: (saved: typeof discovered) => void (discovered = saved),
    discoveryState: () => discovered,
  };
  return { provider, led, tokens: () => tokens };
}
