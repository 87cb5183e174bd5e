import type { DefaultLevel } from '@scriptorium/access';
import type { CollectionEvent } from './collection.events.js';

export interface CollectionSettings {
  title: string;
  description: string | null;
  defaultLevel: DefaultLevel;
}

/** What an event changes of the settings, in the aggregate and in the read model. */
export function collectionSettingsChanged(
  event: Exclude<CollectionEvent, { type: 'CollectionCreated' }>,
): Partial<CollectionSettings> {
  switch (event.type) {
    case 'CollectionRenamed':
    case 'CollectionDescriptionChanged':
      return event.data;
    case 'CollectionDefaultLevelChanged':
      return { defaultLevel: event.data.level };
    default:
      return {};
  }
}
