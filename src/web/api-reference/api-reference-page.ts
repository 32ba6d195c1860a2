import { isRecord } from '../is-record.js';
import { keepAccessible } from './keep-accessible.js';

interface PageOptions {
  /** Path of the OpenAPI document. */
  readonly document: string;
  /** Path that all paths of the service begin with; empty for the root. */
  readonly basePath: string;
  readonly tokenPath: string;
}

/** Defined by the script of `@scalar/fastify-api-reference`, which the page loads first. */
declare const Scalar: { createApiReference(root: HTMLElement, configuration: object): unknown };

const root = document.getElementById('root');
if (root === null) throw new Error('Page has no #root');
const options = readOptions(root);
// The origin of the page may differ from that of the public URL: 127.0.0.1 instead of localhost, for example.
const tokenUrl = location.origin + options.tokenPath;

Scalar.createApiReference(root, {
  url: options.document,
  servers: [{ url: location.origin + options.basePath }],
  authentication: {
    preferredSecurityScheme: 'login',
    securitySchemes: { login: { flows: { password: { tokenUrl, refreshUrl: tokenUrl } } } },
  },
  // Tokens and passwords are kept in memory only.
  persistAuth: false,
  // Nothing is loaded from other hosts, nor offered there.
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  // The settings of the visitor's system decide.
  hideDarkModeToggle: true,
  documentDownloadType: 'direct',
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  modelsSectionLabel: 'Schemas',
  orderSchemaPropertiesBy: 'preserve',
  orderRequiredPropertiesFirst: false,
});
keepAccessible(document.body);

function readOptions(element: HTMLElement): PageOptions {
  const value: unknown = JSON.parse(element.dataset.options ?? '');
  if (isPageOptions(value)) return value;
  throw new Error('Page has no options');
}

function isPageOptions(value: unknown): value is PageOptions {
  return isRecord(value) && 'document' in value && 'basePath' in value && 'tokenPath' in value;
}
