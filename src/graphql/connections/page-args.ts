import 'reflect-metadata';
import { ArgsType, Field, Int } from 'type-graphql';
import { DEFAULT_PAGE_SIZE } from '../../paging/index.js';

/** Arguments of a connection. `pageRequest` makes a page request of them. */
@ArgsType()
export class PageArgs {
  @Field(() => Int, {
    nullable: true,
    defaultValue: DEFAULT_PAGE_SIZE,
    description:
      'How many entries at most, from the beginning or after `after`; 1 to 1,000. Null for 100, and where `last` is ' +
      'given.',
  })
  first!: number | null;

  @Field(() => String, { nullable: true, description: 'The cursor after which to go on; null for the beginning.' })
  after?: string | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'How many entries at most, from the end or before `before`; 1 to 1,000, and not together with `first`. Null to ' +
      'read from the beginning.',
  })
  last?: number | null;

  @Field(() => String, { nullable: true, description: 'The cursor before which to stop; null for the end.' })
  before?: string | null;
}
