import { defineDomain } from '@scriptorium/platform';
import { ComputeController } from './compute.controller.js';

/** Content that scripts compute. */
export const compute = defineDomain({ name: 'compute', controllers: [ComputeController] });
