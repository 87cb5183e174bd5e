import { organizationAccess, type ServiceAccess } from '@scriptorium/access';
import type { AccessResolvers } from '@scriptorium/platform';
import { translationDocuments } from './translation.projection.js';

/** Translations are for admins of their organization. */
export function translationsAccess(access: ServiceAccess): AccessResolvers {
  return {
    translation: async (scope, principal, { organizationId = '', translationId = '' }) => {
      if (principal.kind === 'installation') return { parentVisible: false, exists: false, relations: new Set() };
      const organization = organizationAccess(await access.placeIn(scope, organizationId, principal));
      const doc = await scope.store.read(translationDocuments).byId(translationId);
      const parentVisible = organization.relations.size > 0;
      return { ...organization, parentVisible, exists: doc?.organization === organizationId };
    },
  };
}
