import { Email, text } from '@scriptorium/contracts';
import * as z from 'zod';
import { readAs } from './read-as.js';
import { refusal } from './refusal.js';
import type { Fields } from './resource.js';
import { noteWrong, type Asked } from './wrong.js';

const Name = text(1, 256);

const User = z.object({
  userName: text(1, 254),
  externalId: Name.optional(),
  displayName: Name.optional(),
  name: z.object({ formatted: Name.optional(), givenName: Name.optional(), familyName: Name.optional() }).default({}),
  active: z.boolean().optional(),
  emails: z
    .array(z.object({ value: Email.optional(), type: z.string().optional(), primary: z.boolean().optional() }))
    .max(50)
    .default([]),
});

/** A user as the identity provider wants it. */
export type UserWish = z.output<typeof User>;

const Group = z.object({
  displayName: text(1, 64),
  externalId: Name.optional(),
  members: z.array(z.object({ value: z.string().min(1).max(128) })).default([]),
});

/** A group as the identity provider wants it. */
export type GroupWish = z.output<typeof Group>;

/** @throws AppError `invalid_request` that names the attributes which are missing or not valid */
export function readUser({ fields, wrong }: Asked): UserWish {
  return readAs(User, withoutBlanks(fields), 'invalidValue', wrong);
}

/**
 * As `readUser`, of a user who has this address.
 * @throws AppError `invalid_request` that names what is missing or not valid, and an address that is another one
 */
export function readChangedUser({ fields, wrong }: Asked, email: string): UserWish {
  const { success, data: emails = [] } = User.shape.emails.safeParse(fields['emails']);
  if (success && emails.length > 0 && !emails.some(({ value }) => value?.toLowerCase() === email))
    noteWrong(wrong, 'emails', cannotChange, 'mutability');
  return readUser({ fields, wrong });
}

const cannotChange = 'must have the address of the account, which cannot be changed: delete the user, create another';

/** @throws AppError `invalid_request` that names the attributes which are missing or not valid */
export function readGroup({ fields, wrong }: Asked): GroupWish {
  return readAs(Group, withoutBlanks(fields), 'invalidValue', wrong);
}

/** Providers send empty texts for what they do not know. */
function withoutBlanks(fields: Fields): Fields {
  const known = (value: unknown): unknown =>
    typeof value === 'object' && value !== null && !Array.isArray(value) ? withoutBlanks(value as Fields) : value;
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value === '' ? [] : [[name, known(value)] as const])),
  );
}

/** The address of a new user: the primary one, that for work, the first, or the name if that is an address. */
export function addressOf({ emails, userName }: UserWish): string {
  const found =
    emails.find(({ primary }) => primary === true) ??
    emails.find(({ type }) => type?.toLowerCase() === 'work') ??
    emails.find(({ value }) => value !== undefined);
  const address = Email.safeParse(found?.value ?? userName);
  if (!address.success) throw refusal('invalidValue', 'emails: a user needs an e-mail address');
  return address.data.toLowerCase();
}

const longestName = 64;

/** The name that others see of a new user. */
export function displayNameOf({ displayName, name, userName }: UserWish): string {
  const parts = [name.givenName, name.familyName].filter((part) => part !== undefined).join(' ');
  const [first] = [displayName, name.formatted, parts, userName.split('@')[0]].filter(
    (each) => each !== undefined && each !== '',
  );
  return [...(first ?? userName)].slice(0, longestName).join('').trim();
}
