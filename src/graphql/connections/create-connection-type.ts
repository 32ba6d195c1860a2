import { Field, Int, ObjectType, type ClassType } from 'type-graphql';

@ObjectType('PageInfo', { description: 'Where a page stands in its list.' })
class PageInfoType {
  @Field(() => Boolean, { description: 'Whether more follows after `endCursor`.' })
  hasNextPage!: boolean;

  @Field(() => Boolean, { description: 'Whether the page begins after the first entry of the list.' })
  hasPreviousPage!: boolean;

  @Field(() => String, { nullable: true, description: 'The cursor of the first entry; null on an empty page.' })
  startCursor!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The cursor of the last entry, to be sent as `after`; null on an empty page.',
  })
  endCursor!: string | null;
}

/**
 * Creates the Relay connection and edge types of one node type.
 *
 * @param name the prefix of the type names: `Member` gives `MemberConnection` and `MemberEdge`
 * @param of the content of the list, for the descriptions
 */
export function createConnectionType(nodeType: ClassType, name: string, of: string): ClassType {
  @ObjectType(`${name}Edge`, { description: `One of ${of}, with its place in the list.` })
  class Edge {
    @Field(() => String, { description: 'Its place in the list; opaque.' })
    cursor!: string;

    @Field(() => nodeType, { description: 'The entry itself.' })
    node!: unknown;
  }

  @ObjectType(`${name}Connection`, { description: `A page of ${of}.` })
  class Connection {
    @Field(() => Int, { description: 'How many there are in all, over every page.' })
    totalCount!: number;

    @Field(() => [Edge], { description: 'The entries of this page with their cursors.' })
    edges!: Edge[];

    @Field(() => [nodeType], { description: 'The entries of this page.' })
    nodes!: unknown[];

    @Field(() => PageInfoType, { description: 'Where this page stands in the list.' })
    pageInfo!: PageInfoType;
  }

  return Connection;
}
