import { defaultSiteStyling, type SiteCustomization } from '@scriptorium/contracts';

/** What was chosen of how something looks, in groups. */
export type Chosen = Readonly<Record<string, unknown>>;

/** How a site looks of which nothing was chosen. */
export function defaultCustomization(title: string): SiteCustomization {
  return {
    title,
    styling: defaultSiteStyling,
    internationalization: { locale: 'en' },
    favicon: {},
    header: { preset: 'default', links: [] },
    footer: { groups: [] },
    announcement: { enabled: false, message: 'Announcement', style: 'info' },
    themes: { default: 'light', toggeable: true },
    pdf: { enabled: true },
    feedback: { enabled: false },
    ai: { mode: 'none' },
    advancedCustomization: { enabled: false },
    git: { showEditLink: false },
    pageActions: { externalAI: false, markdown: true, mcp: false },
    externalLinks: { target: 'self' },
    pagination: { enabled: true },
    trademark: { enabled: true },
    privacyPolicy: {},
    socialPreview: {},
    insights: { trackingCookie: true },
    embeds: { hosts: [] },
  };
}

/** A look with what was chosen in the place of what it had, field by field of each group. */
export function withChosen(look: SiteCustomization, chosen: Chosen | undefined): SiteCustomization {
  if (chosen === undefined) return look;
  const groups = Object.entries(chosen).map(([name, value]) => [name, chosenGroup(look, name, value)]);
  return { ...look, ...(Object.fromEntries(groups) as Partial<SiteCustomization>) };
}

/** An icon replaces an emoji, and an emoji replaces an icon. */
function chosenGroup(look: SiteCustomization, name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || name === 'favicon') return value;
  const groups: Chosen = look;
  return { ...(groups[name] as object | undefined), ...value };
}

/** What was chosen, with a change of it: `null` takes a choice back, of a field or of a whole group. */
export function changedChoice(chosen: Chosen, change: Chosen): Chosen {
  const next = Object.entries({ ...chosen, ...change }).flatMap(([name, value]): [string, unknown][] => {
    if (value === undefined || value === null) return [];
    if (typeof value !== 'object') return [[name, value]];
    const fields = Object.entries({ ...(chosen[name] as object | undefined), ...value }).filter(
      ([, field]) => field !== undefined && field !== null,
    );
    return fields.length === 0 ? [] : [[name, Object.fromEntries(fields)]];
  });
  return Object.fromEntries(next);
}
