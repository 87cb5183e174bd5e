import { Readable } from 'node:stream';
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
   * Sends a letter, unless nobody wants it any more by then: `isWanted` is asked at the last moment at which it can be kept
   * back. The same `id` again is the same letter: servers and readers may drop the repetition.
   * @throws AppError `unavailable` when it was not taken.
   */
  post(id: string, letter: Letter, isWanted: () => Promise<boolean>): Promise<void>;
}

/** By the mail server of the settings, or into the outbox folder where there is none. */
export function createPostOffice(context: Pick<ServiceContext, 'mail' | 'logger' | 'now' | 'keys'>): PostOffice {
  const { mail, logger, now } = context;
  const writer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  const bytesOf = async (id: string, letter: Letter): Promise<Buffer> => {
    const { message } = await writer.sendMail({ ...letter, from: mail.from, messageId: `<${id}@${domainOf(mail.from)}>`, date: new Date(now()) });
    return message as Buffer;
  };
  if (mail.smtpUrl !== undefined) return overSmtp(mail.smtpUrl, mail.from, bytesOf);
  return {
    async post(id, letter, isWanted) {
      const file = await keepLetter(context, { id, to: letter.to, bytes: await bytesOf(id, letter), isWanted });
      // The letter's address and link stay in the file.
      if (file !== null) logger.info({ file }, 'no SMTP_URL is set: a mail was written to the outbox');
    },
  };
}

function overSmtp(url: string, from: string, bytesOf: (id: string, letter: Letter) => Promise<Buffer>): PostOffice {
  const server = createTransport({
    url,
    connectionTimeout: connectWithinMs, greetingTimeout: connectWithinMs, dnsTimeout: connectWithinMs, socketTimeout: answerWithinMs,
    disableFileAccess: true, disableUrlAccess: true,
  });
  let restUntil = -Infinity;
  return {
    async post(id, letter, isWanted) {
      if (performance.now() < restUntil) throw new AppError('unavailable', [], { message: 'The mail server did not answer a moment ago' });
      const unwanted = new Error('This letter is wanted no more');
      let unknown: unknown;
      const unanswered = (error: unknown): never => {
        unknown = error;
        throw error;
      };
      const raw = lastMoment(await bytesOf(id, letter), () => isWanted().catch(unanswered), unwanted);
      try {
        await server.sendMail({ envelope: { from, to: letter.to }, raw });
      } catch (error) {
        if (error === unwanted) return;
        // That nobody could tell is no fault of the mail server.
        if (error === unknown) throw error;
        const { responseCode } = error as { responseCode?: number };
        if (responseCode === undefined) restUntil = performance.now() + restMs;
        // The server's own text may repeat the address.
        throw new AppError('unavailable', [], { message: `The mail server did not take a letter (${responseCode ?? codeOf(error)})` });
      }
    },
  };
}

/** Bytes that are unanswered at again when the server is there and waits for them; fails with `unwanted`, so that it gets none. */
function lastMoment(bytes: Buffer, isWanted: () => Promise<boolean>, unwanted: Error): Readable {
  return Readable.from((async function* () {
    if (!(await isWanted())) throw unwanted;
    yield bytes;
  })());
}

function codeOf(error: unknown): string {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : 'no answer';
}

function domainOf(from: string): string {
  return /@([A-Za-z0-9.-]+)>?\s*$/.exec(from)?.[1] ?? 'localhost';
}
