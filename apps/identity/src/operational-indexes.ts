import { createIndexes } from '@scriptorium/event-sourcing';
import type { ServiceContext } from '@scriptorium/platform';
import { lastSeenIndexes } from './members/last-seen.operational.js';
import { samlIndexes } from './saml/requests.operational.js';
import { sessionIndexes } from './sessions/sessions.operational.js';
import { attemptIndexes } from './sign-in/attempts.operational.js';
import { linkIndexes } from './sign-in/links.operational.js';

const wanted = { ...lastSeenIndexes, ...linkIndexes, ...sessionIndexes, ...attemptIndexes, ...samlIndexes };

/** The indexes of what is written beside the log, as requests expect to find them. */
export class OperationalIndexes {
  constructor(private readonly context: Pick<ServiceContext, 'store'>) {}

  /** Called by Nest before the service answers. */
  async onModuleInit(): Promise<void> {
    for (const [name, indexes] of Object.entries(wanted)) await createIndexes(this.context.store.database.collection(name), indexes);
  }
}
