import type { GraphQLResolveInfo } from 'graphql';
import {
  Arg,
  Ctx,
  Field,
  FieldResolver,
  Float,
  ID,
  Info,
  InputType,
  Mutation,
  ObjectType,
  Resolver,
  Root,
} from 'type-graphql';
import { recordCompatibilityScore, type GroupView, type ScoreView } from '../../../../groups/index.js';
import { toIdempotentOperation } from '../../../context/idempotent-operation.js';
import type { RequestContext } from '../../../context/request-context.js';
import { UUID } from '../../../leaf-types/scalars.js';
import { encodeNodeId } from '../../../node-ids/node-id.js';
import { NotAudited } from '../../../policies/audited-as.js';
import { LimitedPerCaller } from '../../../policies/limited-per-caller.js';
import { GroupType } from '../../group/group.type.js';
import { CompatibilityScoreType } from '../compatibility-score.type.js';

@InputType('RecordCompatibilityScoreInput', { description: 'A score to store for a group.' })
class RecordCompatibilityScoreInput {
  @Field(() => UUID, { description: 'Which group.' })
  groupId!: string;

  @Field(() => Float, { description: '0 to 100 inclusive.' })
  value!: number;

  @Field(() => String, { description: 'Who or what computed it; 1 to 80 characters.' })
  source!: string;
}

@ObjectType('RecordCompatibilityScorePayload', { description: 'The group whose score was stored.' })
class RecordCompatibilityScorePayload {
  @Field(() => GroupType, { description: 'The group with its new score.' })
  group!: GroupView;
}

@Resolver(() => CompatibilityScoreType)
export class CompatibilityScoreResolver {
  @FieldResolver(() => ID, { description: 'Identifies the score among all that were written. Opaque.' })
  id(@Root() { groupId, sequence }: ScoreView): string {
    return encodeNodeId({ kind: 'score', groupId, sequence });
  }

  @NotAudited()
  @LimitedPerCaller()
  @Mutation(() => RecordCompatibilityScorePayload, {
    description:
      'Stores a score for a group; it replaces the last one. Administrators, and programs that may write scores.',
  })
  recordCompatibilityScore(
    @Arg('input', () => RecordCompatibilityScoreInput, { description: 'The score.' })
    input: RecordCompatibilityScoreInput,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RecordCompatibilityScorePayload> {
    return recordCompatibilityScore(context.groups, context.actor, input, toIdempotentOperation(context, info, input));
  }
}
