import { invalid } from '@scriptorium/contracts';

const field = 'body.tunnelUrl';

/**
 * Refuses an address that is neither https nor a port of this machine. `isLocal`: whether the API itself is reached on
 * this machine alone. What `https:` leads to is checked elsewhere. Pure.
 * @throws AppError `invalid_request`
 */
export function requireTunnelAddress(address: string, isLocal: boolean): void {
  // A port that is left out is meant by nobody: programs of developers do not have that of the web.
  const isPort = isLocal && /^http:\/\/127\.0\.0\.1:\d+(\/|$)/i.test(address);
  const url = new URL(address);
  if (url.username !== '' || url.password !== '') throw invalid(field, 'Must have no user and no password');
  if (url.search !== '' || url.hash !== '') throw invalid(field, 'Must end with its path');
  if (url.protocol === 'https:' || isPort) return;
  throw invalid(field, isLocal ? 'Must have https, or be http://127.0.0.1:<port>' : 'Must have https');
}

/** Whether an address is a port of this machine. Pure. */
export function isOfThisMachine({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && hostname === '127.0.0.1';
}

/** Whether the API is reached on this machine alone. Pure. */
export function isLocalApi(api: string): boolean {
  return ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(api).hostname);
}

/** Where events are sent. Pure. */
export function tunnelTarget(address: string): string {
  return `${address.replace(/\/+$/, '')}/v1`;
}
