import { streamNews, type StreamNews } from '@scriptorium/contracts';
import type { Messaging } from '@scriptorium/messaging';

const gatherMs = 10;
const topicsPerMessage = 1000;

/** Announces an event about a topic: an organization, or a person. */
export type Tell = (topic: string | null, position: bigint) => void;

/**
 * Announces new events to gateways, which then continue the streams that clients follow. Announcements within 10 ms are
 * sent together. A lost announcement is made up for, since gateways also check from time to time.
 */
export function createNews(messaging: Pick<Messaging, 'publish'>): Tell {
  const latest = new Map<string, bigint>();
  let timer: NodeJS.Timeout | undefined;
  const send = (): void => {
    timer = undefined;
    const topics = [...latest].map(([topic, position]): StreamNews['topics'][number] => [topic, String(position)]);
    latest.clear();
    for (let start = 0; start < topics.length; start += topicsPerMessage) {
      messaging.publish(
        streamNews,
        Buffer.from(JSON.stringify({ topics: topics.slice(start, start + topicsPerMessage) } satisfies StreamNews)),
      );
    }
  };
  return (topic, position) => {
    if (topic === null) return;
    const known = latest.get(topic);
    if (known === undefined || known < position) latest.set(topic, position);
    timer ??= setTimeout(send, gatherMs).unref();
  };
}
