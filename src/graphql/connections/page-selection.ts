import { Kind, type GraphQLResolveInfo } from 'graphql';
import { createParameterDecorator } from 'type-graphql';
import type { PageRequest } from '../../paging/index.js';
import { oncePerField } from '../documents/once-per-field.js';
import { selectsEntries } from '../documents/selects-field.js';
import type { PageArgs } from './page-args.js';

/** The part of a `PageRequest` that depends on the document. */
export interface PageSelection {
  /** Only `totalCount` is selected, so no entry needs to be read. */
  readonly totalOnly: boolean;
  /** Whether the caller gave `first` a value. Without one, the argument has its default. */
  readonly givesFirst: boolean;
}

/** Injects the `PageSelection` of the field. Every resolver of a connection takes it. */
export function Selection(): ReturnType<typeof createParameterDecorator> {
  return createParameterDecorator(({ info }): PageSelection => ({
    totalOnly: isTotalOnly(info),
    givesFirst: givesFirst(info),
  }));
}

const isTotalOnly = oncePerField(
  ({ fieldNodes, fragments }) =>
    !selectsEntries(
      fieldNodes.map(({ selectionSet }) => selectionSet),
      (name) => fragments[name],
    ),
);

/** Selections of one field that are merged have equal arguments, so the first one decides. */
function givesFirst({ fieldNodes: [field], variableValues }: GraphQLResolveInfo): boolean {
  const value = field?.arguments?.find(({ name }) => name.value === 'first')?.value;
  return value?.kind === Kind.VARIABLE ? variableValues[value.name.value] !== undefined : value !== undefined;
}

/** Combines the arguments of a page with its selection: the default of `first` does not compete with `last`. */
export function pageRequest<Args extends PageArgs>(args: Args, selection: PageSelection): Args & PageRequest {
  const first = selection.givesFirst || args.last == null ? args.first : null;
  return Object.assign({}, args, { first, totalOnly: selection.totalOnly });
}
