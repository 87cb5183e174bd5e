import { installedIntegrations, isActiveFor, type InstalledIntegration } from '@scriptorium/access';
import { visitScopes, type Visit } from '@scriptorium/contracts';
import { JobQueue, type Registry, type Scope } from '@scriptorium/platform';
import { counter } from '@scriptorium/platform/metrics';
import type { CallScript } from '../dispatch/index.js';

const bounds = { mostAtOnce: 16, mostOfOne: 4, mostWaiting: 2_000, mostWaitingOfOne: 500 };
const deadlineMs = 30_000;
/** What a script answers to a type of event that it does not handle. */
const notHandled = 406;

/** Tells scripts what visitors do, at most once. What waits is in memory alone, and dropped when it is too much. */
export class VisitSender {
  readonly #callScript: Pick<CallScript, 'run'>;
  readonly #queue = new JobQueue(bounds);
  readonly #dropped: ReturnType<typeof counter>;

  constructor(callScript: Pick<CallScript, 'run'>, registry: Registry) {
    this.#callScript = callScript;
    const help = 'Visits of which integrations were not told';
    this.#dropped = counter(registry, 'scriptorium_visits_dropped_total', help, 'cause');
  }

  /** Has installations told that reach the sites and have the scopes. */
  async send({ store }: Pick<Scope, 'store'>, visits: readonly Visit[]): Promise<void> {
    const found = new Map<string, Promise<InstalledIntegration[]>>();
    for (const visit of visits) {
      const { organization, site } = visit;
      const receivers = found.get(organization) ?? installedIntegrations(store, organization);
      found.set(organization, receivers);
      const need = { scope: visitScopes[visit.type], target: { kind: 'site', id: site } } as const;
      for (const one of await receivers)
        if (isActiveFor(one, need) && !this.#queue.add(one.reach.integration, () => this.#tell(one, visit)))
          this.#dropped.inc({ service: 'integrations', cause: 'too_many' });
    }
  }

  stop(): void {
    this.#queue.clear();
  }

  #tell({ id: installation, reach: { integration } }: InstalledIntegration, visit: Visit): Promise<unknown> {
    const { organization, site, siteSpace, space, page, visitor, url, referrer } = visit;
    return this.#callScript.run({
      integration,
      installation,
      organization,
      target: { kind: 'site', id: site },
      type: visit.type,
      event: {
        ...(siteSpace === undefined ? {} : { siteSpaceId: siteSpace }),
        ...(space === undefined ? {} : { spaceId: space }),
        ...(page === undefined ? {} : { pageId: page }),
        ...('feedback' in visit ? { feedback: visit.feedback } : {}),
        visitor,
        url,
        referrer,
      },
      deadlineMs,
      repeat: 'never',
      isRecorded: visit.type === 'page_feedback',
      // What a script writes may say who the visitor was.
      isTraced: false,
      fails: (status) => status >= 400 && status !== notHandled,
    });
  }
}
