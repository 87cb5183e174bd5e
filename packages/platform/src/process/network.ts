import ipaddr from 'ipaddr.js';
import { isIPv6 } from 'node:net';

/**
 * The network of a client's address that belongs to one customer of a provider: the /64 of an IPv6 address, since the
 * customer can use any address in it; otherwise the address itself.
 */
export function networkOf(address: string): string {
  if (!isIPv6(address) || address.includes('.')) return address;
  // Node adds the interface of a link-local address, by any name that the machine has for it.
  const { parts } = ipaddr.IPv6.parse(address.replace(/%.*/, ''));
  return parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':');
}
