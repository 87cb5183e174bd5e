import { createDocumentIndex, systemClock, type DocumentIndex, type Stored } from '@scriptorium/event-sourcing';
import {
  keyed,
  pageBy,
  type CursorBinding,
  type Page,
  type PageRequest,
  type Scope,
  type ServiceContext,
} from '@scriptorium/platform';
import { type TeamDocument, teams } from '../team.projection.js';
import { sortKey } from '../../organization-read-models/index.js';
import { createTeamTitles, pageAfter, type TeamTitles, type TitledTeam } from './team-titles.js';

/** The approximate size in bytes of the titles in memory, of all organizations together. */
const maxBytes = 32 * 1024 * 1024;

/** Teams of one organization whose title contains a text. */
export interface TeamQuery {
  organization: string;
  title: string;
  /** Only these teams. */
  among?: ReadonlySet<string> | undefined;
  binding: Omit<CursorBinding, 'sort'>;
  request: PageRequest;
}

/**
 * Finds teams by a part of their title. The database would read every team of the organization for that: no index finds
 * texts that contain another one. So their titles are kept in memory.
 */
export class TeamSearch {
  readonly #context: Pick<ServiceContext, 'store'>;
  #index: DocumentIndex<TeamTitles> | undefined;

  constructor(context: Pick<ServiceContext, 'store'>) {
    this.#context = context;
  }

  /** One page of them, by title. */
  async page({ store, cursors }: Scope, query: TeamQuery): Promise<Page<Stored<TeamDocument>>> {
    const { organization, title, among, binding, request } = query;
    // The index does its own reads. This call records that the response depends on it.
    const model = store.read(teams);
    const titles = await this.#titles.of(organization);
    const matches = titles.containing(sortKey(title)).filter(({ id }) => among?.has(id) !== false);
    const page = await pageBy<TitledTeam>(cursors, {
      binding: { ...binding, sort: 'titleKey' },
      request,
      isCounted: true,
      count: () => matches.length,
      fetch: (limit, after) =>
        pageAfter(matches, limit, after === undefined ? undefined : { key: String(after[0]), id: after[1] }),
      keysOf: ({ key, id }) => [key, id],
    });
    const docs = keyed(await model.byIds(page.items.map(({ id }) => id)));
    return { ...page, items: page.items.flatMap(({ id }) => docs.get(id) ?? []) };
  }

  /** Created at its first use, since the store exists only after the start of the service. */
  get #titles(): DocumentIndex<TeamTitles> {
    return (this.#index ??= createDocumentIndex<TeamDocument, TeamTitles>(this.#context.store, {
      projection: teams,
      groupedBy: 'organization',
      create: createTeamTitles,
      clock: systemClock,
      maxBytes,
    }));
  }
}
