import { setImmediate as otherWork } from 'node:timers/promises';
import { stringify } from 'yaml';

/** How deep the parts are that are written one by one: one operation, or one schema, takes some milliseconds. */
const depthOfParts = 3;

/** A document in YAML. It is written part by part, so that other requests are answered meanwhile. */
export async function inYaml(document: object, depth = depthOfParts): Promise<string> {
  let text = '';
  for (const [name, part] of Object.entries<unknown>({ ...document })) {
    if (depth > 1 && isMap(part)) {
      text += `${stringify(name).trimEnd()}:\n${indented(await inYaml(part, depth - 1))}`;
    } else {
      await otherWork();
      text += stringify({ [name]: part }, { aliasDuplicateObjects: false });
    }
  }
  return text;
}

function isMap(part: unknown): part is object {
  return typeof part === 'object' && part !== null && !Array.isArray(part) && Object.keys(part).length > 0;
}

function indented(text: string): string {
  return text.replace(/^(?=.)/gm, '  ');
}
