import * as z from 'zod';
import { text } from '../kernel/common.js';
import { integrationBounds } from './bounds.js';

const common = { title: text(0, 50).optional(), description: text(0, 100).optional() };
/** An address, also one below that of the integration. */
const address = z.string().min(1).max(2048);

/** A property of a configuration. A `button` is set by the script of the integration alone. */
export const ConfigurationProperty = z
  .discriminatedUnion('type', [
    z.object({
      ...common,
      type: z.literal('string'),
      default: z.string().max(2048).optional(),
      completion_url: address.optional(),
      enum: z.array(z.string().max(256)).max(100).optional(),
    }),
    z.object({ ...common, type: z.literal('number'), default: z.number().optional() }),
    z.object({ ...common, type: z.literal('boolean'), default: z.boolean().optional() }),
    z.object({ ...common, type: z.literal('button'), callback_url: address, button_text: z.string().max(100) }),
  ])
  .meta({ id: 'IntegrationConfigurationProperty' });
export type ConfigurationProperty = z.output<typeof ConfigurationProperty>;

/** The name of a property or a secret. Objects in programs cannot have `__proto__` as a key of their own. */
export const PropertyName = z
  .string()
  .min(1)
  .max(100)
  .refine((name) => name !== '__proto__', 'Must not be __proto__');

const ConfigurationSchema = z.object({
  properties: z
    .record(PropertyName, ConfigurationProperty)
    .refine((properties) => Object.keys(properties).length <= integrationBounds.properties, {
      message: `At most ${integrationBounds.properties} properties`,
    }),
  required: z.array(PropertyName).max(integrationBounds.properties).optional(),
});

const ConfigurationComponent = z.object({ componentId: z.string().min(1).max(100) });

/** What has to be set where an integration is installed: properties, or a component of the integration that asks. */
export const IntegrationConfiguration = z
  .union([ConfigurationComponent, ConfigurationSchema])
  .refine(
    (one) => !('properties' in one) || (one.required ?? []).every((name) => Object.hasOwn(one.properties, name)),
    { message: 'Each of them must be the name of one of the properties', path: ['required'] },
  )
  .meta({ id: 'IntegrationConfiguration' });
export type IntegrationConfiguration = z.output<typeof IntegrationConfiguration>;

export const IntegrationConfigurations = z
  .object({
    account: IntegrationConfiguration.optional(),
    space: IntegrationConfiguration.optional(),
    site: IntegrationConfiguration.optional(),
  })
  .meta({ id: 'IntegrationConfigurations' });
export type IntegrationConfigurations = z.output<typeof IntegrationConfigurations>;

/** Values of a configuration, by property. */
export const ConfigurationValues = z
  .record(z.string(), z.unknown())
  .meta({ id: 'IntegrationInstallationConfiguration' });
export type ConfigurationValues = z.output<typeof ConfigurationValues>;
