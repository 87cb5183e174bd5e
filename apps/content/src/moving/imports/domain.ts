import { defineDomain } from '@scriptorium/platform';
import { ContentObjects } from '../../versions/index.js';
import { forgetImportCommand, forgetImportTimer } from './steps/forget-import.timer.js';
import { importHandler } from './steps/import-steps.process.js';
import { ImportsController } from './imports.controller.js';
import { importIndexes } from './imports.operational.js';
import { importsOfPurgedSpacesReactor } from './imports.reactor.js';

/** Folders of markdown that become the content of spaces. */
export const imports = defineDomain({
  name: 'imports',
  controllers: [ImportsController],
  runs: ({ context, use }) => [importHandler(context, use(ContentObjects))],
  reactors: ({ context }) => [importsOfPurgedSpacesReactor(context)],
  timers: ({ context }) => ({ [forgetImportCommand]: forgetImportTimer(context) }),
  indexes: importIndexes,
});
