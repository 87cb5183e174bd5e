import type { ServiceAccess } from '@scriptorium/access';
import { AppError, type VisitorPrincipal } from '@scriptorium/contracts';
import type { Scope } from '@scriptorium/platform';
import { findNode } from '../../library/index.js';
import {
  peopleNamed,
  seenByReader,
  targetsElsewhere,
  viewContent,
  withBlocks,
  type ContentView,
} from '../../reading/index.js';
import type { ContentObjects } from '../../versions/index.js';
import type { Wish } from './wish.js';

/** What PDFs are made from. */
export interface PdfSources {
  objects: ContentObjects;
  access: ServiceAccess;
}

/**
 * The content of a wish, as whoever asked for it sees it.
 * @throws AppError `not_found` for a space that is not there any more, and when what it is made of has changed without
 * its revision
 */
export async function openWish(scope: Scope, sources: PdfSources, wish: Wish): Promise<ContentView> {
  const { organization, space, revision } = wish;
  const node = await findNode(scope, space);
  if (node?.kind !== 'space' || node.deletedAt !== null || node.organization !== organization)
    throw new AppError('not_found');
  const { objects } = sources;
  const whole = await viewContent(scope, objects, organization, { space, revision });
  if (whole.root !== wish.root)
    throw new AppError('not_found', [], { message: 'What this shows has changed, get another address' });
  return readAs(scope, sources, whole, wish);
}

/** The same content at another root, such as before its changes. */
export async function readAs(
  scope: Scope,
  { objects, access }: PdfSources,
  whole: ContentView,
  { reader }: Pick<Wish, 'reader'>,
): Promise<ContentView> {
  const view = reader === undefined ? whole : await seenByReader(scope, objects, whole, reader);
  const principal = reader === undefined ? undefined : visitorOf(whole.organization, reader);
  return {
    ...view,
    elsewhere: (refs) =>
      principal === undefined
        ? peopleNamed(scope, null, view, refs)
        : targetsElsewhere(scope, { access, objects, principal }, view, refs),
    withBlocks: (document) => withBlocks(scope, objects, view, document),
  };
}

function visitorOf(organization: string, reader: NonNullable<Wish['reader']>): VisitorPrincipal {
  const token = { id: 'pdf', kind: 'content' } as const;
  return { kind: 'visitor', id: 'pdf', token, organization, operator: false, visitor: { site: '', ...reader } };
}
