import type { TimerHandler } from '@scriptorium/event-sourcing';
import type { ServiceContext } from '@scriptorium/platform';
import * as z from 'zod';
import { invite } from '../invites/invite.js';
import { organizations } from '../organizations/organization.projection.js';
import { linkText, linkLifeMs, openLink } from '../sign-in/links.operational.js';
import { user } from '../users/user.js';
import { inviteLetter, linkLetter, passwordLetter, tokenLetter, type Letter } from './letters.js';
import type { PostOffice } from './post.office.js';

/** What a letter is about, by ids: name and address are looked up when it is written, so none of them waits in a queue. */
const Errand = z.discriminatedUnion('about', [
  z.object({ about: z.literal('link'), link: z.string() }),
  z.object({ about: z.literal('invite'), invite: z.string() }),
  z.object({ about: z.literal('password'), user: z.string() }),
  z.object({ about: z.literal('token'), user: z.string(), label: z.string() }),
]);
export type Errand = z.output<typeof Errand>;

const Queued = z.object({ errand: Errand, tries: z.int().min(0) });

/** The command of the timers that are letters to be sent: kept, sent by one replica, at least once. */
export const sendMail = 'send_mail';

const [second, minute, hour] = [1_000, 60_000, 3_600_000];
/** When a letter that was not taken is tried again; after the last it is given up. */
const pauses = [5 * second, 30 * second, 2 * minute, 10 * minute, hour, 4 * hour, 12 * hour, 24 * hour];

/** What letters about an invitation are found by. */
export function markOfInvite(invite: string): string {
  return `invite-${invite}`;
}

/** Queues a letter. The same id again is the same letter, as long as it waits. */
export async function queueLetter({ store, now }: ServiceContext, id: string, errand: Errand, correlation: string): Promise<void> {
  const data = { errand, tries: 0 } satisfies z.input<typeof Queued>;
  await store.timers.schedule({ id: `mail:${id}`, at: now(), command: sendMail, data, organization: null, correlation });
}

/** Writes and posts the letter of a timer. */
export function mailHandler(context: ServiceContext, office: PostOffice): TimerHandler {
  return async ({ id, data }, reaction) => {
    const { errand, tries } = Queued.parse(data);
    const letter = await write(context, errand);
    if (letter === null) return;
    // While it is on its way an invitation may be revoked, a link used, a person erased.
    const isWanted = async (): Promise<boolean> => (await write(context, errand))?.to === letter.to;
    try {
      await office.post(id.replace(/[^A-Za-z0-9]/g, '-'), letter, isWanted);
    } catch (error) {
      const pause = pauses[tries];
      const level = pause === undefined ? 'error' : 'warn';
      context.logger[level]({ err: error, mail: id, tries: tries + 1 }, pause === undefined ? 'a mail was given up' : 'a mail could not be sent yet');
      if (pause !== undefined) await reaction.schedule({ id, at: context.now() + pause, command: sendMail, data: { errand, tries: tries + 1 } });
    }
  };
}

/** Null when there is nobody to write to, or nothing to say any more. */
async function write(context: ServiceContext, errand: Errand): Promise<Letter | null> {
  switch (errand.about) {
    case 'link':
      return writeLink(context, errand.link);
    case 'invite':
      return writeInvite(context, errand.invite);
    case 'password': {
      const to = await addressOf(context, errand.user);
      return to === null ? null : passwordLetter(to, { url: page(context, '/sign-in#link') });
    }
    case 'token': {
      const to = await addressOf(context, errand.user);
      return to === null ? null : tokenLetter(to, { label: errand.label, url: page(context, '/sign-in') });
    }
  }
}

async function writeLink(context: ServiceContext, id: string): Promise<Letter | null> {
  const link = await openLink(context, id);
  const text = link === null ? null : linkText(context, link);
  if (link === null || text === null) return null;
  const to = link.user !== null ? await addressOf(context, link.user) : await invitedAddress(context, link.invite);
  const url = `${page(context, '/sign-in/link')}?link=${text}`;
  return to === null ? null : linkLetter(to, { url, purpose: link.purpose, minutes: linkLifeMs / minute });
}

async function writeInvite(context: ServiceContext, id: string): Promise<Letter | null> {
  const terms = await context.store.load(invite, id);
  if (terms.status !== 'pending') return null;
  const organization = await context.store.collection(organizations).byId(terms.organization);
  return organization === null ? null : inviteLetter(terms.email, { organization: organization.title, url: page(context, '/sign-in#link') });
}

async function addressOf({ store }: ServiceContext, id: string): Promise<string | null> {
  const person = await store.load(user, id);
  return person.status === 'active' && person.kind === 'person' ? person.email : null;
}

async function invitedAddress({ store }: ServiceContext, id: string | null): Promise<string | null> {
  if (id === null) return null;
  const terms = await store.load(invite, id);
  return terms.status === 'pending' ? terms.email : null;
}

/** A page of the gateway, which serves them beside the API. */
function page({ urls }: ServiceContext, path: string): string {
  return urls.api.replace(/\/v1$/, '') + path;
}
