import { defineDomain, type Domain } from '@scriptorium/platform';
import { BranchesController } from './branches.controller.js';
import { WritableSpaces, type InWritableSpace } from './writable-spaces.process.js';

/**
 * What collaboration asks for its change requests: to open and change their branches, to take over the main content, to
 * merge.
 */
export const mergeInterface = ({ inWritableSpace }: { inWritableSpace: InWritableSpace }): Domain =>
  defineDomain({
    name: 'merge-interface',
    controllers: [BranchesController],
    objects: () => [new WritableSpaces(inWritableSpace)],
  });
