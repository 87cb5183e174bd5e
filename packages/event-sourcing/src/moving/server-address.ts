import { MongoClient } from 'mongodb';
import { forClient, unreadOptions } from '../events/client.js';
import { clientOf } from '../events/event-store.js';

/**
 * What is wrong with an address of MongoDB, in words of its driver; undefined when the driver takes it. Nothing is
 * connected to.
 */
export function faultOfMongoAddress(url: string): string | undefined {
  try {
    new MongoClient(url);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** What is wrong with an address of EventStoreDB; undefined when the client takes it. Nothing is connected to. */
export function faultOfEventStoreAddress(url: string): string | undefined {
  const [unread] = unreadOptions(url);
  if (unread !== undefined) return `option ${unread} is not supported`;
  try {
    clientOf(forClient(url));
    return undefined;
  } catch (error) {
    return wordsFor(error as Error);
  }
}

/** The client's own message can have a part of the password: only what it says of the form is told. */
function wordsFor({ name, message }: Error): string {
  if (name === 'URIError') return 'the user or the password has a % that begins no character';
  const [, expected] = /, (expected (?!esdb:)[^"]+?)\.?$/.exec(message) ?? [];
  return expected ?? 'it has no host, or one that cannot be read';
}
