import { defineDomain, type Domain } from '@scriptorium/platform';
import { BranchesController } from './branches.controller.js';
import { LiveSpaces, type InLiveSpace } from './live-spaces.process.js';

/**
 * What collaboration asks for its change requests: to open and change their branches, to take over the main content, to
 * merge.
 */
export const mergeInterface = ({ inLiveSpace }: { inLiveSpace: InLiveSpace }): Domain =>
  defineDomain({
    name: 'merge-interface',
    controllers: [BranchesController],
    objects: () => [new LiveSpaces(inLiveSpace)],
  });
