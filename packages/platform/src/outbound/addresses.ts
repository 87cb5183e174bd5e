import { BlockList, isIP } from 'node:net';

/** Decides which addresses may be connected to. */
export type AddressRule = (address: string) => boolean;

/**
 * IPv4 addresses that are not public: the special purposes of the IANA registry, and the metadata address of one cloud
 * provider.
 */
const reservedIPv4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];
/**
 * The range of public IPv6 addresses. Mapped and translated IPv4, local, multicast and loopback addresses are outside
 * of it.
 */
const globalIPv6 = ['2000::/3'];
/**
 * Parts of that range that are not public: protocols (Teredo and others), documentation, 6to4 with an IPv4 address
 * inside, and returned ranges.
 */
const reservedIPv6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3ffe::/16', '3fff::/20'];

/**
 * Parses the setting of networks: `10.1.0.0/16,fd00::/8`, separated by commas. An address without `/` is a network of
 * one address.
 * @throws RangeError for anything else
 */
export function parseNetworks(list: string): BlockList {
  return blockList(
    list
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  );
}

export function isNetworkList(list: string): boolean {
  try {
    parseNetworks(list);
    return true;
  } catch {
    return false;
  }
}

/** A rule that allows public addresses and those in the given networks. */
export function addressRule(allowed: BlockList): AddressRule {
  const [reserved4, global6, reserved6] = [reservedIPv4, globalIPv6, reservedIPv6].map(blockList);
  return (address) => {
    const family = isIP(address);
    // An address with a zone belongs to a network link of this machine.
    if (family === 0 || address.includes('%')) return false;
    if (family === 4) return allowed.check(address) || reserved4?.check(address) === false;
    if (allowed.check(address, 'ipv6')) return true;
    return global6?.check(address, 'ipv6') === true && reserved6?.check(address, 'ipv6') === false;
  };
}

function blockList(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits, ...more] = network.split('/');
    const family = isIP(address);
    const [most, type] = family === 4 ? ([32, 'ipv4'] as const) : ([128, 'ipv6'] as const);
    const prefix = bits === undefined ? most : /^\d{1,3}$/.test(bits) ? Number(bits) : -1;
    if (family === 0 || more.length > 0 || prefix < 0 || prefix > most)
      throw new RangeError(`"${network}" is not a network such as 10.1.0.0/16`);
    list.addSubnet(address, prefix, type);
  }
  return list;
}
