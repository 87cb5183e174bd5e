import { EventStoreDBClient } from '@eventstore/db-client';

const withCredentials = /^(esdb:\/\/)([^:@/]+):([^@/]+)@(.*tls=false.*)$/;

type CallArguments = (...parameters: unknown[]) => [metadata: { set(name: string, value: string): void }, ...unknown[]];

/**
 * The official client, which by itself keeps credentials back from servers without TLS: here it sends them with each
 * call.
 */
export function connectTo(url: string): EventStoreDBClient {
  const [, scheme, user, password, rest] = withCredentials.exec(url) ?? [];
  if (scheme === undefined || user === undefined || password === undefined || rest === undefined)
    return EventStoreDBClient.connectionString(url);
  const client = EventStoreDBClient.connectionString(`${scheme}${rest}`);
  const value = Buffer.from(`${decodeURIComponent(user)}:${decodeURIComponent(password)}`).toString('base64');
  sendAuthorization(client, `Basic ${value}`);
  return client;
}

/** Makes a client send this header with each call. */
export function sendAuthorization(client: EventStoreDBClient, header: string): void {
  const make = Reflect.get(client, 'callArguments') as CallArguments;
  Reflect.set(client, 'callArguments', (...parameters: unknown[]) => {
    const made = make(...parameters);
    made[0].set('authorization', header);
    return made;
  });
}
