import {
  mergeBranch,
  openBranch,
  readBranch,
  reopenBranch,
  updateBranch,
  writeBranch,
  type Principal,
} from '@scriptorium/contracts';
import { Controller, Handles, type Call } from '@scriptorium/platform';
import type * as z from 'zod';
import { branch as branchStream, requireRequestBranch } from '../branches/index.js';
import { changeContent } from '../changes/index.js';
import { ContentObjects } from '../object-store/index.js';
import { getBranchState } from './branch-state.queries.js';
import { mergeBranch as merge } from './merge-branch.process.js';
import { openBranch as open } from './open-branch.process.js';
import { reopenBranch as reopen } from './reopen-branch.process.js';
import { updateBranch as update } from './update-branch.process.js';
import { WritableSpaces } from './writable-spaces.process.js';

type Input<O extends { input: z.ZodType }> = z.output<O['input']>;

/**
 * What collaboration asks for its change requests. It has judged who may. Of a deleted space only the state is
 * answered.
 */
@Controller()
export class BranchesController {
  constructor(
    private readonly objects: ContentObjects,
    private readonly spaces: WritableSpaces,
  ) {}

  @Handles(openBranch)
  async open(input: Input<typeof openBranch>, call: Call<Principal | null>) {
    await open(await this.spaces.inWritableSpace(call, input.space), this.objects, input);
    return getBranchState(call, this.objects, input);
  }

  @Handles(readBranch)
  async read(input: Input<typeof readBranch>, call: Call<Principal | null>) {
    // Whoever asks decides by the answer, so it must not be an earlier state.
    await call.store.keyed(undefined).handle(branchStream, input.branch, () => [], { isLook: true });
    return getBranchState(call, this.objects, input);
  }

  @Handles(writeBranch)
  async write({ space, branch, write }: Input<typeof writeBranch>, call: Call<Principal | null>) {
    const inside = await this.spaces.inWritableSpace(call, space);
    await requireRequestBranch(call, space, branch);
    return changeContent(inside, this.objects, { space, branch }, write);
  }

  @Handles(updateBranch)
  async update(input: Input<typeof updateBranch>, call: Call<Principal | null>) {
    const inside = await this.spaces.inWritableSpace(call, input.space);
    await requireRequestBranch(call, input.space, input.branch);
    return update(inside, this.objects, input);
  }

  @Handles(mergeBranch)
  async merge(input: Input<typeof mergeBranch>, call: Call<Principal | null>) {
    return merge(await this.spaces.inWritableSpace(call, input.space), this.objects, input);
  }

  @Handles(reopenBranch)
  async reopen(input: Input<typeof reopenBranch>, call: Call<Principal | null>) {
    await reopen(await this.spaces.inWritableSpace(call, input.space), input);
    return getBranchState(call, this.objects, input);
  }
}
