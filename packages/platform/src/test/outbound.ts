import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import {
  type AddressInfo,
  connect,
  createServer as createPlainServer,
  type Server as PlainServer,
  type Socket,
} from 'node:net';
import { parseNetworks } from '../outbound/addresses.js';
import type { Network } from '../outbound/network.js';
import { createOutbound, type Outbound, type OutboundOptions } from '../outbound/outbound.js';

/** An address that nobody in these specs connects to: it stands for the server of the spec. */
export const somePublic = '93.184.215.14';

/** Servers of a spec, and a way out to them as if they were public. */
export interface OutboundWorld {
  /** Base of a server's URLs under a name; of its own addresses where the name is one. */
  serve(listener: RequestListener, name?: string): Promise<string>;
  serveTls(listener: RequestListener, certificate: { key: string; cert: string }, name: string): Promise<string>;
  /** A server below HTTP. */
  serveRaw(onConnect: (socket: Socket) => void, name?: string): Promise<string>;
  /** What a name resolves to, one answer after the other, the last one for ever. */
  names: Map<string, string[][]>;
  /** What was resolved and connected to. */
  resolved: string[];
  connected: string[];
  open(options?: Partial<OutboundOptions>, network?: Partial<Network>): Outbound;
  close(): Promise<void>;
}

export function createOutboundWorld(): OutboundWorld {
  const servers: PlainServer[] = [];
  const sockets = new Set<Socket>();
  const world = { names: new Map<string, string[][]>(), resolved: [] as string[], connected: [] as string[] };
  const listen = async (server: PlainServer, scheme: string, name: string): Promise<string> => {
    servers.push(server);
    server.on('connection', (socket) => {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `${scheme}://${name}:${(server.address() as AddressInfo).port}`;
  };
  const network: Network = {
    resolve(host) {
      world.resolved.push(host);
      const answers = world.names.get(host) ?? [[somePublic]];
      return Promise.resolve((answers.length > 1 ? answers.shift() : answers[0]) ?? []);
    },
    connect(address, port) {
      world.connected.push(address);
      return connect(port, address === somePublic ? '127.0.0.1' : address);
    },
  };
  return {
    ...world,
    serve: (listener, name = 'public.example') => listen(createServer(listener), 'http', name),
    serveTls: (listener, certificate, name) => listen(createTlsServer(certificate, listener), 'https', name),
    serveRaw: (onConnect, name = 'public.example') => listen(createPlainServer(onConnect), 'http', name),
    open: (options, more) =>
      createOutbound({ allowed: parseNetworks(''), network: { ...network, ...more }, ...options }),
    async close() {
      for (const socket of sockets) socket.destroy();
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
    },
  };
}
