import { requireElement } from '../require-element.js';

/** Options of Monaco: long lines are wrapped, and an empty last line has no number. */
const EDITOR_OPTIONS = { wordWrap: 'on', renderFinalNewline: 'off' };
/** Classes of the body for a theme that is chosen in the settings of GraphiQL. */
const CHOSEN_THEME = '.graphiql-light, .graphiql-dark';

/** The part of Monaco, the editor of GraphiQL, that this module uses. Monaco sets it for `globalAPI`. */
declare const monaco: {
  readonly editor: {
    getModels(): readonly { readonly uri: { readonly path: string }; setValue(text: string): void }[];
    onDidCreateEditor(listener: (editor: { updateOptions(options: object): void }) => void): unknown;
    setTheme(name: string): void;
  };
};

export interface TabContent {
  readonly query: string;
  /** JSON; empty for none. */
  readonly variables: string;
}

/** Sets the options of all editors that are created from now on, and their theme when that of the system changes. */
export function configureEditors(): void {
  monaco.editor.onDidCreateEditor((editor) => {
    editor.updateOptions(EDITOR_OPTIONS);
  });
  // GraphiQL reads the theme of the system once.
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', ({ matches }) => {
    if (!document.body.matches(CHOSEN_THEME)) monaco.editor.setTheme(matches ? 'graphiql-DARK' : 'graphiql-LIGHT');
  });
}

/**
 * Opens a new tab of GraphiQL with an operation and its variables.
 *
 * GraphiQL has no interface for this: its own plugins set the text of the editors too.
 */
export function openTab({ query, variables }: TabContent): void {
  requireElement('.graphiql-tab-add', HTMLButtonElement).click();
  setEditor('variables.json', variables);
  setEditor('operation.graphql', query);
}

function setEditor(file: string, text: string): void {
  const model = monaco.editor.getModels().find(({ uri }) => uri.path.endsWith(file));
  if (model === undefined) throw new Error(`GraphiQL has no editor of ${file}`);
  model.setValue(text);
}
