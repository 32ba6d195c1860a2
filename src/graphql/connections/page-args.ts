import 'reflect-metadata';
import { ArgsType, Field, Int } from 'type-graphql';

/** Number of entries of a page without `first`. */
export const DEFAULT_PAGE_SIZE = 100;

@ArgsType()
export class PageArgs {
  @Field(() => Int, { defaultValue: DEFAULT_PAGE_SIZE, description: 'How many entries at most; 1 to 1,000.' })
  first!: number;

  @Field(() => String, { nullable: true, description: 'The cursor after which to go on; null for the beginning.' })
  after?: string | null;
}
