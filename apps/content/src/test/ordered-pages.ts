import type { Entry } from '../moving/imports/entry.js';
import { frontOf } from '../moving/imports/navigation/front.js';
import { projectIn, projectOfVersion } from '../moving/imports/navigation/project.js';
import { readNavigation } from '../moving/imports/navigation/read-navigation.js';
import { chosenFolder } from '../moving/imports/planning/chosen-folder.js';
import { outlineOfNavigation, type OutlinePage } from '../moving/imports/planning/outline.js';
import { readConfig } from '../moving/imports/planning/settings-files.js';

/** What becomes of files with these texts: pages as lines, indented by their depth, and warnings. */
export function orderedPages(texts: Record<string, string>, config = readConfig(undefined)) {
  const entries = Object.entries(texts).map(([path, text], archive): [string, Entry] => {
    const size = Buffer.byteLength(text);
    return [path, { archive, offset: 0, name: 0, packed: size, size, crc: 0, method: 'whole' }];
  });
  const all = new Map(entries);
  const byEntry = new Map(entries.map(([path, entry]) => [entry, texts[path] ?? '']));
  const small = (files: ReadonlyMap<string, Entry>, path: string) => {
    const entry = files.get(path);
    return entry && byEntry.get(entry);
  };
  const read = (path: string) => small(all, path);
  const found = projectIn(all, read);
  const project = found && (projectOfVersion(found, config.root) ?? found);
  const { files, warnings } = chosenFolder(all, { config, book: undefined, project, read });
  const reader = { small, front: (entry: Entry) => frontOf(byEntry.get(entry) ?? '') };
  const navigation = readNavigation({ files, all, project, reader });
  const { path = '', entries: listed = [] } = navigation ?? {};
  const { pages, warnings: more } = outlineOfNavigation(files, path, listed);
  return {
    pages: lines(pages),
    made: pages,
    files: [...files.keys()],
    messages: [...warnings, ...(navigation?.warnings ?? [])].map(({ message = '' }) => message),
    warnings: [...warnings, ...(navigation?.warnings ?? []), ...more].map(({ kind, path: at, target }) =>
      [kind, at, target].filter(Boolean).join(' '),
    ),
  };
}

function lines(pages: readonly OutlinePage[]): string[] {
  const depth = ({ parent }: OutlinePage): number => {
    const above = parent === undefined ? undefined : pages[parent];
    return above === undefined ? 0 : depth(above) + 1;
  };
  const inside = (parent?: number): OutlinePage[] =>
    pages.flatMap((page, at) => (page.parent === parent ? [page, ...inside(at)] : []));
  return inside().map((page) => {
    const { type, title, path, isNamed, slug, description } = page;
    const marks = [isNamed && '!', slug && `/${slug}`, description && `"${description}"`, path && `(${path})`];
    return ['  '.repeat(depth(page)) + (type === 'document' ? '' : `${type} `) + title, ...marks]
      .filter(Boolean)
      .join(' ');
  });
}
