/** Coverage of one script, as V8 tells it. */
export interface ScriptCoverage {
  url: string;
  functions: { functionName: string; ranges: { startOffset: number; count: number }[] }[];
}

/** How often functions were called, by the source file and where they begin in the built one. */
export type Calls = Record<string, Record<string, number>>;

const ours = /\/((?:packages|apps)\/[^/]+)\/dist\/(.*)\.js$/;

/** Calls of the functions of this repository. */
export function called(scripts: readonly ScriptCoverage[]): Calls {
  const calls: Calls = {};
  for (const { url, functions } of scripts) {
    const [, workspace, path] = ours.exec(url) ?? [];
    if (workspace === undefined || path === undefined) continue;
    const counts: Record<string, number> = {};
    for (const {
      ranges: [range],
    } of functions)
      if (range !== undefined && range.count > 0) counts[range.startOffset] = range.count;
    if (Object.keys(counts).length > 0) calls[`${workspace}/src/${path}.ts`] = counts;
  }
  return calls;
}
