import { Field, ID, InterfaceType } from 'type-graphql';

/**
 * A source object of this interface is an instance of the class of its object type, which tells the type.
 *
 * Reason: type-graphql (2.0.0-rc.4) makes each `resolveType` asynchronous, and graphql-jit (0.8.7) calls it
 * synchronously.
 */
@InterfaceType('Node', { description: 'An object with an id of its own, by which `node` and `nodes` read it again.' })
export abstract class NodeType {
  @Field(() => ID, {
    description: 'Identifies the object among all of its type: a UUID or an opaque text. It never changes.',
  })
  id!: string;
}
