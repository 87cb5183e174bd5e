import * as z from 'zod';
import { MemberRole } from './access.js';
import { requestBounds } from './limits.js';

/** An identifier: letters, digits, `_` and `-`, at most 128 characters. */
export const Id = z
  .string()
  .min(1)
  .max(128)
  .regex(/^[a-zA-Z0-9_-]+$/, 'Must consist of letters, digits, _ and -');

/** `YYYY-MM-DDTHH:mm:ss.sssZ`. */
export const Timestamp = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  .meta({ format: 'date-time' });

const momentWords =
  'Must be a time such as 2026-01-31T12:00:00Z or 2026-01-31T12:00:00+01:00, in a query with %2B in the place of +';

/**
 * A moment as callers give it, as RFC 3339 says: in UTC or with an offset, with or without fractions of a second. What
 * is read from it is a `Timestamp`.
 */
export const Moment = z.iso
  .datetime({ offset: true, error: ({ code }) => (code === 'invalid_format' ? momentWords : undefined) })
  .refine((given) => timestampOf(given) !== undefined, 'Must be of the years 0000 to 9999 in UTC')
  .overwrite((given) => timestampOf(given) ?? given);

/** The same moment in UTC with milliseconds; undefined for one that has no such form. What is no time stays. */
function timestampOf(given: string): string | undefined {
  const time = Date.parse(given);
  if (Number.isNaN(time)) return given;
  const moment = new Date(time).toISOString();
  return moment.length === 24 ? moment : undefined;
}

export const Url = z.url({ protocol: /^https?$/ }).max(2048);

/** Whether an address says itself that it ends: those of files that are not public do, here and in most stores. */
export function saysItsEnd(url: string): boolean {
  return (
    URL.canParse(url) && [...new URL(url).searchParams.keys()].some((name) => /^(x-(amz|goog)-)?expires$/i.test(name))
  );
}

/** The refusal of such an address where it is to be shown for longer. */
export const endingAddress =
  'Must be an address that does not end, such as that of a file that a published page shows; this one expires';

/** The address of something that is shown for as long as it is stored. */
export const LastingUrl = Url.refine((url) => !saysItsEnd(url), endingAddress);

/** One line of text: no control characters, no unpaired surrogates, not only white space. */
export function text(min: number, max: number): z.ZodString {
  return oneLine(z.string(), min, max);
}

/** As `text`, for values that are copied from elsewhere: blanks and line ends around them are dropped. */
export function trimmedText(min: number, max: number): z.ZodString {
  return oneLine(z.string().trim(), min, max);
}

function oneLine(value: z.ZodString, min: number, max: number): z.ZodString {
  return value
    .min(min)
    .max(max)
    .refine((s) => s.isWellFormed(), 'Must be well-formed Unicode')
    .refine((s) => !/\p{Cc}/u.test(s), 'Must not contain control characters')
    .refine((s) => s === '' || s.trim() !== '', 'Must not be blank');
}

export const Email = z.email().max(254).meta({ description: 'Compared without regard to case.' });

/** A role, or null for a guest. */
export const MemberRoleOrGuest = MemberRole.nullable();

export const Location = z.object({ location: z.url() });

/** The message for a value that is no cursor, or the cursor of another list. */
export const invalidPage = 'Invalid page';

/**
 * A cursor. Only the service that signed it can check it. A value without the form of a cursor is refused here,
 * together with all other invalid fields.
 */
const Page = z
  .string()
  .max(2048, { abort: true })
  .refine((page) => /^[\w-]+\.[\da-f]{16}$/.test(page), invalidPage);

/** Query of every list. With `limit` 0 the answer has no items, only the count. */
export const paging = {
  page: Page.optional().meta({ description: 'Cursor from `next.page` of the previous page.' }),
  limit: z.int().min(0).max(requestBounds.pageSize).default(50),
};

/** Envelope of every list; `next` is omitted on the last page. */
export function listOf<T extends z.ZodType>(item: T) {
  return z.object({
    items: z.array(item),
    count: z.int().min(0),
    next: z.object({ page: z.string() }).optional(),
  });
}

export const Order = z.enum(['asc', 'desc']);
