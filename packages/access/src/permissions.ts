import { roleAtLeast } from '@scriptorium/contracts';
import { type Level } from './level.js';

/** What a member may do with a space, by their level on it; as answers show it. */
export function spacePermissions(level: Level) {
  const create = roleAtLeast(level, 'create');
  const read = roleAtLeast(level, 'read');
  const review = roleAtLeast(level, 'review');
  return {
    view: read,
    access: read,
    admin: level === 'admin',
    viewInviteLinks: create,
    edit: roleAtLeast(level, 'edit'),
    triggerGitSync: create,
    comment: roleAtLeast(level, 'comment'),
    merge: review,
    review,
    installIntegration: create,
  };
}

/** What a member may do with a collection, by their level on it; as answers show it. */
export function collectionPermissions(level: Level) {
  const create = roleAtLeast(level, 'create');
  return { view: roleAtLeast(level, 'read'), admin: create, create, viewInviteLinks: create };
}
