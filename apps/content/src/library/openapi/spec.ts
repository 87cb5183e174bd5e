import { AppError, blaming } from '@scriptorium/contracts';
import { defineAggregate } from '@scriptorium/event-sourcing';
import { specEvents, type SpecEvent } from './spec.events.js';

type DataOf<T extends SpecEvent['type']> = Extract<SpecEvent, { type: T }>['data'];
type Source = DataOf<'OpenAPISpecCreated'>['source'];

export interface Spec {
  slug: string;
  source: Source;
  visibility: 'private' | 'public';
  /** How many times reading was requested, and how many of these are answered. */
  requests: number;
  answered: number;
  running: { run: string; request: number } | null;
  /** The version that is there, with the hashes of its forms. */
  version: { id: string; document: string; outline: string; pack: string } | null;
}

export interface Specs {
  isClosed: boolean;
  specs: ReadonlyMap<string, Spec>;
}

const initial: Specs = { isClosed: false, specs: new Map() };

/** The OpenAPI specifications of an organization. */
export const specs = defineAggregate({
  service: 'content',
  entity: 'specs',
  events: specEvents,
  initial,
  evolve,
});

function evolve(state: Specs, event: SpecEvent): Specs {
  if (event.type === 'OpenAPISpecsClosed') return { ...state, isClosed: true };
  const { spec: id } = event.data;
  const all = new Map(state.specs);
  const next = specAfter(all.get(id), event);
  if (next === undefined) all.delete(id);
  else all.set(id, next);
  return { ...state, specs: all };
}

function specAfter(
  spec: Spec | undefined,
  event: Exclude<SpecEvent, { type: 'OpenAPISpecsClosed' }>,
): Spec | undefined {
  if (event.type === 'OpenAPISpecCreated') {
    const { slug, source } = event.data;
    return { slug, source, visibility: 'private', requests: 1, answered: 0, running: null, version: null };
  }
  if (spec === undefined || event.type === 'OpenAPISpecDeleted') return undefined;
  switch (event.type) {
    case 'OpenAPISpecUpdateRequested':
      return { ...spec, requests: spec.requests + 1, source: event.data.source ?? spec.source };
    case 'OpenAPISpecProcessingStarted':
      return { ...spec, running: { run: event.data.run, request: event.data.request } };
    case 'OpenAPISpecVersionAdded': {
      const { version: id, document, outline, pack } = event.data;
      return { ...ended(spec), version: { id, document, outline, pack } };
    }
    case 'OpenAPISpecChecked':
    case 'OpenAPISpecProcessingFailed':
      return ended(spec);
    case 'OpenAPISpecVisibilityChanged':
      return { ...spec, visibility: event.data.visibility };
    default:
      return spec;
  }
}

function ended(spec: Spec): Spec {
  return { ...spec, running: null, answered: spec.running?.request ?? spec.answered };
}

/** The specification with a slug, in upper and lower case together. */
export function bySlug({ specs: all }: Specs, slug: string): { id: string; spec: Spec } | undefined {
  const key = slug.toLowerCase();
  for (const [id, spec] of all) if (spec.slug.toLowerCase() === key) return { id, spec };
  return undefined;
}

interface NewSpec {
  id: string;
  /** What names the slug in the request. */
  field: string;
  slug: string;
  source: Source;
  limit: number;
}

/** @throws AppError `conflict` naming the slug, `limit_reached`, `not_found` for an organization that is gone */
export function create(state: Specs, { id, field, slug, source, limit }: NewSpec): SpecEvent[] {
  if (state.isClosed) throw new AppError('not_found');
  if (bySlug(state, slug) !== undefined)
    throw blaming('conflict', field, 'There is a specification with this slug already');
  if (state.specs.size >= limit)
    throw new AppError('limit_reached', [], { message: `There are already ${limit} specifications` });
  return [{ type: 'OpenAPISpecCreated', data: { spec: id, slug, source } }];
}

/** Has a specification read again, or creates it. */
export function put(state: Specs, wanted: NewSpec): SpecEvent[] {
  const found = bySlug(state, wanted.slug);
  if (found === undefined) return create(state, wanted);
  if (found.spec.slug !== wanted.slug)
    throw blaming(
      'conflict',
      wanted.field,
      'There is a specification whose slug differs in upper and lower case alone',
    );
  // Its source was stored for the specification that was there a moment ago.
  if (found.id !== wanted.id) throw new AppError('conflict');
  const data = { spec: found.id, source: wanted.source, cause: 'put' as const };
  return [{ type: 'OpenAPISpecUpdateRequested', data }];
}

/** Has the URL of a specification read again. Nothing for a text, and while something is waiting already. */
export function refresh(state: Specs, id: string): SpecEvent[] {
  const spec = state.specs.get(id);
  if (spec?.source.kind !== 'url' || spec.answered < spec.requests) return [];
  return [{ type: 'OpenAPISpecUpdateRequested', data: { spec: id, cause: 'timer' } }];
}

/** @throws AppError `not_found` */
export function show(state: Specs, slug: string, visibility: Spec['visibility'] | undefined): SpecEvent[] {
  const found = bySlug(state, slug);
  if (found === undefined) throw new AppError('not_found');
  if (visibility === undefined || visibility === found.spec.visibility) return [];
  return [{ type: 'OpenAPISpecVisibilityChanged', data: { spec: found.id, visibility } }];
}

export function remove(state: Specs, slug: string): SpecEvent[] {
  const found = bySlug(state, slug);
  return found === undefined ? [] : [{ type: 'OpenAPISpecDeleted', data: { spec: found.id } }];
}

/** The organization was deleted. */
export function close(state: Specs): SpecEvent[] {
  if (state.isClosed) return [];
  const removed = [...state.specs.keys()].map((spec) => ({ type: 'OpenAPISpecDeleted' as const, data: { spec } }));
  return [...removed, { type: 'OpenAPISpecsClosed', data: {} }];
}

/** A run begins to read a specification. Nothing when it has begun, another one is at it, or nothing is waiting. */
export function begin(state: Specs, id: string, run: string): SpecEvent[] {
  const spec = state.specs.get(id);
  if (spec === undefined || spec.running !== null || spec.answered >= spec.requests) return [];
  return [{ type: 'OpenAPISpecProcessingStarted', data: { spec: id, run, request: spec.requests } }];
}

const forms = ['document', 'outline', 'pack'] as const;

/** What reading has come to. */
export type Outcome =
  | Omit<DataOf<'OpenAPISpecVersionAdded'>, 'spec' | 'run'>
  | { code: DataOf<'OpenAPISpecProcessingFailed'>['code']; problems: number }
  | { same: true; problems: number };

/** A run has read a specification. Nothing when it is gone, or another run is at it. */
export function record(state: Specs, id: string, run: string, outcome: Outcome): SpecEvent[] {
  const spec = state.specs.get(id);
  if (spec?.running?.run !== run) return [];
  const about = { spec: id, run };
  if ('code' in outcome) return [{ type: 'OpenAPISpecProcessingFailed', data: { ...about, ...outcome } }];
  if ('same' in outcome || isSame(spec.version, outcome))
    return [{ type: 'OpenAPISpecChecked', data: { ...about, problems: outcome.problems } }];
  return [{ type: 'OpenAPISpecVersionAdded', data: { ...about, ...outcome } }];
}

function isSame(
  version: Spec['version'],
  outcome: Pick<DataOf<'OpenAPISpecVersionAdded'>, (typeof forms)[number]>,
): boolean {
  return version !== null && forms.every((form) => version[form] === outcome[form]);
}
