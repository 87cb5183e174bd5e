import type { TimerHandler } from '@scriptorium/event-sourcing';
import { AppError } from '@scriptorium/contracts';
import type { Scope, ServiceContext } from '@scriptorium/platform';
import { countAttempt, isCounted } from '../attempts/index.js';
import type { InvitationPace } from './invitation-pace.process.js';
import { sendMail, QueuedJob, type MailJob } from './mail-job.js';
import type { Mailer } from './mailer.transport.js';
import type { Mail } from './templates.js';

/** Functions that write the mail of a job. They return null when there is no recipient or no reason any more. */
export type MailWriters = {
  readonly [About in MailJob['about']]: (scope: Scope, job: Extract<MailJob, { about: About }>) => Promise<Mail | null>;
};

const [second, minute, hour] = [1_000, 60_000, 3_600_000];
const longestWait = 24 * hour;
/** Pauses before a failed mail is tried again. After the last one the mail is given up. */
const pauses = [5 * second, 30 * second, 2 * minute, 10 * minute, hour, 4 * hour, 12 * hour, 24 * hour];

/** Queues a mail. A job replaces a waiting one with the same id. */
export async function queueMail({ store, now }: Scope, id: string, job: MailJob): Promise<void> {
  await store.in(null).schedule({ id: `mail:${id}`, at: now(), command: sendMail, data: { errand: job, tries: 0 } });
}

/**
 * Whether a digest was sent within a day. It is recorded when it was sent, so that none is lost when a process ends
 * before.
 */
export function isDigestSent(scope: Scope, id: string): Promise<boolean> {
  return isCounted(scope, { kind: 'digest', of: `mail:${id}` });
}

/** How mails are sent, and how many about invitations. */
interface Sending {
  mailer: Mailer;
  pace: InvitationPace;
}

type MailContext = Pick<ServiceContext, 'scope' | 'now' | 'logger'>;

/** Writes and sends the mail of a timer. */
export function mailHandler(context: MailContext, { mailer, pace }: Sending, writers: MailWriters): TimerHandler {
  return async ({ id, data }, store) => {
    const scope = context.scope(store);
    const { errand: job, tries, turn } = QueuedJob.parse(data);
    const isDigest = job.about === 'notifications';
    if (isDigest && (await isCounted(scope, { kind: 'digest', of: id }))) return;
    const mail = await write(scope, writers, job);
    if (mail === null) return;
    if (job.about === 'invite' && tries === 0) {
      const wait = await pauseBeforeInvitation(scope, { pace, job, hasTurn: turn === true }, mail.to);
      if (wait > 0 && job.again === true) return;
      if (wait > 0)
        return store.schedule({
          id,
          at: context.now() + wait,
          command: sendMail,
          data: { errand: job, tries, turn: true },
        });
    }
    // An invitation may be revoked, a link used or a person erased while the mail is being sent.
    const isWanted = async (): Promise<boolean> => (await write(scope, writers, job))?.to === mail.to;
    try {
      await mailer.send(id.replace(/[^A-Za-z0-9]/g, '-'), mail, isWanted);
      if (isDigest) await countAttempt(scope, { kind: 'digest', of: id });
    } catch (error) {
      const pause = pauses[tries];
      const level = pause === undefined ? 'error' : 'warn';
      context.logger[level](
        { err: error, mail: id, tries: tries + 1 },
        pause === undefined ? 'a mail was given up' : 'a mail could not be sent yet',
      );
      if (pause !== undefined)
        await store.schedule({
          id,
          at: context.now() + pause,
          command: sendMail,
          data: { errand: job, tries: tries + 1 },
        });
    }
  };
}

interface InvitationMail {
  pace: InvitationPace;
  job: Extract<MailJob, { about: 'invite' }>;
  /** Whether it has waited for its turn. */
  hasTurn: boolean;
}

/**
 * Milliseconds until an invitation may be sent to this address. Mails are counted by the user who invites, by
 * organization, and by recipient for all organizations and roles together. One that is sent again takes no turn of
 * others: it is dropped when it would have to wait.
 */
async function pauseBeforeInvitation(
  scope: Scope,
  { pace, job, hasTurn }: InvitationMail,
  recipient: string,
): Promise<number> {
  if (job.again === true && (await pace.countDelayed(scope, job, 1)) > 0) return longestWait;
  const turn = hasTurn ? 0 : await pace.takeTurn(scope, job);
  if (turn > 0) return turn;
  try {
    await countAttempt(scope, { kind: 'invited', of: recipient });
    return 0;
  } catch (error) {
    if (!(error instanceof AppError) || error.reason !== 'rate_limited') throw error;
    return (error.retryAfter ?? 1) * 1_000;
  }
}

function write(scope: Scope, writers: MailWriters, job: MailJob): Promise<Mail | null> {
  switch (job.about) {
    case 'link':
      return writers.link(scope, job);
    case 'invite':
      return writers.invite(scope, job);
    case 'password':
      return writers.password(scope, job);
    case 'token':
      return writers.token(scope, job);
    case 'notifications':
      return writers.notifications(scope, job);
  }
}
