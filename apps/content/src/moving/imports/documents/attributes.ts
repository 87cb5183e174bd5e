import { PageCover, PageLayout, PageMetaLinks, VariableChanges } from '@scriptorium/contracts';
import { canonical, nameOfText } from '@scriptorium/tree';
import * as z from 'zod';
import { unfit } from '../refusal.js';
import { isRenaming, renameIds } from '../rename-ids.js';

/** The rarer fields of a page, as they are stored. Variables are held to what requests may set. */
const Attributes = z.strictObject({
  layout: PageLayout.partial().optional(),
  cover: PageCover.optional(),
  variables: z
    .record(z.string(), z.string())
    .refine((variables) => Object.entries(variables).every(([name, value]) => canBeSet(name, value)))
    .optional(),
  metaLinks: PageMetaLinks.optional(),
});

function canBeSet(name: string, value: string): boolean {
  return VariableChanges.safeParse({ [name]: value }).success;
}

/**
 * The rarer fields that a manifest brings, with the ids of their new place. @throws AppError `content_change_invalid`
 */
export function attributesIn(
  name: string,
  text: string,
  ids: Readonly<Record<string, string>>,
): { name: string; text: string } {
  const attributes = Attributes.safeParse(parsedJson(text));
  if (!attributes.success) throw unfit(name, 'It has no fields of a page');
  if (!isRenaming(ids)) return { name, text };
  const renamed = canonical(renameIds(attributes.data, ids));
  return { name: nameOfText(renamed), text: renamed };
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
