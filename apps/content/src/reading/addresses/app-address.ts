/** What the path of an address of the application names. */
export type AppAddress =
  | { organization: string; collection: string }
  | {
      organization: string;
      space: string;
      /** Id or number. */
      changeRequest?: string;
      revision?: string;
      /** Id or path. */
      page?: string;
    };

const id = /^[\w-]{1,128}$/;

/** Reads an address of the application; `undefined` for another one. `app`: the base of those. */
export function readAppAddress(url: string, app: string): AppAddress | undefined {
  const segments = segmentsOf(url, app);
  if (segments === undefined) return undefined;
  const [o, organization = '', kind, node = '', ...rest] = segments;
  if (o !== 'o' || !id.test(organization) || !id.test(node)) return undefined;
  if (kind === 'c') return rest.length === 0 ? { organization, collection: node } : undefined;
  if (kind !== 's') return undefined;
  const space = { organization, space: node };
  const [preview, what, named = '', ...inside] = rest;
  if (preview !== '~') return { ...space, ...pageIn(rest) };
  if (!id.test(named)) return undefined;
  if (what === 'changes') return { ...space, changeRequest: named, ...pageIn(inside) };
  return what === 'revisions' ? { ...space, revision: named, ...pageIn(inside) } : undefined;
}

function pageIn(segments: readonly string[]): { page?: string } {
  return segments.length === 0 ? {} : { page: segments.join('/') };
}

/** The segments of the path behind that of the application. */
function segmentsOf(url: string, app: string): string[] | undefined {
  if (!URL.canParse(url) || !URL.canParse(app)) return undefined;
  const [found, base] = [new URL(url), new URL(app)];
  const start = `${base.pathname.replace(/\/$/, '')}/`;
  if (found.origin !== base.origin || !found.pathname.startsWith(start)) return undefined;
  try {
    return found.pathname.slice(start.length).replace(/\/$/, '').split('/').map(decodeURIComponent);
  } catch {
    return undefined;
  }
}
