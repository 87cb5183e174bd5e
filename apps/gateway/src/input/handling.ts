/** Names the fields of a request that nothing reads. */
export const ignoredHeader = 'scriptorium-ignored';

const mostNames = 20;
const longestHeader = 1_024;

/** The value of the header for some paths: at most 20 names and 1,024 characters; `...` stands for more. */
export function ignoredValue(paths: readonly string[]): string {
  const names: string[] = [];
  let length = 0;
  for (const path of paths) {
    const name = headerName(path);
    length += name.length + 2;
    if (names.length === mostNames || length > longestHeader) return [...names, '...'].join(', ');
    names.push(name);
  }
  return names.join(', ');
}

/** A path with everything percent-encoded that would end a name or a header. Half of a pair has no encoding. */
function headerName(path: string): string {
  return path.toWellFormed().replace(/[^\w.[\]$@*~-]/gu, encodeURIComponent);
}
