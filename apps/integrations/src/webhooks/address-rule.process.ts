import { isIP } from 'node:net';
import { invalid } from '@scriptorium/contracts';
import { createOutbound, hostOf, parseNetworks, type Outbound } from '@scriptorium/platform';

/**
 * Refuses an address to which nothing is sent. It has https; one that the installation allows besides the public ones
 * (an IP address in an allowed network) may have http. What a name leads to is checked at each delivery.
 * @throws AppError `invalid_request` naming the field
 */
export function requireWebhookAddress(outbound: Pick<Outbound, 'check'>, url: string, field: string): void {
  outbound.check(url, field);
  if (new URL(url).protocol !== 'https:' && isForEverybody(url, field)) throw invalid(field, 'Must have https');
}

/** Names count as public, also `localhost`: where they lead is not known before they are resolved. */
function isForEverybody(url: string, field: string): boolean {
  if (isIP(hostOf(new URL(url))) === 0) return true;
  try {
    publicOnly.check(url, field);
    return true;
  } catch {
    return false;
  }
}

/** The ways to what everybody reaches. */
const publicOnly = createOutbound({ allowed: parseNetworks('') });
