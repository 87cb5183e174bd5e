import { readFileSync } from 'node:fs';

/** The instructions of the Dockerfile in their order: `{ name, value }`, each in one line. */
export function readDockerfile() {
  return readFileSync(new URL('Dockerfile', import.meta.url), 'utf8')
    .replaceAll(/^\s*#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => ({ name: line.split(' ', 1)[0], value: line.slice(line.indexOf(' ') + 1) }));
}

/** What a container gets that nobody gave anything: `{ environment, entry, user }`. */
export function containerDefaults() {
  const all = readDockerfile();
  const own = all.slice(all.findLastIndex(({ name }) => name === 'FROM'));
  const last = (wanted) => own.findLast(({ name }) => name === wanted)?.value ?? '';
  const pairs = own.filter(({ name }) => name === 'ENV').flatMap(({ value }) => value.split(/\s+/));
  return {
    environment: Object.fromEntries(pairs.map((pair) => pair.split(/=(.*)/s).slice(0, 2))),
    entry: JSON.parse(last('ENTRYPOINT')),
    health: JSON.parse(last('HEALTHCHECK').replace(/^.*?CMD /, '')),
    user: last('USER'),
  };
}
