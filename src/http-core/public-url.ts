/**
 * The URL under which clients reach the service. Every URL and path in a response or a mail is made here.
 *
 * Its path, the base path, is removed from requests. Therefore a proxy may forward it or remove it.
 */
export class PublicUrl {
  /** Without a slash at its end. */
  readonly href: string;
  /** Empty, or a path without a slash at its end. */
  readonly basePath: string;

  /** @param href an HTTP URL without query and fragment */
  constructor(href: string) {
    const { origin, pathname } = new URL(href);
    this.basePath = pathname.replace(/\/+$/, '');
    this.href = origin + this.basePath;
  }

  /** Returns the URL of a path of the service. */
  urlOf(path: string): string {
    return this.href + path;
  }

  /** Returns a path of the service as clients request it. */
  pathOf(path: string): string {
    return this.basePath + path;
  }

  /**
   * Removes the base path from the target of a request in origin form. Returns any other target unchanged.
   */
  withoutBasePath(target: string): string {
    const { basePath } = this;
    if (basePath === '' || !target.startsWith(basePath)) return target;
    const rest = target.slice(basePath.length);
    if (rest === '' || rest.startsWith('?')) return `/${rest}`;
    return rest.startsWith('/') ? rest : target;
  }
}
