import type { PageRecord } from '../../versions/index.js';

/** What pages without files have, and the navigation of an archive cannot say. */
export type KeptFields = Pick<
  PageRecord,
  'emoji' | 'icon' | 'description' | 'hidden' | 'noIndex' | 'noRobotsIndex' | 'condition'
>;

const names = ['emoji', 'icon', 'description', 'hidden', 'noIndex', 'noRobotsIndex', 'condition'] as const;

type Given = { readonly [Name in keyof KeptFields]?: KeptFields[Name] | undefined };

/** These fields of a page: above all its condition, without which everybody would see it. */
export function keptFields(page: Given): KeptFields {
  return Object.fromEntries(names.flatMap((name) => (page[name] === undefined ? [] : [[name, page[name]]])));
}
