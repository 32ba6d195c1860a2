import { createParameterDecorator } from 'type-graphql';
import { selectsEntries } from '../documents/selects-entries.js';

/** What a connection is asked for beside its arguments, as `PageRequest` has it. */
export interface PageSelection {
  /** Nothing is selected but `totalCount`, so no entry has to be read. */
  readonly totalOnly: boolean;
}

/** Injects the `PageSelection` of the field that is resolved. Every resolver of a connection takes it. */
export function Selection(): ReturnType<typeof createParameterDecorator> {
  return createParameterDecorator(({ info: { fieldNodes, fragments } }): PageSelection => ({
    totalOnly: !selectsEntries(
      fieldNodes.map(({ selectionSet }) => selectionSet),
      (name) => fragments[name],
    ),
  }));
}

/** The arguments of a page, with what is selected of it. */
export function pageRequest<Args extends object>(args: Args, selection: PageSelection): Args & PageSelection {
  return Object.assign({}, args, selection);
}
