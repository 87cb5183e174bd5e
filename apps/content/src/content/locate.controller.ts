import { locateInContent, locatePublishedPath } from '@scriptorium/contracts';
import { Controller, Handles, type InternalCall } from '@scriptorium/platform';
import type * as z from 'zod';
import { ContentObjects } from '../objects/index.js';
import { locatePublished } from './locate-published.queries.js';
import { locate } from './locate.queries.js';

/** What other services ask about places in content. */
@Controller()
export class LocateController {
  constructor(private readonly objects: ContentObjects) {}

  @Handles(locateInContent)
  async locate(wanted: z.output<(typeof locateInContent)['input']>, call: InternalCall) {
    return locate(call, this.objects, wanted);
  }

  @Handles(locatePublishedPath)
  async locatePublished(wanted: z.output<(typeof locatePublishedPath)['input']>, call: InternalCall) {
    return locatePublished(call, this.objects, wanted);
  }
}
