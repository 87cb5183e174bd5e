import { upgrade as upgradeTo } from '@scalar/openapi-upgrader';
import { beginningOf, receivedIn } from '../text/received.js';
import { UnreadableSpecification } from '../text/unreadable.js';
import { isMembers, members, type Members } from '../text/values.js';

/** A document as OpenAPI 3.1, whatever it was before. The value is changed. @throws UnreadableSpecification */
export function upgrade(value: Members): Members {
  try {
    const upgraded: unknown = upgradeTo({ ...value }, '3.1');
    if (isMembers(upgraded)) return upgraded;
  } catch {
    // The library reads what it expects without a look at what is there.
  }
  throw new UnreadableSpecification(
    'It cannot be brought to OpenAPI 3.1: a part has another shape than its version says',
  );
}

/** The newest version of OpenAPI by its first two numbers. */
const newest: Readonly<Record<string, string>> = { '3.0': '3.0.4', '3.1': '3.1.2', '3.2': '3.2.0' };

/**
 * The value as a specification, with a version as it has to be written.
 * @throws UnreadableSpecification for what is no specification
 */
export function requireSpecification(value: unknown, text = ''): Members {
  if (!isMembers(value))
    throw new UnreadableSpecification(`It is no object: it is ${receivedIn(text, value)}`, beginningOf(text));
  const { openapi, swagger } = value;
  // YAML reads 2.0 without quotes as a number.
  const given = typeof openapi === 'number' ? openapi.toFixed(1) : String(openapi);
  const isKnown = /^3\.\d/.test(given) || String(swagger) === '2.0' || swagger === 2;
  if (!isKnown) throw new UnreadableSpecification('It is neither OpenAPI 3 nor Swagger 2.0');
  if (/^3\.\d/.test(given) && given !== openapi) return { ...value, openapi: newest[given] ?? given };
  if (Object.hasOwn(newest, given)) return { ...value, openapi: newest[given] };
  return swagger === 2 ? { ...value, swagger: '2.0' } : value;
}

/** What is wrong with how the version is written; `null` when nothing is. */
export function versionProblem(value: unknown): string | null {
  const { openapi } = members(value);
  const given = typeof openapi === 'number' ? openapi.toFixed(1) : String(openapi);
  const version = Object.hasOwn(newest, given) ? newest[given] : undefined;
  if (typeof openapi !== 'number' && version === undefined) return null;
  const what = typeof openapi === 'number' ? `the number ${given}` : `"${given}"`;
  return `The version is ${what}. It is a text of three numbers: write "${version ?? '3.1.2'}", with quotes`;
}
