import { ArgsType, Field, Int } from 'type-graphql';

@ArgsType()
export class PageArgs {
  @Field(() => Int, { defaultValue: 100, description: 'How many entries at most; 1 to 1,000.' })
  first!: number;

  @Field(() => String, { nullable: true, description: 'The cursor after which to go on; null for the beginning.' })
  after?: string | null;
}
