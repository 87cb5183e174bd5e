import { entriesOf, members, type Members } from '../text/values.js';
import type { Comparison } from './comparison.js';
import { compareSchemas } from './compare-schemas.js';
import { changedMembers, type Difference } from './difference.js';

export function compareResponses(a: Members, b: Members, use: Comparison): Difference[] {
  const differences: Difference[] = [];
  for (const [status, response] of Object.entries(a)) {
    if (!Object.hasOwn(b, status)) {
      differences.push({ text: `response ${status} removed`, isBreaking: /^2/.test(status) });
      continue;
    }
    const [place, before, after] = [`response ${status}`, members(response), members(b[status])];
    differences.push(
      ...compareContents(before['content'], after['content'], use, place),
      ...compareHeaders(members(before['headers']), members(after['headers']), use, place),
      ...changedMembers(before, after, ['content', 'headers'], place),
    );
  }
  for (const status of Object.keys(b))
    if (!Object.hasOwn(a, status)) differences.push({ text: `response ${status} added`, isBreaking: false });
  return differences;
}

export function compareContents(before: unknown, after: unknown, use: Comparison, place: string): Difference[] {
  const [a, b] = [members(before), members(after)];
  const differences: Difference[] = [];
  for (const [type, given] of entriesOf(a)) {
    if (!Object.hasOwn(b, type)) {
      differences.push({ text: `${place}: ${type} removed`, isBreaking: true });
      continue;
    }
    const [old, media] = [members(given), members(b[type])];
    differences.push(
      ...compareSchemas(old['schema'] ?? {}, media['schema'] ?? {}, use, place),
      ...changedMembers(old, media, ['schema'], `${place}: ${type}`),
    );
  }
  for (const type of Object.keys(b))
    if (!Object.hasOwn(a, type)) differences.push({ text: `${place}: ${type} added`, isBreaking: false });
  return differences;
}

/** Headers of an answer: who reads one that goes has nothing to read. Their names count in any case. */
function compareHeaders(a: Members, b: Members, use: Comparison, place: string): Difference[] {
  const [before, after] = [byName(a), byName(b)];
  const differences: Difference[] = [];
  for (const [key, [name, header]] of before) {
    const at = `${place}: header ${name}`;
    const other = after.get(key)?.[1];
    if (other === undefined) differences.push({ text: `${at} removed`, isBreaking: use.response });
    else
      differences.push(
        ...compareSchemas(schemaOf(header), schemaOf(other), use, at),
        ...changedMembers(header, other, ['schema', 'content'], at),
      );
  }
  for (const [key, [name]] of after)
    if (!before.has(key)) differences.push({ text: `${place}: header ${name} added`, isBreaking: false });
  return differences;
}

function byName(headers: Members): Map<string, [name: string, header: Members]> {
  return new Map(Object.entries(headers).map(([name, header]) => [name.toLowerCase(), [name, members(header)]]));
}

/** The schema of a parameter or header. */
export function schemaOf(parameter: Members): unknown {
  const [media] = Object.values(members(parameter['content']));
  return parameter['schema'] ?? members(media)['schema'] ?? {};
}
