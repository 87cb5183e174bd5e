import { pdfSettings } from './moving/pdf/pdf.settings.js';
import { analysisSettings } from './reading/analysis/analysis.settings.js';
import { translationSettings } from './moving/translations/translation.settings.js';
import { filesSettings } from './versions/files/files.settings.js';

/**
 * Settings that this service alone has, those of its domains. Light, so that a start can check them before it loads the
 * service.
 */
export const settings = { ...analysisSettings, ...filesSettings, ...pdfSettings, ...translationSettings };
