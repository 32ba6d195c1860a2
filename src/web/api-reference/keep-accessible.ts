/** Corrects elements that Scalar 1.76 renders against WAI-ARIA 1.2, by the selector that finds the wrong ones. */
const CORRECTIONS: Readonly<Record<string, (element: Element) => void>> = {
  // A text field with suggestions has the role without its required state.
  '[role=combobox]:not([aria-expanded])': (field) => {
    field.setAttribute('aria-expanded', 'false');
  },
  // A button that says it is none.
  'button[role=none]': (button) => {
    button.removeAttribute('role');
  },
  // A button that controls an element which is not rendered.
  'button[aria-controls]:not([aria-expanded=true])': (button) => {
    if (document.getElementById(button.getAttribute('aria-controls') ?? '') === null)
      button.removeAttribute('aria-controls');
  },
  // The text of a request or a response.
  '.cm-content:not([aria-label])': (text) => {
    text.setAttribute('aria-label', text.getAttribute('contenteditable') === 'true' ? 'Request body' : 'Response body');
  },
  // A long text, which the keyboard cannot scroll.
  '.cm-scroller:not([tabindex="0"])': (scroller) => {
    scroller.setAttribute('tabindex', '0');
  },
  // The page and the dialog of a request each have a list of notifications.
  '[role=dialog] section[aria-label="Notifications alt+T"]': (section) => {
    section.setAttribute('aria-label', 'Notifications of the request');
  },
  // The main part of the page stays behind that of the dialog.
  'main.references-rendered': (main) => {
    main.toggleAttribute('inert', document.querySelector('[role=dialog] main') !== null);
  },
};

/** Corrects the elements now, and whenever they are rendered again. */
export function keepAccessible(root: Element): void {
  const correct = (): void => {
    for (const [selector, apply] of Object.entries(CORRECTIONS)) root.querySelectorAll(selector).forEach(apply);
  };
  correct();
  new MutationObserver(correct).observe(root, { subtree: true, childList: true, attributes: true });
}
