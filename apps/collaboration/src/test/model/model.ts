import type { Answer, Person, Rig } from '../rig.js';
import type { Snapshot } from './content.js';

/** People by their level in all spaces. `owner` is an admin. */
export const levels = { ann: 'edit', bob: 'edit', rev: 'review', cy: 'comment', reader: 'read' } as const;
export type Name = keyof typeof levels | 'owner';

export type Status = 'draft' | 'open' | 'archived' | 'merged';
export type Rule =
  | 'require_at_least_one_review'
  | 'require_at_least_one_approved_review'
  | 'require_all_reviews_approved'
  | 'require_up_to_date_change_request'
  | 'require_change_request_subject'
  | 'require_author_to_merge';

export interface ModelRequest {
  id: string;
  path: string;
  number: number;
  author: Name;
  status: Status;
  subject: string;
  head: Snapshot;
  /** The main content that it has taken over. */
  base: Snapshot;
  /** Conflicts that are not resolved, and the main content that counts as taken over when they are. */
  pending: { conflicts: ReadonlySet<string>; base: Snapshot } | null;
  /** The main content that it was merged into. */
  merged: Snapshot | null;
  reviews: { by: Name; status: 'approved' | 'changes-requested'; revision: string }[];
  /** Who is asked for a review, and by whom. */
  requested: Map<Name, Name>;
  comments: { id: string; by: Name; isOpen: boolean }[];
  /** How often somebody did something, by `<name> <action>`. */
  contributions: Map<string, number>;
}

/** The expected state of a space: the rules of the contract over plain values, without history, processes or time. */
export interface Model {
  path: string;
  main: Snapshot;
  requests: ModelRequest[];
  rules: readonly Rule[];
  isDeleted: boolean;
  /** How many words were made, so that no two are the same. */
  words: number;
}

/** The product under test. */
export interface Real {
  rig: Rig;
  people: Readonly<Record<Name, Person>>;
  /** What was sent and answered so far. */
  log: string[];
}

export async function send(
  { rig, people, log }: Real,
  who: Name,
  request: { method: string; path: string; body?: object | undefined },
): Promise<Answer> {
  const { method, path, body } = request;
  const answer = await rig.send(method, path, {
    token: people[who].token,
    ...(body === undefined ? {} : { body }),
  });
  const reason = answer.status < 300 ? '' : ` ${JSON.stringify(answer.body)}`;
  log.push(`${who} ${method} ${path} ${JSON.stringify(body) ?? ''}: ${answer.status}${reason}`);
  return answer;
}

const ladder = ['read', 'comment', 'edit', 'review', 'admin'];

export function mayAtLeast(who: Name, level: 'read' | 'comment' | 'edit' | 'review' | 'admin'): boolean {
  const own = who === 'owner' ? 'admin' : levels[who];
  return ladder.indexOf(own) >= ladder.indexOf(level);
}

/** The main content that counts as taken over when something is merged now. */
export function takenFrom({ pending, base }: ModelRequest): Snapshot {
  return pending?.base ?? base;
}

/** Whether the space has what the change request has not taken over. */
export function isOutdated({ main }: Model, { status, base }: ModelRequest): boolean {
  return status !== 'merged' && main.revision !== base.revision;
}

export function contributed(request: ModelRequest, who: Name, action: 'edit' | 'comment' | 'review'): void {
  const key = `${who} ${action}`;
  request.contributions.set(key, (request.contributions.get(key) ?? 0) + 1);
}

/** The latest review of everybody. */
export function latestReviews({ reviews }: ModelRequest): ModelRequest['reviews'] {
  return [...new Map(reviews.map((review) => [review.by, review])).values()];
}

export function isRefusedBy(rule: Rule, model: Model, request: ModelRequest, who: Name): boolean {
  const latest = latestReviews(request);
  const present = latest.filter(({ revision }) => revision === request.head.revision);
  switch (rule) {
    case 'require_at_least_one_review':
      return latest.length === 0;
    case 'require_at_least_one_approved_review':
      return present.every(({ status }) => status !== 'approved');
    case 'require_all_reviews_approved':
      return present.some(({ status }) => status !== 'approved');
    case 'require_up_to_date_change_request':
      return isOutdated(model, request);
    case 'require_change_request_subject':
      return request.subject === '';
    case 'require_author_to_merge':
      return request.author !== who;
  }
}
