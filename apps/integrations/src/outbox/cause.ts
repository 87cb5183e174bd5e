import type { InstallationStatus } from '@scriptorium/contracts';
import type { Target } from '../installations/index.js';
import type { Demands } from '../publishing/index.js';

/**
 * What was until then. A status that was not recorded is `null`; so is the configuration of one that had none, and it
 * is left out where it has not changed.
 */
export interface Before {
  status: InstallationStatus | null;
  configuration?: string | null;
}

/** What has happened, as far as something is delivered because of it. */
export type Cause =
  /** The installation was set up, or changed. `status`: `null` for the present one. `before`: not of a new one. */
  | { kind: 'installation_setup'; installation: string; status: InstallationStatus | null; before: Before | null }
  | { kind: 'installation_deleted'; installation: string; integration: string }
  | { kind: 'target_setup'; installation: string; target: Target; before: Before | null }
  | { kind: 'target_deleted'; installation: string; target: Target }
  /** All spaces, or all sites, are selected from here on, or not any more. */
  | { kind: 'all_selected' | 'all_deselected'; installation: string; targets: readonly Target['kind'][] }
  /** A version asks its installations for something else than the one before. */
  | { kind: 'demands_changed'; integration: string; demands: Demands; before: Demands }
  /**
   * A space or site is there, or not there any more, for all who have all of them. `organization`: the one that it has
   * left, where that is not the one in which this was recorded.
   */
  | { kind: 'place_added' | 'place_removed'; target: Target; organization?: string }
  /** A collection was deleted, with the spaces in it that were not deleted before. `at`: when. */
  | { kind: 'collection_removed'; collection: string; at: string }
  | { kind: 'content_updated'; space: string; revision: string }
  /** The visibility of a space may be another one; `null`: of any space that a site of the organization shows. */
  | { kind: 'showing_changed'; space: string | null };
