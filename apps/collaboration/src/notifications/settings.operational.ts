import { notificationKinds, type NotificationKind, type NotificationSettings } from '@scriptorium/contracts';
import type { Scope } from '@scriptorium/platform';
import type { Collection } from 'mongodb';

type Email = NotificationSettings['email'];

/** What somebody wants to be told of in an organization, as far as it is not the default. */
interface SettingsDocument {
  /** `<organization>/<user>` */
  _id: string;
  organization: string;
  user: string;
  inbox?: Partial<Record<NotificationKind, boolean>>;
  email?: Email;
}

/** A member: one person in one organization. */
export interface Person {
  organization: string;
  user: string;
}

/** What settings are chosen by: all of an organization, of a person, or of a person there. */
export type PeopleFilter = Partial<Person>;

const name = 'op_notification_settings';
export const settingsIndexes = {
  [name]: [
    { key: { user: 1 }, name: 'user' },
    { key: { organization: 1 }, name: 'organization' },
  ],
} as const;

function settings({ database }: Pick<Scope, 'database'>): Collection<SettingsDocument> {
  return database.collection<SettingsDocument>(name);
}

function keyOf({ organization, user }: Person): string {
  return `${organization}/${user}`;
}

/** The settings of a member. Unless they say otherwise, everything is shown, and mailed once a day. */
export async function settingsOf(scope: Pick<Scope, 'database'>, person: Person): Promise<NotificationSettings> {
  const found = await settings(scope).findOne({ _id: keyOf(person) });
  const inbox = Object.fromEntries(notificationKinds.map((kind) => [kind, found?.inbox?.[kind] ?? true]));
  return {
    object: 'notification-settings',
    inbox: inbox as NotificationSettings['inbox'],
    email: found?.email ?? 'daily',
  };
}

/** Whether a member has asked for mail. */
export async function hasAskedForMail(scope: Pick<Scope, 'database'>, person: Person): Promise<boolean> {
  return (await settings(scope).findOne({ _id: keyOf(person) }))?.email === 'daily';
}

/** Changes the settings of a member: what is not named stays. */
export async function changeSettings(
  scope: Pick<Scope, 'database'>,
  person: Person,
  {
    inbox = {},
    email,
  }: { inbox?: Partial<Record<NotificationKind, boolean | undefined>> | undefined; email?: Email | undefined },
): Promise<void> {
  const switched = Object.entries(inbox).filter(([, value]) => value !== undefined);
  const changed = {
    ...Object.fromEntries(switched.map(([kind, value]) => [`inbox.${kind}`, value])),
    ...(email === undefined ? {} : { email }),
  };
  if (Object.keys(changed).length === 0) return;
  await settings(scope).updateOne({ _id: keyOf(person) }, { $set: { ...person, ...changed } }, { upsert: true });
}

/** Deletes settings. */
export async function dropSettings(scope: Pick<Scope, 'database'>, of: PeopleFilter): Promise<void> {
  await settings(scope).deleteMany({ ...of });
}
