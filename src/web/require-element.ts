/**
 * Finds the first element that matches the selector.
 *
 * @throws Error when the page has no such element of that type: page and script do not belong together
 */
export function requireElement<TElement extends Element>(
  selector: string,
  type: new () => TElement,
  root: ParentNode = document,
): TElement {
  const element = root.querySelector(selector);
  if (element instanceof type) return element;
  throw new Error(`Page has no ${type.name} ${selector}`);
}
