import { parseMemberReferenceId, type Member, type Principal } from '@scriptorium/contracts';
import { keyed, mayView, type Scope } from '@scriptorium/platform';
import { memberKey, members } from '../../organization-read-models/index.js';
import { viewMember } from './member.access.js';
import type { MemberSources } from './member-sources.queries.js';
import { renderMembers } from './members.queries.js';

/**
 * Members by the ids of their references, which the answer repeats in `refs`. Unknown members and those that the caller
 * may not see are left out.
 */
export async function lookupMembers(
  scope: Scope,
  sources: MemberSources,
  caller: Principal | null,
  ids: readonly string[],
): Promise<{ items: Member[]; refs: string[] }> {
  const byOrganization = new Map<string, { ref: string; key: string }[]>();
  const wanted = await Promise.all(ids.map((ref) => visibleReference(scope, caller, ref)));
  for (const reference of wanted) {
    if (reference === undefined) continue;
    const { organizationId } = reference;
    byOrganization.set(organizationId, [...(byOrganization.get(organizationId) ?? []), reference]);
  }
  const found = await Promise.all(
    [...byOrganization.values()].map(async (references) => {
      const docs = keyed(await scope.store.read(members).byIds(references.map(({ key }) => key)));
      const there = references.filter(({ key }) => docs.has(key));
      const items = await renderMembers(
        scope,
        sources,
        there.flatMap(({ key }) => docs.get(key) ?? []),
      );
      return items.map((item, index) => ({ item, ref: there[index]?.ref ?? '' }));
    }),
  );
  return { items: found.flat().map(({ item }) => item), refs: found.flat().map(({ ref }) => ref) };
}

async function visibleReference(scope: Scope, caller: Principal | null, ref: string) {
  const names = parseMemberReferenceId(ref);
  if (caller === null || names === null || !(await mayView(scope, viewMember, caller, { ...names }))) return undefined;
  return { ref, organizationId: names.organizationId, key: memberKey(names.organizationId, names.userId) };
}
