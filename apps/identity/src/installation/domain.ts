import { defineDomain } from '@scriptorium/platform';
import { InstallationController } from './installation.controller.js';

/** The first start of an installation. */
export const installation = defineDomain({ name: 'installation', controllers: [InstallationController] });
