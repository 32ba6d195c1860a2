import { createParameterDecorator } from 'type-graphql';
import type { GroupSelection } from '../../../../groups/index.js';
import { oncePerField } from '../../../documents/once-per-field.js';
import { selectsField } from '../../../documents/selects-field.js';

/** The fields of a group that the details contain. */
const DETAILS: readonly string[] = ['compatibilityScore', 'viewerMembership'];

/** Injects what the document selects of the group, so that a count does not read a score. */
export function SelectedOfGroup(): ReturnType<typeof createParameterDecorator> {
  return createParameterDecorator(({ info }): GroupSelection => selectionOf(info));
}

const selectionOf = oncePerField(({ fieldNodes, fragments }): GroupSelection => ({
  details: selectsField(
    fieldNodes.map(({ selectionSet }) => selectionSet),
    (name) => fragments[name],
    (name) => DETAILS.includes(name),
  ),
}));
