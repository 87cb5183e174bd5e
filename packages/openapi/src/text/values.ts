/** An object of a document: its members by name. */
export type Members = Readonly<Record<string, unknown>>;

/** The value as an object; an empty one when it is none. */
export function members(value: unknown): Members {
  return isMembers(value) ? value : {};
}

/** Whether the value is an object, and no array. */
export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function entriesOf(value: unknown): [string, unknown][] {
  return Object.entries(members(value));
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}

const longest = { line: 250, text: 65_536 };

/** A text that can be stored: well formed, and at most 65,536 characters. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value.toWellFormed().slice(0, longest.text) : '';
}

/** A text on one line, short enough for a title. */
export function lineOf(value: unknown): string {
  return textOf(value)
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, longest.line)
    .toWellFormed();
}

/** Sets a member whose name is data of callers: `__proto__` is a member like any other. */
export function setMember(object: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}

/** Methods that a path can have. */
export const methods: ReadonlySet<string> = new Set([
  'get',
  'put',
  'post',
  'delete',
  'options',
  'head',
  'patch',
  'trace',
  'query',
]);
