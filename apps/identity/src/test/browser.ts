import type { Answer, Rig, Send } from './rig.js';

/** A client that behaves like a browser: it keeps the session cookie and sends the origin of the pages. */
export interface Visitor {
  send(method: string, path: string, options?: Send): Promise<Answer>;
  /** The text of the session cookie, or an empty text. */
  cookie(): string;
  keep(cookie: string): void;
}

export const origin = 'https://docs.example';

export function visitor(rig: Pick<Rig, 'send'>): Visitor {
  let kept = '';
  return {
    cookie: () => kept,
    keep: (cookie) => void (kept = cookie),
    async send(method, path, options = {}) {
      const cookie: Record<string, string> = kept === '' ? {} : { cookie: `other=1; scriptorium_session=${kept}` };
      const answer = await rig.send(method, path, {
        token: null,
        ...options,
        headers: { origin, ...cookie, ...options.headers },
      });
      const set = /^scriptorium_session=([^;]*)/.exec(answer.headers.get('set-cookie') ?? '');
      if (set !== null) kept = set[1] ?? '';
      return answer;
    },
  };
}
