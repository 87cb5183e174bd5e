import { AppError, type TranslationSegment } from '@scriptorium/contracts';
import { pageBy, type Page, type PageRequest, type Scope } from '@scriptorium/platform';
import { recall } from '../texts/segment-memory.operational.js';
import {
  countSegments,
  findSegment,
  isOutdated,
  listSegments as segmentsOf,
  type SegmentFilter,
  type StoredSegment,
} from './page-segments.operational.js';
import { findPins } from './pins.operational.js';

/** Segments of a translation, page by page. */
export async function listSegments(
  scope: Scope,
  filter: SegmentFilter,
  { operation, ...request }: PageRequest & { operation: string },
): Promise<Page<TranslationSegment>> {
  const page = await pageBy<StoredSegment>(scope.cursors, {
    binding: { operation, scope: { ...filter }, sort: 'place', order: 'asc' },
    request,
    count: () => countSegments(scope, filter),
    fetch: (limit, after) =>
      segmentsOf(scope, filter, { limit, after: after === undefined ? undefined : String(after[0]) }),
    keysOf: ({ place, _id }) => [place, _id],
  });
  return { ...page, items: await renderSegments(scope, filter.translation, page.items) };
}

/** @throws AppError `not_found` */
export async function requireSegment(
  scope: Pick<Scope, 'database'>,
  translation: string,
  id: string,
): Promise<StoredSegment> {
  const found = await findSegment(scope, translation, id);
  if (found === null) throw new AppError('not_found');
  return found;
}

/** Segments with what they read in the result. */
export async function renderSegments(
  scope: Pick<Scope, 'database'>,
  translation: string,
  segments: readonly StoredSegment[],
): Promise<TranslationSegment[]> {
  const [texts, pins] = await Promise.all([
    recall(
      scope,
      translation,
      segments.map(({ hash }) => hash),
    ),
    findPins(
      scope,
      translation,
      segments.map(({ id }) => id),
    ),
  ]);
  return segments.map((segment): TranslationSegment => {
    const { id, page, block, hash, source, isPinned, problems } = segment;
    const pin = pins.get(id);
    const outdated = isOutdated(pin, segment) ? pin : undefined;
    return {
      object: 'translation-segment',
      ...{ id, page, block, source, pinned: isPinned },
      target: texts.get(hash)?.text ?? null,
      problems: [...problems, ...(outdated === undefined ? [] : ['source_changed' as const])],
      ...(outdated !== undefined && { correction: { source: outdated.source, target: outdated.target } }),
    };
  });
}
