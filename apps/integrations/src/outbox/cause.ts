import type { InstallationStatus } from '@scriptorium/contracts';
import type { Target } from '../installations/index.js';

/** What has happened, as far as something is delivered because of it. */
export type Cause =
  /** The installation was set up, or changed. `before`: its status and configuration until then, unless it is new. */
  | {
      kind: 'installation_setup';
      installation: string;
      status: InstallationStatus;
      before: { status: InstallationStatus | null; configuration: string | null } | null;
    }
  | { kind: 'installation_deleted'; installation: string; integration: string }
  | {
      kind: 'target_setup';
      installation: string;
      target: Target;
      before: { status: InstallationStatus | null; configuration: string | null } | null;
    }
  | { kind: 'target_deleted'; installation: string; target: Target }
  /** All spaces, or all sites, are selected from here on. */
  | { kind: 'all_selected'; installation: string; targets: readonly Target['kind'][] }
  /** A space or site is there, or not there any more, for all who have all of them. */
  | { kind: 'place_added' | 'place_removed'; target: Target }
  | { kind: 'content_updated'; space: string; revision: string };
