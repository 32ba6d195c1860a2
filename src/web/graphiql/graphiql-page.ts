import { isRecord } from '../is-record.js';
import { EXAMPLE_OPERATIONS, type ExampleOperation } from './example-operations.js';

interface PageOptions {
  /** URL of each web worker, by the label under which the editor asks for it. */
  readonly workers: Readonly<Record<string, string>>;
  /** Value of the `authorization` header until the visitor replaces it. */
  readonly tokenPlaceholder: string;
}

interface Tab {
  readonly query: string;
  readonly variables: string | null;
}

interface MonacoEnvironment {
  readonly globalAPI: boolean;
  readonly getWorkerUrl: (module: string, label: string) => string | undefined;
}

declare global {
  interface Window {
    MonacoEnvironment?: MonacoEnvironment;
  }
}

/** Defined by the script of `@graphql-yoga/render-graphiql`, which the page loads first. */
declare const YogaGraphiQL: { renderYogaGraphiQL(root: HTMLElement, options: object): void };

const root = document.getElementById('root');
if (root === null) throw new Error('Page has no #root');
const { workers, tokenPlaceholder, ...options } = readOptions(root);

withoutPlaceholder(tokenPlaceholder);
self.MonacoEnvironment = { globalAPI: false, getWorkerUrl: (_module, label) => workers[label] };
// The style sheet has fonts. Tabs that change their width after the first rendering move away from under the first
// click, which is then lost.
await Promise.allSettled([...document.fonts].map((font) => font.load()));
YogaGraphiQL.renderYogaGraphiQL(root, {
  ...options,
  defaultTabs: EXAMPLE_OPERATIONS.map(toTab),
  // Replaces the handler that writes each keystroke into the page's URL. A reload would send that URL, with a password
  // typed into a mutation, to the server and into logs.
  onEditQuery() {},
});

function readOptions(element: HTMLElement): PageOptions {
  const value: unknown = JSON.parse(element.dataset.options ?? '');
  if (isPageOptions(value)) return value;
  throw new Error('Page has no options');
}

function isPageOptions(value: unknown): value is PageOptions {
  return isRecord(value) && 'workers' in value && 'tokenPlaceholder' in value;
}

/**
 * Never sends the placeholder: registering and reading the schema work without a token, and fail with a wrong one.
 */
function withoutPlaceholder(placeholder: string): void {
  const send = fetch;
  globalThis.fetch = (url, init) => {
    const headers = new Headers(init?.headers);
    if (headers.get('authorization') === placeholder) headers.delete('authorization');
    return send(url, { ...init, headers });
  };
}

function toTab({ query, variables }: ExampleOperation): Tab {
  return { query, variables: variables === undefined ? null : JSON.stringify(variables, null, 2) };
}
