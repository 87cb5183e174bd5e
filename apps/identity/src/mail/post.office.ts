import { AppError } from '@scriptorium/contracts';
import type { ServiceContext } from '@scriptorium/platform';
import { createTransport } from 'nodemailer';
import type { Letter } from './letters.js';
import { keepLetter } from './outbox.office.js';

const connectWithinMs = 8_000;
const answerWithinMs = 15_000;
/** After a server did not answer, letters are not tried for so long: each would hold up the others. */
const restMs = 15_000;

/** Takes letters to where they go. */
export interface PostOffice {
  /**
   * Sends a letter. The same `id` again is the same letter: servers and readers may drop the repetition.
   * @throws AppError `unavailable` when it was not taken.
   */
  post(id: string, letter: Letter): Promise<void>;
}

/** By the mail server of the settings, or into the outbox folder where there is none. */
export function createPostOffice(context: Pick<ServiceContext, 'mail' | 'logger' | 'now' | 'keys'>): PostOffice {
  const { mail, logger, now } = context;
  const messageOf = (id: string, letter: Letter) => ({ ...letter, from: mail.from, messageId: `<${id}@${domainOf(mail.from)}>`, date: new Date(now()) });
  if (mail.smtpUrl === undefined) {
    const writer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
    return {
      async post(id, letter) {
        const { message } = await writer.sendMail(messageOf(id, letter));
        const file = await keepLetter(context, { id, to: letter.to, bytes: message as Buffer });
        // The letter's address and link stay in the file.
        logger.info({ file }, 'no SMTP_URL is set: a mail was written to the outbox');
      },
    };
  }
  return overSmtp(mail.smtpUrl, messageOf);
}

type Message = Letter & { from: string; messageId: string; date: Date };

function overSmtp(url: string, messageOf: (id: string, letter: Letter) => Message): PostOffice {
  const server = createTransport({
    url,
    connectionTimeout: connectWithinMs, greetingTimeout: connectWithinMs, dnsTimeout: connectWithinMs, socketTimeout: answerWithinMs,
    disableFileAccess: true, disableUrlAccess: true,
  });
  let restUntil = -Infinity;
  return {
    async post(id, letter) {
      if (performance.now() < restUntil) throw new AppError('unavailable', [], { message: 'The mail server did not answer a moment ago' });
      try {
        await server.sendMail(messageOf(id, letter));
      } catch (error) {
        const { responseCode } = error as { responseCode?: number };
        if (responseCode === undefined) restUntil = performance.now() + restMs;
        // The server's own text may repeat the address.
        throw new AppError('unavailable', [], { message: `The mail server did not take a letter (${responseCode ?? codeOf(error)})` });
      }
    },
  };
}

function codeOf(error: unknown): string {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : 'no answer';
}

function domainOf(from: string): string {
  return /@([A-Za-z0-9.-]+)>?\s*$/.exec(from)?.[1] ?? 'localhost';
}
