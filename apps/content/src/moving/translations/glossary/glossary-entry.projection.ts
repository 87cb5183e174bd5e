import { projection, type Write } from '@scriptorium/event-sourcing';
import { glossaryEvents } from './glossary.events.js';

/** An entry of a glossary without what it says. */
export interface GlossaryEntryDocument {
  organization: string;
  /** The name of what it says. */
  text: string;
  createdAt: string;
  updatedAt: string;
}

/** All entries of all glossaries, by id. */
export const glossaryEntries = projection<GlossaryEntryDocument, [typeof glossaryEvents]>({
  name: 'glossary_entry',
  version: 1,
  entities: ['content.glossary'],
  events: [glossaryEvents],
  indexes: [{ key: { organization: 1, createdAt: 1, _id: 1 } }],
  writes(event): Write<GlossaryEntryDocument>[] {
    const { entityId: organization, meta } = event;
    if (event.type === 'GlossaryClosed') return [{ removeWhere: { organization } }];
    const { inserted, updated, deleted, text } = event.data;
    const doc = { organization, text, createdAt: meta.time, updatedAt: meta.time };
    return [
      ...inserted.map((put) => ({ put, doc })),
      ...updated.map((set) => ({ set, fields: { text, updatedAt: meta.time } })),
      ...deleted.map((remove) => ({ remove })),
    ];
  },
});
