import type { Scope } from '@scriptorium/platform';
import { countFree, takeTurn, type Daily } from '../attempts/index.js';

/** Who causes a mail about an invitation. */
export interface Inviting {
  /** The user who invites. */
  by?: string | undefined;
  organization?: string | undefined;
}

/** How many mails about invitations a user and an organization can cause, whoever their recipients are. */
export class InvitationPace {
  constructor(private readonly perDay: number) {}

  /** How many of so many mails would have to wait. */
  async countDelayed(scope: Scope, inviting: Inviting, mails: number): Promise<number> {
    const free = await Promise.all(this.dailies(inviting).map((daily) => countFree(scope, daily)));
    return Math.max(0, mails - Math.min(...free, mails));
  }

  /** Takes the turn of a mail, and returns how long it has to wait, in ms. */
  async takeTurn(scope: Scope, inviting: Inviting): Promise<number> {
    let wait = 0;
    for (const daily of this.dailies(inviting)) wait = Math.max(wait, await takeTurn(scope, daily));
    return wait;
  }

  private dailies({ by, organization }: Inviting): Daily[] {
    const most = this.perDay;
    return [
      ...(by === undefined ? [] : [{ kind: 'inviter' as const, of: by, most }]),
      ...(organization === undefined ? [] : [{ kind: 'inviting' as const, of: organization, most }]),
    ];
  }
}
