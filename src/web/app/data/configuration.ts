/** What the server tells the client about itself, in the attributes of the root element. */
export interface Configuration {
  /** Path under which the service is reached; empty for the root. */
  readonly basePath: string;
  /** Path of GraphQL. */
  readonly endpoint: string;
  readonly passwordMinLength: number;
}

export function readConfiguration({ dataset }: HTMLElement): Configuration {
  const { basePath = '', endpoint = '', passwordMinLength } = dataset;
  return { basePath, endpoint, passwordMinLength: Number(passwordMinLength) };
}
