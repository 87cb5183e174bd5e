import { describe, expect, it } from '@jest/globals';
import { checkScript } from './script.task.js';

const refusalOf = (script: string): string => {
  try {
    checkScript(script);
    return 'none';
  } catch (error) {
    return (error as Error).message;
  }
};

describe('a script', () => {
  it.each([
    'export default { fetch() { return new Response("hello"); } };',
    'const a = 1; export { a as default };',
    'const a = 1; export { a as "default" };',
    'export { default } from "./other.js";',
    'export default async function handle() { await 1; }\nimport.meta;',
  ])('is an ES module with a default export: %s', (script) => {
    expect(refusalOf(script)).toBe('none');
  });

  it.each([
    ['export const a = 1;', 'Must have a default export'],
    ['module.exports = {};', 'Must have a default export'],
    ['export default {', 'Is no ES module: '],
    ['with (a) { b; } export default 1;', 'Is no ES module: '],
    ['<html></html>', 'Is no ES module: '],
  ])('is refused otherwise: %s', (script, message) => {
    expect(refusalOf(script)).toContain(`body.script: ${message}`);
  });

  it('is not run', () => {
    expect(refusalOf('globalThis.wasRun = true; export default 1;')).toBe('none');
    expect('wasRun' in globalThis).toBe(false);
  });
});
