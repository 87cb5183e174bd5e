import { projection, type EventOf, type Recorded } from '@scriptorium/event-sourcing';
import { integrationEvents, type Published } from './integration.events.js';

/** An integration that is published. */
export interface IntegrationDocument extends Published {
  /** Its name in lower case: no two have the same. */
  key: string;
  /** Its title in lower case, by which lists are sorted. */
  sortTitle: string;
  /** Name and title in lower case. */
  words: string;
  /** The hosts of the addresses that its blocks unfurl. */
  domains: string[];
  hasBlocks: boolean;
  hasContentSources: boolean;
}

const published = integrationEvents.pick('IntegrationPublished', 'IntegrationUnpublished');

function evolve(
  _doc: IntegrationDocument | null,
  event: Recorded<EventOf<typeof published>>,
): IntegrationDocument | null {
  if (event.type === 'IntegrationUnpublished') return null;
  const { name, title, blocks, contentSources } = event.data;
  return {
    ...event.data,
    key: name.toLowerCase(),
    sortTitle: title.toLowerCase(),
    words: `${name}\n${title}`.toLowerCase(),
    domains: [...new Set(blocks.flatMap(({ urlUnfurl = [] }) => urlUnfurl.flatMap(domainIn)))],
    hasBlocks: blocks.length > 0,
    hasContentSources: contentSources.length > 0,
  };
}

/** The host in a pattern of addresses, as `https://*.example.com/**` has one: `example.com`. */
function domainIn(pattern: string): string[] {
  const [, host = ''] = /^(?:[a-z*]+:\/\/)?(?:\*\.)?([^/:?#]+)/i.exec(pattern) ?? [];
  return host === '' ? [] : [host.toLowerCase()];
}

/** The integrations that are published. */
export const integrations = projection({
  name: 'integration',
  version: 1,
  entities: ['integration'],
  events: [published],
  indexes: [
    { key: { key: 1 } },
    { key: { visibility: 1, sortTitle: 1, _id: 1 } },
    { key: { organization: 1, sortTitle: 1, _id: 1 } },
  ],
  id: (event) => event.entityId,
  evolve,
});
