/** What stands in an example for a text that only its receiver may know. */
const hidden = '…';

/** The same with every text of these properties hidden; of an address its path. */
export function withoutSecrets<T>(exchange: T, secret: readonly string[]): T {
  return secret.length === 0 ? exchange : (hide(exchange, new Set(secret)) as T);
}

function hide(node: unknown, secret: ReadonlySet<string>): unknown {
  if (Array.isArray(node)) return node.map((one) => hide(one, secret));
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([name, value]) => [name, secret.has(name) ? hiding(value) : hide(value, secret)]),
  );
}

function hiding(value: unknown): unknown {
  if (typeof value !== 'string') return {};
  // The path of an address has letters of ASCII alone.
  return URL.canParse(value) ? `${new URL(value).origin}/hidden` : hidden;
}
