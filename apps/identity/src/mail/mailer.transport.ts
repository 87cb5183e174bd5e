import { Readable } from 'node:stream';
import { AppError } from '@scriptorium/contracts';
import type { Scope } from '@scriptorium/platform';
import { createTransport } from 'nodemailer';
import type { MailFiles } from './mail-files.store.js';
import type { Mail } from './templates.js';

const connectWithinMs = 8_000;
const answerWithinMs = 15_000;
/** How long no mail is tried after the server did not answer. Each try would delay the other mails. */
const pauseMs = 15_000;

/** Sends mail. */
export interface Mailer {
  /**
   * Sends a mail if it is still wanted. `isWanted` is called at the last moment at which the mail can be held back.
   * Calls with the same `id` send the same mail, so servers and mail programs may drop the second.
   * @throws AppError `unavailable` when the mail was not accepted
   */
  send(id: string, mail: Mail, isWanted: () => Promise<boolean>): Promise<void>;
}

type Context = Pick<Scope, 'logger' | 'now'>;

/** Creates a mailer that uses the mail server `smtpUrl`, or writes files if there is none. */
export function createMailer(
  { logger, now }: Context,
  { smtpUrl, from }: { smtpUrl: string | undefined; from: string },
  files: MailFiles,
): Mailer {
  const writer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  const bytesOf = async (id: string, mail: Mail): Promise<Buffer> => {
    const { message } = await writer.sendMail({
      ...mail,
      from,
      messageId: `<${id}@${hostOf(from)}>`,
      date: new Date(now()),
    });
    return message as Buffer;
  };
  if (smtpUrl !== undefined) return smtpMailer(smtpUrl, from, bytesOf);
  return {
    async send(id, mail, isWanted) {
      const file = await files.keep({ id, to: mail.to, bytes: await bytesOf(id, mail), isWanted });
      // The log must contain neither the address nor the link; both are in the file.
      if (file !== null) logger.info({ file }, 'no SMTP_URL is set: a mail was written to the outbox');
    },
  };
}

function smtpMailer(url: string, from: string, bytesOf: (id: string, mail: Mail) => Promise<Buffer>): Mailer {
  const server = createTransport({
    url,
    connectionTimeout: connectWithinMs,
    greetingTimeout: connectWithinMs,
    dnsTimeout: connectWithinMs,
    socketTimeout: answerWithinMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  let pausedUntil = -Infinity;
  return {
    async send(id, mail, isWanted) {
      if (performance.now() < pausedUntil)
        throw new AppError('unavailable', [], { message: 'The mail server did not answer recently' });
      const unwanted = new Error('This mail is not wanted any more');
      let checkError: unknown;
      const failed = (error: unknown): never => {
        checkError = error;
        throw error;
      };
      const raw = readIfWanted(await bytesOf(id, mail), () => isWanted().catch(failed), unwanted);
      try {
        await server.sendMail({ envelope: { from, to: mail.to }, raw });
      } catch (error) {
        if (error === unwanted) return;
        // `isWanted` failed, which is no failure of the mail server.
        if (error === checkError) throw error;
        const { responseCode } = error as { responseCode?: number };
        if (responseCode === undefined) pausedUntil = performance.now() + pauseMs;
        // The server's own text may repeat the address.
        throw new AppError('unavailable', [], {
          message: `The mail server did not accept a mail (${responseCode ?? codeOf(error)})`,
        });
      }
    },
  };
}

/**
 * The bytes of a mail. They are read when the server is ready for them, and reading fails with `unwanted` if the mail
 * is not wanted then.
 */
function readIfWanted(bytes: Buffer, isWanted: () => Promise<boolean>, unwanted: Error): Readable {
  return Readable.from(
    (async function* () {
      if (!(await isWanted())) throw unwanted;
      yield bytes;
    })(),
  );
}

function codeOf(error: unknown): string {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : 'no answer';
}

function hostOf(from: string): string {
  return /@([A-Za-z0-9.-]+)>?\s*$/.exec(from)?.[1] ?? 'localhost';
}
