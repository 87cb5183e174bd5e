import type { Principal } from '@scriptorium/contracts';
import type { AccessResolvers } from '@scriptorium/platform';
import { access, selfRelation, users } from '../organization-read-models/index.js';

/** Resolves the access of callers to users. */
export const accountsAccess: AccessResolvers = {
  async user({ store }, principal, { userId = principal.id }) {
    const known = (await store.read(users).byId(userId)) !== null;
    return access(known, [...installationRelations(principal), ...selfRelation(principal, userId)]);
  },
};

function installationRelations({ operator }: Principal): ('anyone' | 'operator')[] {
  return operator ? ['anyone', 'operator'] : ['anyone'];
}
