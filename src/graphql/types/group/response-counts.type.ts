import { Field, Int, ObjectType } from 'type-graphql';

@ObjectType('ResponseCounts', {
  description: 'How many gave which answer, and how many invited addresses have not become members.',
})
export class ResponseCountsType {
  @Field(() => Int, { description: 'Members who have not answered.' })
  pending!: number;

  @Field(() => Int, { description: 'Members who accepted.' })
  accepted!: number;

  @Field(() => Int, { description: 'Members who may come.' })
  tentative!: number;

  @Field(() => Int, { description: 'Members who declined.' })
  declined!: number;

  @Field(() => Int, { description: 'Invited addresses that can still be claimed.' })
  openInvitations!: number;

  @Field(() => Int, { description: 'Invited addresses whose invitation has expired unanswered.' })
  lapsedInvitations!: number;
}
