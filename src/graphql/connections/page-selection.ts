import { createParameterDecorator } from 'type-graphql';
import { selectsEntries } from '../documents/selects-entries.js';

/** The part of a `PageRequest` that depends on the selected fields. */
export interface PageSelection {
  /** Only `totalCount` is selected, so no entry needs to be read. */
  readonly totalOnly: boolean;
}

/** Injects the `PageSelection` of the field. Every resolver of a connection takes it. */
export function Selection(): ReturnType<typeof createParameterDecorator> {
  return createParameterDecorator(({ info: { fieldNodes, fragments } }): PageSelection => ({
    totalOnly: !selectsEntries(
      fieldNodes.map(({ selectionSet }) => selectionSet),
      (name) => fragments[name],
    ),
  }));
}

/** Combines the arguments of a page with its selection. */
export function pageRequest<Args extends object>(args: Args, selection: PageSelection): Args & PageSelection {
  return Object.assign({}, args, selection);
}
