import type { EventDataOf } from '@scriptorium/event-sourcing';
import type { SiteEvent } from '../site.events.js';

type Created = EventDataOf<SiteEvent, 'SiteCreated'>;

export interface SiteSettings {
  title: string;
  type: Created['type'];
  visibility: Created['visibility'];
  basename: string;
  published: boolean;
  /** Host and path under which another server shows it. */
  proxy: string | null;
  hostname: string | null;
  isHostnameVerified: boolean;
  adaptiveContent: boolean;
  /** The claims of visitors that conditions may use, as JSON Schema. */
  adaptiveSchema: Record<string, unknown> | null;
  agentsContext: EventDataOf<SiteEvent, 'SiteAgentsContextChanged'>['agentsContext'];
}

/** The settings after an event, in the aggregate and in the read model. The same object, if nothing changes. */
export function settingsAfter<S extends SiteSettings>(settings: S, event: SiteEvent): S {
  switch (event.type) {
    case 'SiteRenamed':
    case 'SiteVisibilityChanged':
    case 'SiteBasenameChanged':
    case 'SiteProxyChanged':
    case 'SiteAgentsContextChanged':
      return { ...settings, ...event.data };
    case 'SiteHostnameChanged':
      return { ...settings, ...event.data, isHostnameVerified: false };
    case 'SiteHostnameVerified':
      return { ...settings, isHostnameVerified: settings.hostname === event.data.hostname };
    case 'SitePublished':
    case 'SiteUnpublished':
      return { ...settings, published: event.type === 'SitePublished' };
    case 'SiteAdaptiveContentEnabled':
    case 'SiteAdaptiveContentDisabled':
      return { ...settings, adaptiveContent: event.type === 'SiteAdaptiveContentEnabled' };
    case 'SiteAdaptiveSchemaReplaced':
      return { ...settings, adaptiveSchema: event.data.schema };
    default:
      return settings;
  }
}
