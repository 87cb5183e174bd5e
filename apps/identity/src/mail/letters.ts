/** A letter as it is written, before it has a sender. */
export interface Letter {
  to: string;
  subject: string;
  text: string;
}

/** What a link is for. */
export type LinkPurpose = 'sign-in' | 'password';

const regards = 'Nobody reads answers to this address.\n';

function letter(to: string, subject: string, paragraphs: readonly string[]): Letter {
  return { to, subject, text: [...paragraphs, regards].join('\n\n') };
}

/** The link signs in whoever opens it: the letter says so, and for how long. */
export function linkLetter(to: string, { url, purpose, minutes }: { url: string; purpose: LinkPurpose; minutes: number }): Letter {
  const [subject, what] = purpose === 'password' ? ['Set a new password', 'set a new password'] : ['Your sign-in link', 'sign in'];
  return letter(to, subject, [
    `Open this link to ${what}. It works once, within ${minutes} minutes:`,
    url,
    'If you did not ask for it, do nothing: without the link nobody gets in.',
  ]);
}

export function inviteLetter(to: string, { organization, url }: { organization: string; url: string }): Letter {
  return letter(to, `Invitation to ${organization}`, [
    `You are invited to join "${organization}". Sign in with this address to accept:`,
    url,
    'There you can have a link sent to you; you need no password. If you do not want to join, do nothing.',
  ]);
}

export function passwordLetter(to: string, { url }: { url: string }): Letter {
  return letter(to, 'Your password was changed', [
    'The password of your account was changed, and you were signed out everywhere else.',
    'If that was not you, set a new one at once:',
    url,
  ]);
}

export function tokenLetter(to: string, { label, url }: { label: string; url: string }): Letter {
  return letter(to, 'A token was made for you', [
    `An operator of this installation made an API token for your account, named "${label}". Whoever has it can act as you.`,
    'If you did not expect that, revoke it:',
    url,
  ]);
}
