import type { SiteEvent } from '../site.events.js';

/** A share link of a site. */
export interface ShareLinkState {
  id: string;
  name: string;
  active: boolean;
  createdAt: string;
}

/** The share links of a site after an event, the newest last. The same list, if nothing changes. */
export function linksAfter(
  links: readonly ShareLinkState[],
  event: SiteEvent,
  time: string,
): readonly ShareLinkState[] {
  switch (event.type) {
    case 'ShareLinkCreated':
      return [...links, { id: event.data.link, name: event.data.name, active: true, createdAt: time }];
    case 'ShareLinkRenamed':
      return change(links, event.data.link, { name: event.data.name });
    case 'ShareLinkActivated':
    case 'ShareLinkDeactivated':
      return change(links, event.data.link, { active: event.type === 'ShareLinkActivated' });
    case 'ShareLinkDeleted':
      return links.filter(({ id }) => id !== event.data.link);
    default:
      return links;
  }
}

function change(
  links: readonly ShareLinkState[],
  id: string,
  fields: Partial<ShareLinkState>,
): readonly ShareLinkState[] {
  return links.map((link) => (link.id === id ? { ...link, ...fields } : link));
}
