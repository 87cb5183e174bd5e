const time = '2026-01-15T09:30:00.000Z';
const timeForm = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?Z/g;
const uuidForm = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g;
const addressForm = /https?:\/\/(?:[\w.-]+\.)?(?:127\.0\.0\.1|localhost):\d+/g;
const certificateForm = /(?<=-----BEGIN CERTIFICATE-----\n)[^-]+(?=\n-----END)/g;
/** The names of integrations that clients publish end with what is random. */
const integrationForm = /\bslack-\w{8}\b/gi;
const hashForm = /\b[\da-f]{32,}\b/g;
const idForm = /\b(?=[A-Za-z]*(?:\d|[A-Z]{2}))[A-Za-z\d]{20,}\b/g;
/** How ids in examples begin; a number of two digits makes them as long as those of the product. */
const idStart = 'Sx7kQ2mB9vTz4LpW8n';
const bytesForm = /^[A-Za-z\d+/]{40,}={0,2}$/;
const bytes = 'SGVsbG8=';
const cursorForm = /^[\w-]+\.[\da-f]{16}$/;
const cursor = 'eyJzb3J0IjoiaWQifQ.0123456789abcdef';

/** Makes an example the same in every run: ids are numbered, times are one time, addresses are those of an example. */
export function tidy<T>(example: T): T {
  const numbers = new Map<string, string>();
  const numberOf = (id: string): string => {
    const number = numbers.get(id) ?? String(numbers.size + 1);
    numbers.set(id, number);
    return number;
  };
  return tidied(example, (text) => {
    if (cursorForm.test(text)) return cursor;
    if (bytesForm.test(text) && /[+/=]/.test(text)) return bytes;
    return text
      .replace(timeForm, time)
      .replace(addressForm, 'https://docs.example.com')
      .replace(/\b127\.0\.0\.1\b/g, 'www.example.com')
      .replace(certificateForm, '…')
      .replace(integrationForm, 'team-chat')
      .replace(uuidForm, (id) => `00000000-0000-4000-8000-${numberOf(id).padStart(12, '0')}`)
      .replace(hashForm, (hash) => numberOf(hash).padStart(hash.length, '0'))
      .replace(idForm, (id) => `${idStart}${numberOf(id).padStart(2, '0')}`.padEnd(id.length, 'x'));
  }) as T;
}

function tidied(node: unknown, text: (given: string) => string): unknown {
  if (typeof node === 'string') return text(node);
  // One item shows what all are like.
  if (Array.isArray(node)) return node.slice(0, 1).map((one) => tidied(one, text));
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(Object.entries(node).map(([name, value]) => [text(name), tidied(value, text)]));
}
