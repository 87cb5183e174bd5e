import {
  AppError,
  type ConfigurationValues,
  type ErrorDetail,
  type IntegrationConfiguration,
} from '@scriptorium/contracts';

/** What an integration declares about a configuration; `undefined`: nothing. */
export type Declared = IntegrationConfiguration | undefined;

type Property = Extract<IntegrationConfiguration, { properties: object }>['properties'][string];

/**
 * The configuration after a user has changed it: what they see is replaced as a whole, and what only the script of the
 * integration writes stays.
 * @throws AppError `configuration_invalid` naming each property that does not fit
 */
export function changedByUser(
  declared: Declared,
  { before, wanted }: { before: ConfigurationValues; wanted: ConfigurationValues },
): ConfigurationValues {
  const given = Object.entries(wanted).filter(([, value]) => value !== null);
  requireFitting(given.flatMap(([name, value]) => problemsOf(declared, name, value)));
  const kept = Object.entries(before).filter(([name]) => !isSeen(propertyOf(declared, name)));
  return Object.fromEntries([...kept, ...given]);
}

/**
 * The configuration as the script of the integration replaces it, as a whole. It may have properties that nothing
 * declares.
 * @throws AppError `configuration_invalid` naming each property that does not fit
 */
export function changedByScript(declared: Declared, wanted: ConfigurationValues): ConfigurationValues {
  const given = Object.entries(wanted).filter(([, value]) => value !== null);
  const seen = given.filter(([name]) => isSeen(propertyOf(declared, name)));
  requireFitting(seen.flatMap(([name, value]) => problemsOf(declared, name, value)));
  return Object.fromEntries(given);
}

/** What users see: declared properties, with their defaults, without what the script writes. */
export function seenByUser(declared: Declared, values: ConfigurationValues): ConfigurationValues {
  return Object.fromEntries(
    Object.entries(propertiesOf(declared)).flatMap(([name, property]) => {
      if (!isSeen(property)) return [];
      const value = Object.hasOwn(values, name) ? values[name] : defaultOf(property);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** The declared properties that have a value. */
export function setIn(declared: Declared, values: ConfigurationValues): string[] {
  return Object.keys(propertiesOf(declared)).filter((name) => Object.hasOwn(values, name));
}

function propertiesOf(declared: Declared): Readonly<Record<string, Property>> {
  return declared !== undefined && 'properties' in declared ? declared.properties : {};
}

function propertyOf(declared: Declared, name: string): Property | undefined {
  const properties = propertiesOf(declared);
  return Object.hasOwn(properties, name) ? properties[name] : undefined;
}

function isSeen(property: Property | undefined): boolean {
  return property !== undefined && property.type !== 'button';
}

function defaultOf(property: Property): unknown {
  return property.type === 'button' ? undefined : property.default;
}

function problemsOf(declared: Declared, name: string, value: unknown): ErrorDetail[] {
  const path = `body.configuration.${name}`;
  const property = propertyOf(declared, name);
  if (property === undefined) return [{ path, message: undeclared(declared) }];
  if (property.type === 'button') return [{ path, message: 'Only the integration itself sets it' }];
  if (typeof value !== property.type) return [{ path, message: `Must be a ${property.type}` }];
  if (property.type !== 'string' || property.enum === undefined || property.enum.includes(String(value))) return [];
  return [{ path, message: `Must be one of ${property.enum.join(', ')}` }];
}

function undeclared(declared: Declared): string {
  const names = Object.entries(propertiesOf(declared)).flatMap(([name, one]) => (isSeen(one) ? [name] : []));
  const known = names.length === 0 ? 'no property' : names.join(', ');
  return `The integration does not declare it; what can be set here: ${known}`;
}

function requireFitting(problems: readonly ErrorDetail[]): void {
  const [first] = problems;
  if (first !== undefined)
    throw new AppError('configuration_invalid', problems, { message: `${first.path}: ${first.message}` });
}
