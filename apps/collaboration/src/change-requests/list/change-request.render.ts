import { referTo, type ChangeRequest } from '@scriptorium/contracts';
import type { Stored } from '@scriptorium/event-sourcing';
import type { Scope } from '@scriptorium/platform';
import type { ChangeRequestDocument } from './change-request.projection.js';
import type { RequestText } from '../request-text.process.js';

/** What a change request is shown with besides its document. */
export interface ShownWith {
  text: RequestText;
  /** The newest revision of the space. */
  main: string | null;
  /** In a dry run: what content would have made. */
  made?: { head: string; initial: string } | undefined;
}

/** A change request that has a number. */
export function renderChangeRequest(
  doc: Stored<ChangeRequestDocument> & { number: number },
  { text, main, made }: ShownWith,
  urls: Scope['urls'],
): ChangeRequest {
  const { _id: id, organization, space, number, conversationsIssuesCluster, agentTask } = doc;
  return {
    object: 'change-request',
    id,
    number,
    status: doc.status,
    ...describe(text),
    createdBy: referTo('user', doc.author),
    createdAt: doc.createdAt,
    updatedAt: doc.updatedAt,
    ...(doc.mergedBy === null ? {} : { mergedBy: referTo('user', doc.mergedBy) }),
    ...(doc.mergedAt === null ? {} : { mergedAt: doc.mergedAt }),
    space,
    ...revisions(doc, main, made),
    comments: doc.comments,
    ...(conversationsIssuesCluster === null ? {} : { conversationsIssuesCluster }),
    ...(agentTask === null ? {} : { agentTaskId: agentTask }),
    urls: {
      app: `${urls.app}/o/${organization}/s/${space}/~/changes/${number}`,
      location: `${urls.api}/spaces/${space}/change-requests/${id}`,
    },
  };
}

function describe({ subject, description, links }: RequestText) {
  return {
    subject,
    ...(description === null ? {} : { description }),
    ...(links.length === 0 ? {} : { links }),
  };
}

/** Where its content is, and how it stands to that of the space. */
function revisions(doc: ChangeRequestDocument, main: string | null, made: ShownWith['made']) {
  const initial = made?.initial ?? doc.initial ?? '';
  const { ancestor } = doc;
  const merged = doc.status === 'merged' ? doc.merged : null;
  return {
    revision: made?.head ?? doc.revision ?? '',
    revisionInitial: initial,
    ...(ancestor === null ? {} : { revisionMergedAncestor: ancestor }),
    ...(merged === null ? {} : { revisionMerged: merged }),
    outdated: hasFallenBehind({ ...doc, initial }, main),
  };
}

/** Whether the space has revisions that a change request has not taken over. `main`: the newest one of the space. */
export function hasFallenBehind(
  { status, ancestor, initial }: Pick<ChangeRequestDocument, 'status' | 'ancestor' | 'initial'>,
  main: string | null,
): boolean {
  return status !== 'merged' && main !== null && main !== (ancestor ?? initial ?? '');
}
