import { roleAtLeast } from '@scriptorium/contracts';
import { type Level } from './level.js';

/** The permissions of a member on a space, by level, in the form of answers. */
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

/** The permissions of a member on a collection, by level, in the form of answers. */
export function collectionPermissions(level: Level) {
  const create = roleAtLeast(level, 'create');
  return { view: roleAtLeast(level, 'read'), admin: create, create, viewInviteLinks: create };
}
