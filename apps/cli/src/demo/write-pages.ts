import type { Client } from '@scriptorium/contracts';
import { spaces, type DemoSpace } from './organization.js';
import type { Progress } from '../command-line/progress.js';
import { readPages, rewriteLinks, type RepositoryPage } from './repository-pages.js';

/** Changes of one request; it may have 50. */
const atOnce = 40;

/** Pages from files, in their groups. */
export type PagesByGroup = ReadonlyMap<string, readonly RepositoryPage[]>;

/** The pages of all spaces whose content comes from files. */
export interface DemoPages {
  of(space: DemoSpace): PagesByGroup;
  /** Their number. */
  size: number;
}

/** Reads the files of all spaces. `repository`: its folder. */
export async function readSpaces(repository: string): Promise<DemoPages> {
  const bySpace = new Map<DemoSpace, PagesByGroup>();
  let size = 0;
  for (const space of spaces) {
    const groups = new Map<string, RepositoryPage[]>();
    for (const [title, places] of 'groups' in space.content ? Object.entries(space.content.groups) : []) {
      const pages = await readPages(repository, places);
      groups.set(title, pages);
      size += pages.length;
    }
    bySpace.set(space, groups);
  }
  return { of: (space) => bySpace.get(space) ?? new Map<string, RepositoryPage[]>(), size };
}

/** A space whose pages come from files. */
export interface FilledSpace {
  space: string;
  pages: { id: string; page: RepositoryPage }[];
}

/** Puts all pages of a space in their groups, with their titles alone: links between them need their ids. */
export async function outline(client: Client, space: string, groups: PagesByGroup): Promise<FilledSpace> {
  const made: FilledSpace['pages'] = [];
  for (const [title, inGroup] of groups) {
    const into = title === '' ? undefined : await createGroup(client, space, title);
    for (const pages of inParts(inGroup)) {
      const result = await client.changeSpaceContent({
        params: { spaceId: space },
        body: {
          changes: pages.map((page, index) => ({
            operation: 'insert_page' as const,
            ref: `page-${index}`,
            title: page.title,
            document: { markdown: '' },
            ...(into === undefined ? {} : { into }),
          })),
        },
      });
      pages.forEach((page, index) => made.push({ id: result.refs[`page-${index}`] ?? '', page }));
    }
  }
  return { space, pages: made };
}

async function createGroup(client: Client, space: string, title: string): Promise<string> {
  const { refs } = await client.changeSpaceContent({
    params: { spaceId: space },
    body: { changes: [{ operation: 'insert_group', title, ref: 'group' }] },
  });
  return refs['group'] ?? '';
}

/** Writes the texts of the pages of a space, each part by the next of its authors. `all`: to whose pages links lead. */
export async function writeTexts(
  authors: readonly Client[],
  progress: Progress,
  { space, pages }: FilledSpace,
  all: readonly FilledSpace[],
): Promise<void> {
  const addresses = new Map(
    all.flatMap((other) =>
      other.pages.map(({ id, page }) => [
        page.path,
        other.space === space ? `/pages/${id}` : `/spaces/${other.space}/pages/${id}`,
      ]),
    ),
  );
  const parts = inParts(pages, 10);
  for (const [index, part] of parts.entries()) {
    await authors[index % authors.length]?.changeSpaceContent({
      params: { spaceId: space },
      body: {
        changes: part.map(({ id, page }) => ({
          operation: 'update_page' as const,
          page: id,
          document: { markdown: rewriteLinks(page, (path) => addresses.get(path)) },
        })),
      },
    });
    for (const { page } of part) progress.step(page.title);
  }
}

function inParts<T>(items: readonly T[], size = atOnce): T[][] {
  const parts: T[][] = [];
  for (let start = 0; start < items.length; start += size) parts.push(items.slice(start, start + size));
  return parts;
}
