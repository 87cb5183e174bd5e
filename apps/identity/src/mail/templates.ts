/** A mail without its sender. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
  /** The same in HTML, of mail that has it. */
  html?: string;
}

/** What a link is for. */
export type LinkPurpose = 'sign-in' | 'password';

/** The last line of all mail. */
export const footer = 'Nobody reads answers to this address.\n';

/** A mail of paragraphs. */
export function mailTo(to: string, subject: string, paragraphs: readonly string[]): Mail {
  return { to, subject, text: [...paragraphs, footer].join('\n\n') };
}

/** The mail with a sign-in link. It says that the link signs in, and how long it works. */
export function linkMail(
  to: string,
  { url, purpose, minutes }: { url: string; purpose: LinkPurpose; minutes: number },
): Mail {
  const [subject, what] =
    purpose === 'password' ? ['Set a new password', 'set a new password'] : ['Your sign-in link', 'sign in'];
  return mailTo(to, subject, [
    `Open this link to ${what}. It works once, within ${minutes} minutes:`,
    url,
    'If you did not ask for it, do nothing: without the link nobody gets in.',
  ]);
}

const maxNameLength = 60;

/** Quotes a text that a user chose, on one line and shortened, so that nobody takes it for part of the mail itself. */
export function quoted(text: string): string {
  const line = text.replace(/[\p{C}\s"“”]+/gu, ' ').trim();
  const letters = [...line];
  return `"${letters.length > maxNameLength ? `${letters.slice(0, maxNameLength - 1).join('')}…` : line}"`;
}

export function invitationMail(to: string, { organization, url }: { organization: string; url: string }): Mail {
  const name = quoted(organization);
  return mailTo(to, `Invitation to an organization called ${name}`, [
    `You are invited to join an organization. Its admins call it ${name}. Sign in with this address to accept:`,
    url,
    'There you can have a link sent to you; you need no password. If you do not want to join, do nothing.',
  ]);
}

export function passwordMail(to: string, { url }: { url: string }): Mail {
  return mailTo(to, 'Your password was changed', [
    'The password of your account was changed, and you were signed out everywhere else.',
    'If that was not you, set a new one at once:',
    url,
  ]);
}

export function tokenMail(to: string, { label, url }: { label: string; url: string }): Mail {
  return mailTo(to, 'A token was made for you', [
    `An operator of this installation made an API token for your account, named ${quoted(label)}. Whoever has it can act as you.`,
    'If you did not expect that, revoke it:',
    url,
  ]);
}
