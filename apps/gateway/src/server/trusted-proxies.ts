import { isIP } from 'node:net';

/** The proxies whose `X-Forwarded-For` is believed: how many there are, or their addresses and networks. */
export type TrustedProxies = number | readonly string[];

const maxProxies = 32;

/** Reads `TRUST_PROXY`. Throws an error with a message that says what is allowed. */
export function parseTrustedProxies(text: string): TrustedProxies {
  if (text === '' || text === 'false') return 0;
  if (text === 'true') {
    const problem = '"true" would accept any address in X-Forwarded-For';
    throw new Error(`${problem}; set the number of proxies in front of the gateway, or their addresses and networks`);
  }
  if (/^\d{1,2}$/.test(text) && Number(text) <= maxProxies) return Number(text);
  const networks = text.split(',').map((entry) => entry.trim());
  const wrong = networks.find((entry) => !isNetwork(entry));
  if (wrong === undefined) return networks;
  throw new Error(`"${wrong}" is not a number of proxies up to ${maxProxies}, an address or a network (10.0.0.0/8)`);
}

function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const family = isIP(address);
  if (family === 0 || more.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}

/**
 * The option of the HTTP framework. It gets a function for a number: the framework itself trusts nobody by a number.
 */
export function trustProxyOption(
  proxies: TrustedProxies,
): false | string[] | ((address: string, hop: number) => boolean) {
  if (typeof proxies !== 'number') return [...proxies];
  return proxies === 0 ? false : (_address, hop) => hop < proxies;
}
