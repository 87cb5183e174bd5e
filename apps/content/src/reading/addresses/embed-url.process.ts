import { blaming, type UrlEmbed } from '@scriptorium/contracts';
import type { Call } from '@scriptorium/platform';
import { nameOf, readHtml } from './read-html.js';

const field = 'query.url';
const withinMs = 5_000;
const maxBytes = 4 * 1024 * 1024;

/**
 * Asks an address what it is called.
 * @throws AppError `invalid_request` for an address that is refused, `bad_gateway` for failures of the other side, both
 * naming the field
 */
export async function embedUrl({ outbound }: Pick<Call, 'outbound'>, url: string): Promise<UrlEmbed> {
  const headers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.1' };
  const answer = await outbound.fetch({ url, field, headers, maxBytes, withinMs });
  if (answer.status >= 300) throw blaming('bad_gateway', field, `The address was answered with ${answer.status}`);
  if (['text/html', 'application/xhtml+xml'].includes(answer.contentType))
    return readHtml(textOf(answer.body, answer.headers['content-type']), answer.url);
  return { type: 'link', title: nameOf(answer.url).slice(0, 300), site: new URL(answer.url).hostname };
}

/** The text of a page, by the character set that its headers name. */
function textOf(body: Buffer, contentType = ''): string {
  const [, charset = 'utf-8'] = /charset="?([\w-]{1,40})/i.exec(contentType) ?? [];
  try {
    return new TextDecoder(charset).decode(body);
  } catch {
    return body.toString('utf8');
  }
}
