import { deleteAuthenticatedUser, deleteUserById, type InputOf } from '@scriptorium/contracts';
import { isDry } from '@scriptorium/event-sourcing';
import { Controller, Handles, ServiceContext, type Call } from '@scriptorium/platform';
import { PrincipalAnnouncer } from '../principals/principal.announcer.js';
import { erasePerson } from './erase-person.process.js';
import { forgetErased } from './forget-erased.process.js';

@Controller()
export class ErasureController {
  constructor(
    private readonly context: ServiceContext,
    private readonly announcer: PrincipalAnnouncer,
  ) {}

  @Handles(deleteAuthenticatedUser)
  eraseSelf(_input: InputOf<typeof deleteAuthenticatedUser>, call: Call) {
    return this.erase(call.principal.id, call);
  }

  @Handles(deleteUserById)
  eraseOther({ params }: InputOf<typeof deleteUserById>, call: Call) {
    return this.erase(params.userId, call);
  }

  /** With the record nobody knows the person any more; what the rest cannot do now, the reactor does. */
  private async erase(user: string, call: Call): Promise<boolean> {
    const command = this.context.command(call, null);
    const position = await erasePerson(this.context, user, command);
    if (isDry()) return true;
    this.announcer.changed(user);
    try {
      await forgetErased(this.context, { user, position }, command);
    } catch (error) {
      this.context.logger.warn({ err: error, requestId: call.requestId }, 'what is left of an erased person is left to the reactor');
    }
    return true;
  }
}
