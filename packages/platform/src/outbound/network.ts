import { AppError } from '@scriptorium/contracts';
import { Resolver } from 'node:dns/promises';
import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

/** The network that requests use. Specs replace it. */
export interface Network {
  /** All addresses of a name. */
  resolve(host: string, signal: AbortSignal): Promise<string[]>;
  /** Opens a connection to an IP address. */
  connect(address: string, port: number): Socket;
  /** Certificate authorities that are trusted in addition to the usual ones. */
  readonly authorities?: readonly string[];
}

/** Names of this machine, whatever a name server answers. */
export function isLocalName(host: string): boolean {
  return /(^|\.)localhost\.?$/.test(host);
}

const dnsTimeoutMs = 2000;

/**
 * Queries the name servers of the machine and not its `hosts` file. The usual lookup uses a pool of 4 threads that is
 * needed for files and passwords, and names without an answer could occupy all of them.
 */
export const systemNetwork: Network = {
  async resolve(host, signal) {
    if (isLocalName(host)) return ['127.0.0.1', '::1'];
    const resolver = new Resolver({ timeout: dnsTimeoutMs, tries: 2 });
    const cancel = (): void => resolver.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    try {
      const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
      return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  },
  connect: (address, port) => connectPlain({ host: address, port, family: isIP(address) }),
};

export interface Destination {
  readonly url: URL;
  /** The name or address in the URL, without brackets. */
  readonly host: string;
  readonly port: number;
  /** The checked addresses, one of which is connected to. */
  readonly addresses: readonly string[];
}

const triedAddresses = 3;
const connectWithinMs = 4000;

/**
 * A connection to the first of the addresses that answers. No name is resolved again, so it connects to a checked
 * address. Certificates are checked for the name in the URL.
 */
export async function openConnection(
  network: Network,
  { url, host, port, addresses }: Destination,
  signal: AbortSignal,
): Promise<Socket> {
  let failure: Error = new AppError('bad_gateway', [], { message: 'The host has no address' });
  for (const address of addresses.slice(0, triedAddresses)) {
    signal.throwIfAborted();
    try {
      const plain = await established(network.connect(address, port), 'connect', signal);
      return url.protocol === 'https:' ? await secured(network, plain, host, signal) : plain;
    } catch (error) {
      failure = error as Error;
    }
  }
  throw failure;
}

function secured({ authorities }: Network, socket: Socket, host: string, signal: AbortSignal): Promise<Socket> {
  const tls = connectTls({
    socket,
    host,
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ...(authorities === undefined ? {} : { ca: [...authorities] }),
    ALPNProtocols: ['http/1.1'],
  });
  return established(tls, 'secureConnect', signal);
}

async function established(socket: Socket, event: string, signal: AbortSignal): Promise<Socket> {
  let timer: NodeJS.Timeout | undefined;
  let give = (): void => undefined;
  // Later errors are handled by the user of the connection.
  socket.on('error', () => undefined);
  try {
    await new Promise<void>((resolve, reject) => {
      timer = setTimeout(() => reject(new Error('ETIMEDOUT')), connectWithinMs);
      give = () => reject(signal.reason as Error);
      signal.addEventListener('abort', give, { once: true });
      socket.once(event, resolve);
      socket.once('error', reject);
      socket.once('close', () => reject(new Error('ECONNRESET')));
    });
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', give);
  }
}
