/** A CPU profile as V8 writes it. */
export interface CpuProfile {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[];
  samples: number[];
  /** Microseconds since the sample before. */
  timeDeltas: number[];
}

const shown = 25;

/** Functions and packages with the largest own shares of the time that was not idle. */
export function summarise({ nodes, samples, timeDeltas }: CpuProfile): string[] {
  const own = new Map<number, number>();
  samples.forEach((node, index) => own.set(node, (own.get(node) ?? 0) + (timeDeltas[index] ?? 0)));
  const functions = new Map<string, number>();
  const packages = new Map<string, number>();
  let busy = 0;
  let idle = 0;
  for (const { id, callFrame } of nodes) {
    const time = own.get(id) ?? 0;
    if (callFrame.functionName === '(idle)') {
      idle += time;
      continue;
    }
    busy += time;
    const where = shortUrl(callFrame.url);
    add(
      functions,
      `${callFrame.functionName || '(anonymous)'} ${where}${where === '' ? '' : `:${callFrame.lineNumber + 1}`}`,
      time,
    );
    add(packages, packageOf(callFrame.url, callFrame.functionName), time);
  }
  const share = (time: number) => `${((100 * time) / busy).toFixed(1).padStart(5)} %`;
  const top = (map: Map<string, number>, count: number) =>
    [...map]
      .sort((a, b) => b[1] - a[1])
      .slice(0, count)
      .map(([name, time]) => `${share(time)} ${name}`);
  return [
    `busy ${((100 * busy) / (busy + idle)).toFixed(0)} % of the time`,
    'by package:',
    ...top(packages, shown),
    'by function:',
    ...top(functions, shown),
  ];
}

function add(map: Map<string, number>, key: string, value: number): void {
  map.set(key, (map.get(key) ?? 0) + value);
}

function shortUrl(url: string): string {
  return url
    .replace(/^file:\/\//, '')
    .replace(/^.*\/node_modules\//, '')
    .replace(/^.*\/((?:packages|apps)\/)/, '$1');
}

function packageOf(url: string, functionName: string): string {
  if (url === '') return functionName.startsWith('(') ? functionName : '(native)';
  const path = shortUrl(url);
  if (path.startsWith('node:')) return 'node';
  return path
    .split('/')
    .slice(0, path.startsWith('@') || /^(packages|apps)\//.test(path) ? 2 : 1)
    .join('/');
}
