import { announceVisits, type Principal } from '@scriptorium/contracts';
import { Controller, Handles, type Call } from '@scriptorium/platform';
import type * as z from 'zod';
import { VisitSender } from './visit-sender.process.js';

/** What visitors of sites do, as the service of sites tells it. */
@Controller()
export class VisitsController {
  constructor(private readonly sender: VisitSender) {}

  /** Scripts are told after the answer. */
  @Handles(announceVisits)
  async announce({ visits }: z.output<(typeof announceVisits)['input']>, call: Call<Principal | null>) {
    await this.sender.send(call, visits);
    return {};
  }
}
