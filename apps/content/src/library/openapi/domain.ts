import { defineDomain } from '@scriptorium/platform';
import { FileServer, FileStore } from '../../versions/index.js';
import { PublishedSpecs } from './published-specs.process.js';
import { specProcessingHandler } from './processing/spec-steps.process.js';
import { refreshSpecCommand, refreshSpecTimer } from './refresh-spec.timer.js';
import { specDocuments } from './spec.projection.js';
import { specTextIndexes } from './spec-texts.operational.js';
import { specVersions } from './spec-version.projection.js';
import { SpecWaits } from './spec-waits.process.js';
import { SpecVersionsController } from './spec-versions.controller.js';
import { SpecsController } from './specs.controller.js';
import { deletedSpecsReactor, requestedSpecsReactor, specsOfDeletedOrganizationsReactor } from './specs.reactor.js';

/** OpenAPI specifications of organizations, and their versions. */
export const openapi = defineDomain({
  name: 'openapi',
  controllers: [SpecsController, SpecVersionsController],
  objects: ({ context, use }) => [new SpecWaits(context), new PublishedSpecs(context, use(FileStore), use(FileServer))],
  projections: [specDocuments, specVersions],
  runs: ({ context, use }) => [specProcessingHandler(context, use(FileStore))],
  reactors: ({ context, use }) => [
    requestedSpecsReactor(context),
    deletedSpecsReactor(context, use(FileStore)),
    specsOfDeletedOrganizationsReactor,
  ],
  timers: () => ({ [refreshSpecCommand]: refreshSpecTimer() }),
  indexes: specTextIndexes,
});
