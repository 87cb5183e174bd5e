import { deleteAuthenticatedUser, deleteUserById, type InputOf } from '@scriptorium/contracts';
import { Announcer, Controller, Handles, ServiceContext, type Call } from '@scriptorium/platform';
import { MailFiles } from '../mail/index.js';
import { erasePerson } from './erase-person.process.js';
import { forgetErased } from './forget-erased.process.js';

@Controller()
export class ErasureController {
  constructor(
    private readonly context: ServiceContext,
    private readonly announcer: Announcer,
    private readonly files: MailFiles,
  ) {}

  @Handles(deleteAuthenticatedUser)
  eraseSelf(_input: InputOf<typeof deleteAuthenticatedUser>, call: Call) {
    return this.erase(call.principal.id, call);
  }

  @Handles(deleteUserById)
  eraseOther({ params }: InputOf<typeof deleteUserById>, call: Call) {
    return this.erase(params.userId, call);
  }

  /** When the erasure is recorded, no read model shows the person. If removing the rest fails, the reactor does it. */
  private async erase(user: string, call: Call): Promise<boolean> {
    const position = await erasePerson(call, user);
    if (call.store.dry) return true;
    this.announcer.changed(user);
    try {
      const { idempotency: answers } = this.context;
      await forgetErased({ scope: call, files: this.files, answers }, { user, position });
    } catch (error) {
      call.logger.warn(
        { err: error, requestId: call.store.context.correlation },
        'removing the rest of an erased person is left to the reactor',
      );
    }
    return true;
  }
}
