import * as z from 'zod';
import { MemberRole } from './access.js';
import { requestBounds } from './limits.js';

/** Identifiers (decisions 1.1). */
export const Id = z
  .string()
  .min(1)
  .max(128)
  .regex(/^[a-zA-Z0-9_-]+$/, 'Must be an identifier');

/** `YYYY-MM-DDTHH:mm:ss.sssZ`. */
export const Timestamp = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  .meta({ format: 'date-time' });

/** A moment as callers give it: UTC, with or without fractions of a second. */
export const Moment = z.iso.datetime();

export const Url = z.url({ protocol: /^https?$/ }).max(2048);

/** One line that people typed: no control characters, no halves of surrogate pairs, not only white space. */
export function text(min: number, max: number): z.ZodString {
  return z
    .string()
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

/** What is said of a cursor that is none, or that of another list (decisions 1.1). */
export const invalidPage = 'Invalid page';

/**
 * A cursor. Whose it is can be told by the service alone, which has signed it; what has not even the form of one is refused
 * together with everything else that is wrong.
 */
const Page = z
  .string()
  .max(2048, { abort: true })
  .refine((page) => /^[\w-]+\.[\da-f]{16}$/.test(page), invalidPage);

/** Query of every list (decisions 1.1): `limit` 0 asks for the count alone. */
export const paging = {
  page: Page.optional().meta({ description: 'Cursor from `next.page` of the previous page.' }),
  limit: z.int().min(0).max(requestBounds.pageSize).default(50),
};

/** Envelope of every list; `next` is omitted on the last page (decisions 1.1). */
export function listOf<T extends z.ZodType>(item: T) {
  return z.object({
    items: z.array(item),
    count: z.int().min(0),
    next: z.object({ page: z.string() }).optional(),
  });
}

export const Order = z.enum(['asc', 'desc']);
