import { isPageFile, type Files } from '../folder.js';

/** Pages of a version of a site of Docusaurus that is not the current one. */
export interface DocVersion {
  name: string;
  /** Its folder, without a slash at its end. */
  root: string;
  /** The file with its sidebars, where there is one. */
  sidebars: string | undefined;
  pages: number;
}

const collator = new Intl.Collator('en', { numeric: true });

/** The versions of a site, the greatest first. `site`: its folder, with a slash at its end unless it is empty. */
export function versionsIn(all: Files, site: string): DocVersion[] {
  const counts = new Map<string, number>();
  for (const path of all.keys()) {
    const [, name] = (isPageFile(path) && path.startsWith(site) && versionForm.exec(path.slice(site.length))) || [];
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts]
    .map(([name, pages]) => {
      const sidebars = `${site}versioned_sidebars/version-${name}-sidebars.json`;
      const root = `${site}versioned_docs/version-${name}`;
      return { name, root, sidebars: all.has(sidebars) ? sidebars : undefined, pages };
    })
    .sort((a, b) => collator.compare(b.name, a.name));
}

const versionForm = /^versioned_docs\/version-([^/]+)\//;
