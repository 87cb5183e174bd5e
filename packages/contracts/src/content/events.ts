import * as z from 'zod';
import { MemberRole } from '../kernel/access.js';
import { OrganizationMergeRules } from '../identity/organizations/organizations.js';

/*
 * Events of content that other services may consume, as they are stored: additive only. Actor, time and organization
 * are metadata. Titles stand in the streams of spaces and collections alone, which are deleted when these are purged.
 */

const id = z.string();
/** Sorts siblings, of both kinds together, as plain text. */
const order = z.string();
/** A level that is granted; `null` is a value too: no access. */
const GrantedLevel = MemberRole.nullable();
/** The level of members without a grant; `inherit`: that of the parent, at the top the role in the organization. */
const DefaultLevel = z.union([MemberRole, z.literal('inherit')]).nullable();

/** A space or collection that comes into a library. `deletedAt`: when it was deleted itself; `null` when it was not. */
const TransferredNode = z.object({
  id,
  kind: z.enum(['space', 'collection']),
  parent: id.nullable(),
  order,
  deletedAt: z.string().nullable(),
});

/**
 * Stream `content.library-<organization>`: which spaces and collections an organization has and where they stand. A
 * space or collection exists from the moment it was added here; its own stream, with the settings, begins before that.
 */
export const libraryEventSchemas = {
  /** `parent`: the collection it stands in, `null` at the top. */
  SpaceAdded: z.object({ space: id, parent: id.nullable(), order }),
  SpaceMoved: z.object({ space: id, parent: id.nullable(), order }),
  /** It can be restored for seven days. */
  SpaceDeleted: z.object({ space: id }),
  SpaceRestored: z.object({ space: id, parent: id.nullable(), order }),
  /** Nobody can restore it any more; what belongs to it is being deleted. */
  SpacePurgeBegan: z.object({ space: id }),
  SpacePurged: z.object({ space: id }),
  CollectionAdded: z.object({ collection: id, parent: id.nullable(), order }),
  CollectionMoved: z.object({ collection: id, parent: id.nullable(), order }),
  /** Everything in it, at any depth, is deleted with it. */
  CollectionDeleted: z.object({ collection: id }),
  CollectionPurgeBegan: z.object({ collection: id }),
  CollectionPurged: z.object({ collection: id }),
  /** Siblings got other sort keys, because those they had were too long. They stand in the same order as before. */
  LibraryOrderKeysChanged: z.object({ parent: id.nullable(), keys: z.array(z.object({ id, order })) }),
  /**
   * A transfer of a node, with everything in it, to the library of another organization began. Until it has ended,
   * nothing of that changes here. `parent`: the collection of the other organization to put it in.
   */
  TransferBegan: z.object({ transfer: id, node: id, to: id, parent: id.nullable() }),
  /**
   * The node that another organization (`from`) transfers here, and everything in it, belong to this one from now on.
   * `nodes` begins with it; what contains others stands before these. What was granted on them before does not count
   * any more.
   */
  TransferEntered: z.object({ transfer: id, from: id, nodes: z.array(TransferredNode) }),
  /** What another organization transfers cannot come in, so it stays there. */
  TransferRefused: z.object({ transfer: id, from: id }),
  /** Of what came in by a transfer, all streams have followed. */
  TransferSettled: z.object({ transfer: id }),
  /** A space was transferred to another organization. */
  SpaceLeft: z.object({ space: id, to: id, transfer: id }),
  /** A collection was transferred to another organization, with everything in it. */
  CollectionLeft: z.object({ collection: id, to: id, transfer: id }),
  /** A transfer ended, and everything stays here. */
  TransferAbandoned: z.object({ transfer: id }),
  /** The organization was deleted, and everything in its library with it, for good. */
  LibraryClosed: z.object({}),
};

/** Stream `content.space-<id>`: settings and grants of a space. */
export const spaceEventSchemas = {
  SpaceCreated: z.object({
    organization: id,
    title: z.string(),
    emoji: z.string().nullable(),
    language: z.string().nullable(),
    editMode: z.enum(['live', 'locked']),
  }),
  SpaceRenamed: z.object({ title: z.string() }),
  SpaceEmojiChanged: z.object({ emoji: z.string().nullable() }),
  SpaceIconChanged: z.object({ icon: z.string().nullable() }),
  SpaceLanguageChanged: z.object({ language: z.string().nullable() }),
  SpaceLocked: z.object({}),
  SpaceUnlocked: z.object({}),
  /** `null`: those of the organization. */
  SpaceMergeRulesChanged: z.object({ rules: OrganizationMergeRules.shape.rules.nullable() }),
  SpaceDefaultLevelChanged: z.object({ level: DefaultLevel }),
  /**
   * A new grant, or another level of one that exists. It counts during this stay (`membership`) of the person in the
   * organization alone, so it ends with the membership, at once, and does not come back with the next one.
   */
  SpaceUserGrantGiven: z.object({ user: id, membership: id, level: GrantedLevel }),
  SpaceUserGrantRemoved: z.object({ user: id }),
  SpaceTeamGrantGiven: z.object({ team: id, level: GrantedLevel }),
  SpaceTeamGrantRemoved: z.object({ team: id }),
  /** The space belongs to this organization from now on. All grants on it have ended with that. */
  SpaceTransferred: z.object({ organization: id }),
  /** The content is made by this translation alone, so that nobody else changes it. */
  SpaceHeld: z.object({ translation: id }),
  /** The space is one like others again. */
  SpaceReleased: z.object({}),
};

/** Stream `content.collection-<id>`: settings and grants of a collection. */
export const collectionEventSchemas = {
  CollectionCreated: z.object({ organization: id, title: z.string(), description: z.string().nullable() }),
  CollectionRenamed: z.object({ title: z.string() }),
  CollectionDescriptionChanged: z.object({ description: z.string().nullable() }),
  CollectionDefaultLevelChanged: z.object({ level: DefaultLevel }),
  CollectionUserGrantGiven: z.object({ user: id, membership: id, level: GrantedLevel }),
  CollectionUserGrantRemoved: z.object({ user: id }),
  CollectionTeamGrantGiven: z.object({ team: id, level: GrantedLevel }),
  CollectionTeamGrantRemoved: z.object({ team: id }),
  /** The collection belongs to this organization from now on. All grants on it have ended with that. */
  CollectionTransferred: z.object({ organization: id }),
};

/** What happened in a revision, in words of the product: kind and id of what it happened to. */
const ContentEvent = z.object({
  kind: z.enum([
    'page_created',
    'page_edited',
    'page_moved',
    'page_deleted',
    'file_created',
    'file_edited',
    'file_deleted',
    'reusable_content_created',
    'reusable_content_edited',
    'reusable_content_deleted',
    'variables_edited',
  ]),
  id,
});

/** A revision of the main content of a space, and the root of its tree. */
const MainRevision = z.object({ revision: id, tree: z.string() });

/**
 * Stream `content.branch-<id>`: the main content of a space, whose id is that of the space, or the content of a change
 * request, whose id is that of the change request. Texts are not in events: `tree` names the content among the objects
 * of the pool.
 */
export const branchEventSchemas = {
  /**
   * `pool`: the space in which the history began; its objects are there. `from`: the revision at which the branch
   * begins.
   */
  BranchOpened: z.object({ space: id, pool: id, from: MainRevision.nullable() }),
  RevisionCreated: z.object({
    space: id,
    revision: id,
    /** Counts the revisions of the branch, from 1. */
    number: z.int(),
    /** The revisions it was made of: none for the first one, two for a merge and an update. */
    parents: z.array(id),
    tree: z.string(),
    type: z.enum(['edits', 'merge', 'rollback', 'update', 'computed']),
    /** The change request that was merged. */
    mergedFrom: id.nullable(),
    /** What the revision has. */
    counts: z.object({ pages: z.int(), files: z.int(), reusableContents: z.int(), variables: z.int() }),
    /** At most 100; `more` counts the others. */
    changes: z.array(ContentEvent),
    more: z.int(),
  }),
  /**
   * A change request took over the main content up to the revision `ancestor`. `conflicts` names the object with what
   * both had changed in ways that exclude each other; `null` when there was nothing of that kind. Until these are
   * resolved, `ancestor` does not count as taken over.
   */
  BranchUpdated: z.object({ space: id, ancestor: MainRevision, conflicts: z.string().nullable() }),
  /**
   * Conflicts of a change request were resolved. `left` names the object with the others; `null` when there are none.
   */
  BranchConflictsResolved: z.object({ space: id, left: z.string().nullable() }),
  /**
   * A change request was merged: the main content has it from this revision on. The change request takes no content any
   * more. `attempt` is the one that collaboration named.
   */
  BranchMerged: z.object({ space: id, ...MainRevision.shape, attempt: id }),
  /** A merged change request takes content again. It goes on from the revision that it was merged into. */
  BranchReopened: z.object({ space: id }),
};
