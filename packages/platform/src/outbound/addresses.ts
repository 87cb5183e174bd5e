import { BlockList, isIP } from 'node:net';

/** Which addresses may be connected to. */
export type AddressRule = (address: string) => boolean;

/**
 * IPv4 that is not somebody's public address: the special purposes of IANA's registry, and the address at which one provider's
 * machines find their own metadata.
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
/** Public IPv6: nothing outside of this is, such as mapped and translated IPv4, local, multicast and loopback addresses. */
const globalIPv6 = ['2000::/3'];
/** Within that: protocols' own (Teredo and others), documentation, 6to4, which holds an IPv4 address, and what was given back. */
const reservedIPv6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3ffe::/16', '3fff::/20'];

/**
 * Networks as a setting gives them: `10.1.0.0/16,fd00::/8`, separated by commas; an address without `/` stands for itself.
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

/** Lets through what is public, and what is in one of the networks that this installation allows. */
export function addressRule(allowed: BlockList): AddressRule {
  const [reserved4, global6, reserved6] = [reservedIPv4, globalIPv6, reservedIPv6].map(blockList);
  return (address) => {
    const family = isIP(address);
    // A zone names a link of this machine.
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
