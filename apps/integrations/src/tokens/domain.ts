import { reachReadModels } from '@scriptorium/access';
import { integrationChanges } from '@scriptorium/contracts';
import { Announcer, defineDomain } from '@scriptorium/platform';
import { TokensController } from './tokens.controller.js';

/** The events of which the read models are made that say what installations reach. */
const reachTypes: ReadonlySet<string> = new Set(reachReadModels.flatMap(({ types }) => [...types]));
/** After these, tokens may do something else than before. */
const tokenTypes: ReadonlySet<string> = new Set([
  'IntegrationPublished',
  'IntegrationUnpublished',
  'IntegrationSigningRotated',
  'IntegrationUninstalled',
  'InstallationConfigured',
  'InstallationScopesGranted',
  'InstallationPaused',
  'InstallationResumed',
  'InstallationSigningRotated',
]);

/** Tokens with which integrations and their installations use the API. */
export const tokens = defineDomain({
  name: 'tokens',
  controllers: [TokensController],
  objects: ({ context }) => [
    new Announcer(context, {
      subject: integrationChanges,
      positionsOf: reachTypes,
      changesTokens: ({ types }) => types.some((type) => tokenTypes.has(type)),
    }),
  ],
});
