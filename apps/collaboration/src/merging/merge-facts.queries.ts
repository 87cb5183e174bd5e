import { organizationFacts, type ServiceAccess } from '@scriptorium/access';
import { keyedEntries } from '@scriptorium/event-sourcing';
import type { Scope } from '@scriptorium/platform';
import type { RichDocument } from '@scriptorium/rich-text';
import { getRequestText, isOutdated, type NumberedRequest, type PresentRequest } from '../change-requests/index.js';
import { mergeRules, viewersOf, type ViewedSpace } from '../spaces/index.js';
import { renderText } from '../texts/index.js';
import type { MergeFacts, MergeRule } from './merge-rules.js';

/** The merge rules of a space: its own, or those of its organization. */
export async function rulesOf({ store }: Scope, { id, organization }: ViewedSpace): Promise<readonly MergeRule[]> {
  const [own, facts] = await Promise.all([
    store.read(mergeRules).byId(id),
    store.read(organizationFacts).byId(organization),
  ]);
  return own?.rules ?? facts?.mergeRules ?? [];
}

/** What rules judge of a change request: its reviews and text as `present` has them. */
export async function mergeFacts(
  scope: Scope,
  access: ServiceAccess,
  { space, doc, present, actor }: { space: ViewedSpace; doc: NumberedRequest; present: PresentRequest; actor: string },
): Promise<MergeFacts> {
  const reviews = keyedEntries(present.reviews);
  const [text, outdated, viewers] = await Promise.all([
    getRequestText(scope, { ...doc, text: present.text }),
    isOutdated(scope, doc),
    viewersOf(
      scope,
      access,
      space,
      reviews.map(([reviewer]) => reviewer),
    ),
  ]);
  return {
    actor,
    space: { id: space.id, organization: space.organization },
    changeRequest: {
      id: doc._id,
      number: doc.number,
      status: present.status,
      subject: text.subject,
      description: markdownOf(text.description),
      outdated,
      author: present.author,
      createdAt: doc.createdAt,
    },
    reviews: reviews
      .filter(([reviewer]) => viewers.has(reviewer))
      .map(([reviewer, { status, revision }]) => ({ reviewer, status, outdated: revision !== doc.revision })),
  };
}

function markdownOf(description: RichDocument | null): string {
  const shown = description === null ? { markdown: '' } : renderText(description, 'markdown');
  return 'markdown' in shown ? shown.markdown : '';
}
