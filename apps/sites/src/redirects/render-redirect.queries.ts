import type { SiteRedirect } from '@scriptorium/contracts';
import type { Stored } from '@scriptorium/event-sourcing';
import type { RedirectDocument } from './redirect.projection.js';

export function renderRedirect({ _id: id, source, destination }: Stored<RedirectDocument>): SiteRedirect {
  return { object: 'site-redirect', id, source, destination };
}
