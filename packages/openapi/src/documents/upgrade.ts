import { upgrade as upgradeTo } from '@scalar/openapi-upgrader';
import { UnreadableSpecification } from '../text/unreadable.js';
import { isMembers, type Members } from '../text/values.js';

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

/** @throws UnreadableSpecification for what is no specification */
export function requireSpecification(value: unknown): Members {
  if (!isMembers(value)) throw new UnreadableSpecification('It is no object');
  const { openapi, swagger } = value;
  // YAML reads 2.0 without quotes as a number.
  const isKnown =
    /^3\.\d/.test(typeof openapi === 'number' ? openapi.toFixed(1) : String(openapi)) ||
    String(swagger) === '2.0' ||
    swagger === 2;
  if (!isKnown) throw new UnreadableSpecification('It is neither OpenAPI 3 nor Swagger 2.0');
  if (typeof openapi === 'number') return { ...value, openapi: openapi.toFixed(1) };
  return swagger === 2 ? { ...value, swagger: '2.0' } : value;
}
