import type { NotificationKind } from '@scriptorium/contracts';
import { escapeHTML } from '@scriptorium/platform';
import { footer, mailTo, quoted, type Mail } from './templates.js';

/** A notification with the name of who did it. */
export interface NamedNotification {
  kind: NotificationKind;
  actor: string | undefined;
  /** The number of the change request. */
  number: number | undefined;
  url: string;
}

/**
 * What a person has not read in an organization, as text and as HTML. Names are chosen by users, so both quote them.
 */
export function notificationsMail(
  to: string,
  {
    organization,
    items,
    more,
    url,
  }: { organization: string; items: readonly NamedNotification[]; more: number; url: string },
): Mail {
  const name = quoted(organization);
  const total = items.length + more;
  const subject = `${total} unread ${total === 1 ? 'notification' : 'notifications'} of ${name}`;
  const begin = `You have not read this in the organization called ${name}:`;
  const rest = more === 0 ? [] : [`There ${more === 1 ? 'is 1 more' : `are ${more} more`}:`];
  const end = 'You are mailed at most once a day. Members change that in their notification settings.';
  const lines = items.map((item) => ({ text: sentenceOf(item), url: item.url }));
  const { text } = mailTo(to, subject, [
    begin,
    ...lines.map((line) => `- ${line.text}\n  ${line.url}`),
    ...rest.map((line) => `${line} ${url}`),
    end,
  ]);
  const html = [
    '<!doctype html>',
    '<html lang="en">',
    `<head><meta charset="utf-8"><title>${escapeHTML(subject)}</title></head>`,
    '<body>',
    `<p>${escapeHTML(begin)}</p>`,
    '<ul>',
    ...lines.map((line) => `<li><a href="${escapeHTML(line.url)}">${escapeHTML(line.text)}</a></li>`),
    '</ul>',
    ...rest.map((line) => `<p><a href="${escapeHTML(url)}">${escapeHTML(line)}</a></p>`),
    `<p>${escapeHTML(end)}</p>`,
    `<p>${escapeHTML(footer.trim())}</p>`,
    '</body>',
    '</html>',
  ].join('\n');
  return { to, subject, text, html };
}

function sentenceOf({ kind, actor, number }: NamedNotification): string {
  const who = actor === undefined ? 'Somebody' : quoted(actor);
  const request = number === undefined ? 'a change request' : `change request #${number}`;
  switch (kind) {
    case 'review_requested':
      return `${who} asks you for a review of ${request}`;
    case 'review_submitted':
      return `${who} has reviewed your ${request.replace(/^a /, '')}`;
    case 'mentioned':
      return `${who} has mentioned you in a comment${number === undefined ? '' : ` on ${request}`}`;
    case 'comment_replied':
      return `${who} has replied to a comment${number === undefined ? '' : ` on ${request}`}`;
    case 'comment_on_yours':
      return `${who} has commented on your ${request.replace(/^a /, '')}`;
    case 'change_request_merged':
      return `${who} has merged ${request}`;
    case 'change_request_conflicts':
      return `Your ${request.replace(/^a /, '')} has conflicts`;
    case 'invited':
      return `${who} has added you to the organization`;
  }
}
