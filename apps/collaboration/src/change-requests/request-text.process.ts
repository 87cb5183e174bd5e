import { type ChangeRequest as ShownRequest, type InputOf, type updateChangeRequestById } from '@scriptorium/contracts';
import type { Call, Scope } from '@scriptorium/platform';
import type { RichDocument } from '@scriptorium/rich-text';
import { findTexts, readText } from '../texts/index.js';

/** The text of a change request. */
export interface RequestText {
  subject: string;
  description: RichDocument | null;
  links: NonNullable<ShownRequest['links']>;
}

export const noText: RequestText = { subject: '', description: null, links: [] };

interface TextOwner {
  _id: string;
  space: string;
  text: string | null;
}

/** The texts of change requests by their names. */
export async function requestTexts(
  scope: Pick<Scope, 'database'>,
  owners: readonly TextOwner[],
): Promise<Map<string, RequestText>> {
  const places = owners.flatMap(({ _id: owner, space, text }) => (text === null ? [] : [{ space, owner, text }]));
  return (await findTexts(scope, places)) as Map<string, RequestText>;
}

type Wanted = Pick<InputOf<typeof updateChangeRequestById>['body'], 'subject' | 'description' | 'links'>;

/** A text with what a request changes of it. @throws AppError `invalid_request`, `too_large`, naming the field */
export async function changedText(call: Call, before: RequestText, wanted: Wanted): Promise<RequestText> {
  const { subject = before.subject, description, links } = wanted;
  const known = new Set(before.links.map(({ id }) => id));
  return {
    subject,
    description:
      description === undefined
        ? before.description
        : description === null
          ? null
          : (await readText(call, description, 'body.description')).document,
    links:
      links === undefined
        ? before.links
        : links.map(({ id, ref, title }, i) => ({
            id: id !== undefined && known.has(id) ? id : call.idFor(`link ${i}`),
            ref,
            ...(title === undefined ? {} : { title }),
          })),
  };
}

/** The parts in which two texts differ. */
export function fieldsChanged(before: RequestText, after: RequestText): (keyof RequestText)[] {
  return (['subject', 'description', 'links'] as const).filter(
    (field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  );
}
