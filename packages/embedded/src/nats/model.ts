import { type Socket } from 'node:net';
import { type Outbound } from './outbound.js';

/** One subscription of one connection. */
export interface Subscription {
  readonly connection: Connection;
  readonly sid: string;
  readonly subject: string;
  readonly queue: string | undefined;
  delivered: number;
  /** Deliveries after which it ends by itself; 0 = none. */
  max: number;
}

/** What is known of one client. The flags before CONNECT are those of nats-server. */
export interface Connection {
  readonly id: number;
  readonly socket: Socket;
  readonly outbound: Outbound;
  readonly subscriptions: Map<string, Subscription>;
  verbose: boolean;
  pedantic: boolean;
  echo: boolean;
  headers: boolean;
  noResponders: boolean;
  authorized: boolean;
  closed: boolean;
  /** In the broker's list of connections to flush at the end of this turn. */
  dirty: boolean;
  pingsOut: number;
  lastHeard: number;
  lastPing: number;
  /** Set when a message for a congested client was taken from this one: it is read from a little later. */
  throttled: boolean;
}
