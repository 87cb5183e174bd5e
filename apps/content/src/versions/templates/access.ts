import type { AccessResolvers } from '@scriptorium/platform';

/** Templates are the same for everyone. */
export const templatesAccess: AccessResolvers = {
  template: () => Promise.resolve({ parentVisible: true, exists: true, relations: new Set(['anyone'] as const) }),
};
