import { dropUnusedLookFiles, keepLookFiles, type Principal } from '@scriptorium/contracts';
import { Controller, Handles, type Call } from '@scriptorium/platform';
import type * as z from 'zod';
import { LookFiles } from './look-files.process.js';

/** Files of looks, for the service of sites, which has judged who may. */
@Controller()
export class LookFilesController {
  constructor(private readonly looks: LookFiles) {}

  @Handles(keepLookFiles)
  async keep(input: z.output<(typeof keepLookFiles)['input']>, call: Call<Principal | null>) {
    return { items: await this.looks.keep(call, input) };
  }

  @Handles(dropUnusedLookFiles)
  async dropUnused({ site, used }: z.output<(typeof dropUnusedLookFiles)['input']>, call: Call<Principal | null>) {
    await this.looks.dropUnused(call, site, used);
    return {};
  }
}
