import { componentName, type Components, type Json } from './components.js';

/** Each declared parameter that is among the components, by the text of its JSON. */
type Shared = ReadonlyMap<string, string>;

/**
 * Moves parameters that operations declare alike among the components. Of parameters with one name that differ, the one
 * that most operations have is moved. The others stay where they are.
 */
export function shareParameters(paths: Readonly<Record<string, Record<string, Json>>>, components: Components): void {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const shared = mostUsed(operations.flatMap(parametersOf));
  for (const [text, name] of shared) components.parameters[name] = JSON.parse(text) as Json;
  for (const op of operations) op['parameters'] = parametersOf(op).map((parameter) => referred(parameter, shared));
}

function parametersOf(op: Json): Json[] {
  return op['parameters'] as Json[];
}

function mostUsed(parameters: readonly Json[]): Shared {
  const uses = new Map<string, { parameter: Json; times: number }>();
  for (const parameter of parameters.filter((one) => !('$ref' in one))) {
    const text = JSON.stringify(parameter);
    uses.set(text, { parameter, times: (uses.get(text)?.times ?? 0) + 1 });
  }
  const names = new Map<string, string>();
  for (const [text, { parameter, times }] of [...uses].sort(([, a], [, b]) => b.times - a.times)) {
    const name = `${componentName(String(parameter['name']))}${parameter['in'] === 'path' ? '' : 'Query'}`;
    if (times > 1 && ![...names.values()].includes(name)) names.set(text, name);
  }
  return names;
}

function referred(parameter: Json, shared: Shared): Json {
  const name = '$ref' in parameter ? undefined : shared.get(JSON.stringify(parameter));
  return name === undefined ? parameter : { $ref: `#/components/parameters/${name}` };
}
