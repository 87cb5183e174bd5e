import { listTemplates, type InputOf } from '@scriptorium/contracts';
import { Controller, Handles, type Call } from '@scriptorium/platform';
import { listTemplates as templatesOf } from './templates.queries.js';

@Controller()
export class TemplatesController {
  @Handles(listTemplates)
  async list({ query }: InputOf<typeof listTemplates>, call: Call) {
    return templatesOf(call, { ...query, operation: call.operation });
  }
}
