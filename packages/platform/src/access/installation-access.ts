import type { AccessResolvers } from './resource-access.js';

/** Access to the installation, which every service resolves alike: operators' operations are about it. */
export const installationAccess: AccessResolvers = {
  installation: (_scope, { operator }) =>
    Promise.resolve({
      parentVisible: true,
      exists: true,
      relations: new Set(operator ? ['anyone', 'operator'] : ['anyone']),
    }),
};
