import type { OrganizationMergeRules } from '@scriptorium/contracts';
import type { DefaultLevel } from '@scriptorium/access';
import type { SpaceEvent } from './space.events.js';

type Rules = OrganizationMergeRules['rules'];

export interface SpaceSettings {
  title: string;
  emoji: string | null;
  icon: string | null;
  language: string | null;
  editMode: 'live' | 'locked';
  /** `null`: those of the organization. */
  mergeRules: Rules | null;
  defaultLevel: DefaultLevel;
}

/** Settings of a new space that nobody chooses when it is created. */
export const newSpace = { icon: null, mergeRules: null, defaultLevel: 'inherit' } as const;

/** What an event changes of the settings, in the aggregate and in the read model. */
export function spaceSettingsChanged(event: Exclude<SpaceEvent, { type: 'SpaceCreated' }>): Partial<SpaceSettings> {
  switch (event.type) {
    case 'SpaceRenamed':
    case 'SpaceEmojiChanged':
    case 'SpaceIconChanged':
    case 'SpaceLanguageChanged':
      return event.data;
    case 'SpaceLocked':
      return { editMode: 'locked' };
    case 'SpaceUnlocked':
      return { editMode: 'live' };
    case 'SpaceMergeRulesChanged':
      return { mergeRules: event.data.rules };
    case 'SpaceDefaultLevelChanged':
      return { defaultLevel: event.data.level };
    default:
      return {};
  }
}
