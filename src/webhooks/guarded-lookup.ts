/** A DNS look-up for connections to addresses that a customer chose. */
import { lookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import type { AllowedAddresses } from './allowed-addresses.ts';

/** The fault of an address that must not be called. */
export const ADDRESS_REFUSED = 'address_refused';

/** A look-up that fails unless every address may be reached; the connection uses the checked addresses. */
export function guardedLookup(allowed: AllowedAddresses): LookupFunction {
  return (hostname, { all, ...options }, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses: readonly LookupAddress[]) => {
      const [first] = addresses ?? [];
      if (error !== null || first === undefined) callback(error ?? refused(), '', 0);
      else if (!addresses.every(({ address }) => allowed.mayReach(address))) callback(refused(), '', 0);
      else if (all === true) callback(null, [...addresses]);
      else callback(null, first.address, first.family);
    });
  };
}

function refused(): NodeJS.ErrnoException {
  return Object.assign(new Error('a private address'), { name: 'AddressRefused', code: ADDRESS_REFUSED });
}
