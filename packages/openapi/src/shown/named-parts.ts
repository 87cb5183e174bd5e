import { entriesOf, lineOf, members, methods, textOf } from '../text/values.js';

const most = { callbacks: 50, examples: 20, address: 2_048 };

/** A request that an API makes for one that it got. */
export interface Callback {
  name: string;
  method: string;
  /** Where it goes: an address, or an expression that finds it in the request. */
  address: string;
  title: string;
}

/** The callbacks of an operation, by their names. */
export function callbacksOf(operation: unknown): Callback[] {
  const found = entriesOf(members(operation)['callbacks']).flatMap(([name, callback]) =>
    entriesOf(callback).flatMap(([address, item]) =>
      entriesOf(item)
        .filter(([method]) => methods.has(method))
        .map(([method, own]) => ({
          name: lineOf(name),
          method: method.toUpperCase(),
          address: lineOf(address),
          title: lineOf(members(own)['summary']) || lineOf(members(own)['description']),
        })),
    ),
  );
  return found.slice(0, most.callbacks);
}

/** An example that is a document of its own. */
export interface ExternalExample {
  title: string;
  url: string;
}

/** The examples of a content that stand elsewhere. */
export function externalExamplesOf(content: unknown): ExternalExample[] {
  return entriesOf(members(content)['examples'])
    .slice(0, most.examples)
    .flatMap(([name, example]) => {
      const { externalValue, summary, value } = members(example);
      const url = textOf(externalValue).trim().slice(0, most.address);
      return url === '' || value !== undefined ? [] : [{ title: lineOf(summary) || lineOf(name), url }];
    });
}

/** Whether an address is one of the web. Others are relative to a document that readers do not know. */
export function isOfWeb(url: string): boolean {
  return /^https?:\/\//i.test(url) && URL.canParse(url);
}
