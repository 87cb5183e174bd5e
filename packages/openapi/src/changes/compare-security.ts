import { entriesOf, listOf, members, type Members } from '../text/values.js';
import { apart, isSame, type Difference } from './difference.js';

/** A way of authorization that goes breaks who used it; no authorization is a way, too. */
export function compareSecurity(a: readonly unknown[], b: readonly unknown[]): Difference[] {
  if (isSame(a, b)) return [];
  const open = [{}];
  const { removed } = apart(a.length === 0 ? open : a, b.length === 0 ? open : b);
  const becomesOpen = b.length === 0 || b.some((way) => isSame(way, {}));
  return [{ text: 'authorization changed', isBreaking: removed.length > 0 && !becomesOpen }];
}

/** Members of a scheme by which a client sends what it has. */
const sent = ['type', 'in', 'name', 'scheme', 'openIdConnectUrl', '$ref'];

/** The schemes of both versions that an operation names: a client sends what the old one says. */
export function compareSchemes(before: Members, after: Members): Difference[] {
  return Object.keys(before)
    .filter((name) => Object.hasOwn(after, name) && !isSame(before[name], after[name]))
    .flatMap((name) => compareScheme(members(before[name]), members(after[name])).map(named(name)));
}

function named(name: string): (difference: Difference) => Difference {
  return ({ text, isBreaking }) => ({ text: `security scheme ${name}: ${text}`, isBreaking });
}

function compareScheme(a: Members, b: Members): Difference[] {
  const isEqual = (name: string) => isSame(plain(name, a[name]), plain(name, b[name]));
  const how = sent
    .filter((name) => !isEqual(name))
    .map((name) => ({ text: `${name} is ${shown(b[name])}, was ${shown(a[name])}`, isBreaking: true }));
  const rest = [...new Set([...Object.keys(a), ...Object.keys(b)])].filter(
    (name) => !sent.includes(name) && name !== 'flows' && !isSame(a[name], b[name]),
  );
  return [
    ...how,
    ...compareFlows(members(a['flows']), members(b['flows'])),
    ...(rest.length === 0 ? [] : [{ text: `${rest.join(', ')} changed`, isBreaking: false }]),
  ];
}

/** Names of headers and of schemes of HTTP count in any case. */
function plain(name: string, value: unknown): unknown {
  return name === 'scheme' && typeof value === 'string' ? value.toLowerCase() : value;
}

function shown(value: unknown): string {
  if (value === undefined) return 'not set';
  return (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 100);
}

function compareFlows(before: Members, after: Members): Difference[] {
  const differences = entriesOf(before).flatMap(([kind, flow]) =>
    Object.hasOwn(after, kind)
      ? compareFlow(members(flow), members(after[kind])).map(({ text, isBreaking }) => ({
          text: `flow ${kind}: ${text}`,
          isBreaking,
        }))
      : [{ text: `flow ${kind} removed`, isBreaking: true }],
  );
  for (const kind of Object.keys(after))
    if (!Object.hasOwn(before, kind)) differences.push({ text: `flow ${kind} added`, isBreaking: false });
  return differences;
}

function compareFlow(a: Members, b: Members): Difference[] {
  if (isSame(a, b)) return [];
  const moved = ['authorizationUrl', 'tokenUrl', 'refreshUrl', 'deviceAuthorizationUrl'].filter(
    (name) => !isSame(a[name], b[name]),
  );
  const scopes = [members(a['scopes']), members(b['scopes'])].map((given) => Object.keys(given));
  const { removed, added } = apart(listOf(scopes[0]), listOf(scopes[1]));
  const differences = [
    ...moved.map((name) => ({ text: `${name} is ${shown(b[name])}, was ${shown(a[name])}`, isBreaking: true })),
    ...removed.map((scope) => ({ text: `scope ${String(scope)} removed`, isBreaking: true })),
    ...added.map((scope) => ({ text: `scope ${String(scope)} added`, isBreaking: false })),
  ];
  return differences.length > 0 ? differences : [{ text: 'description changed', isBreaking: false }];
}
