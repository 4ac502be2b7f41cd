/**
 * The path of the sharing protocol (OpenSharing, until 2026 Delta Sharing). It is not below `/v1`: the protocol is not
 * ours.
 */
export const SHARING_PATH = '/delta-sharing';

/** The maximum size of the body of a query; the hints of a client's largest filter take a few kilobytes. */
export const MAX_QUERY_BYTES = 64 * 1024;

const QUERY = /\/tables\/[^/]+\/query$/;

/** True for a path of the protocol, also for one without a route. */
export function isSharing(url = ''): boolean {
  return url === SHARING_PATH || url.startsWith(`${SHARING_PATH}/`);
}

/** True for the only path of the protocol that takes a body. */
export function isSharingQuery(url = ''): boolean {
  return isSharing(url) && QUERY.test(url.split('?', 1)[0] ?? '');
}
