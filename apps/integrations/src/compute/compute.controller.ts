import { computeContent, type Principal } from '@scriptorium/contracts';
import { Controller, Handles, type Call } from '@scriptorium/platform';
import type * as z from 'zod';
import { CallScript } from '../dispatch/index.js';
import { computeByScript } from './compute-by-script.process.js';

/** Content that scripts compute, for the service that shows it. */
@Controller()
export class ComputeController {
  constructor(readonly script: CallScript) {}

  @Handles(computeContent)
  async compute(wanted: z.output<(typeof computeContent)['input']>, call: Call<Principal | null>) {
    return computeByScript(call, this.script, wanted);
  }
}
