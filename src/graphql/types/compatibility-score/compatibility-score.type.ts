import { Field, Float, ObjectType } from 'type-graphql';
import { createConnectionType } from '../../connections/create-connection-type.js';
import { DateTime } from '../../leaf-types/scalars.js';
import { NodeType } from '../node/node.type.js';

@ObjectType('CompatibilityScore', {
  implements: NodeType,
  description: 'A stored number that says how well a group fits together. Reading never computes it.',
})
export class CompatibilityScoreType {
  @Field(() => Float, { description: '0 to 100 inclusive, exactly as it was written.' })
  value!: number;

  @Field(() => String, { description: "Who or what computed it, in the writer's own words." })
  source!: string;

  @Field(() => DateTime, { description: 'When it was written.' })
  scoredAt!: Date;

  @Field(() => Boolean, { description: 'Whether members or their answers have changed since.' })
  stale!: boolean;
}

export const CompatibilityScoreConnection = createConnectionType(
  CompatibilityScoreType,
  'CompatibilityScore',
  'the scores of a group, oldest first',
);
