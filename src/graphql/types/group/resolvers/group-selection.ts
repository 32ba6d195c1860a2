import type { GraphQLResolveInfo } from 'graphql';
import { createParameterDecorator } from 'type-graphql';
import type { GroupSelection } from '../../../../groups/index.js';
import { oncePerField } from '../../../documents/once-per-field.js';
import { selectsField } from '../../../documents/selects-field.js';

/** Injects what the document selects of the group, so that a count does not read a score. */
export function SelectedOfGroup(): ReturnType<typeof createParameterDecorator> {
  return createParameterDecorator(({ info }): GroupSelection => selectionOf(info));
}

const selectionOf = oncePerField((info): GroupSelection => ({
  score: selects(info, 'compatibilityScore'),
  membership: selects(info, 'viewerMembership'),
}));

function selects({ fieldNodes, fragments }: Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments'>, field: string) {
  const selectionSets = fieldNodes.map(({ selectionSet }) => selectionSet);
  return selectsField(
    selectionSets,
    (name) => fragments[name],
    (name) => name === field,
  );
}
