import { concatAST, Kind, visit, type DefinitionNode, type DocumentNode, type FragmentDefinitionNode } from 'graphql';
import { documentIdOf, type TrustedDocument } from './trusted-document.js';

/** A parsed file of GraphQL. */
export interface GraphqlFile {
  readonly file: string;
  readonly text: string;
  readonly document: DocumentNode;
}

/**
 * Creates a document for each file with an operation. It is the text of the file, followed by the definitions of the
 * fragments that it uses from other files, each on a new line and in the order of their names.
 *
 * A fragment that no other file defines, or more than one, is left out. Validation then names it.
 */
export function assembleDocuments(files: readonly GraphqlFile[]): TrustedDocument[] {
  const shared = Map.groupBy(files.flatMap(fragmentsOf), ({ name }) => name.value);
  return files.filter(hasOperation).map(({ file, text, document }) => {
    const further = missingFragments(document, shared).sort(byName);
    const whole = [text, ...further.map(sourceOf)].join('\n');
    const definitions = concatAST([document, { kind: Kind.DOCUMENT, definitions: further }]);
    return { ids: [documentIdOf(whole)], text: whole, document: definitions, origin: file };
  });
}

function fragmentsOf({ document }: Pick<GraphqlFile, 'document'>): FragmentDefinitionNode[] {
  return document.definitions.filter((each) => each.kind === Kind.FRAGMENT_DEFINITION);
}

function hasOperation({ document }: GraphqlFile): boolean {
  return document.definitions.some(({ kind }) => kind === Kind.OPERATION_DEFINITION);
}

/** The fragments that the document uses and does not define, directly or through others. */
function missingFragments(
  document: DocumentNode,
  shared: ReadonlyMap<string, readonly FragmentDefinitionNode[]>,
): FragmentDefinitionNode[] {
  const defined = new Set(fragmentsOf({ document }).map(({ name }) => name.value));
  const missing: FragmentDefinitionNode[] = [];
  const toVisit: DefinitionNode[] = [...document.definitions];
  for (const definition of toVisit) {
    for (const name of spreadsIn(definition)) {
      const [fragment, ...others] = shared.get(name) ?? [];
      if (fragment === undefined || others.length > 0 || defined.has(name)) continue;
      defined.add(name);
      missing.push(fragment);
      toVisit.push(fragment);
    }
  }
  return missing;
}

function spreadsIn(definition: DefinitionNode): string[] {
  const names: string[] = [];
  visit(definition, { FragmentSpread: ({ name }) => void names.push(name.value) });
  return names;
}

function byName(one: FragmentDefinitionNode, other: FragmentDefinitionNode): number {
  return one.name.value < other.name.value ? -1 : 1;
}

function sourceOf({ loc }: FragmentDefinitionNode): string {
  return loc?.source.body.slice(loc.start, loc.end) ?? '';
}
