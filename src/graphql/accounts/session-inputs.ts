import { Field, InputType } from 'type-graphql';
import { UUID } from '../leaf-types/scalars.js';

@InputType('RefreshTokenInput', { description: 'What a session is renewed with.' })
export class RefreshTokenInput {
  @Field(() => String, { description: 'The latest refresh token of the session.' })
  refreshToken!: string;
}

@InputType('RevokeTokenInput', { description: 'Which session to end.' })
export class RevokeTokenInput {
  @Field(() => String, {
    nullable: true,
    description:
      'A refresh token of the session, however old, or an access token of it. Null for the session that asks, which takes its access token.',
  })
  refreshToken?: string | null;

  @Field(() => Boolean, { defaultValue: false, description: 'Whether to end every session of the same person.' })
  everywhere!: boolean;
}

@InputType('RevokeSessionInput', { description: "Which of one's sessions to end." })
export class RevokeSessionInput {
  @Field(() => UUID, { description: 'The session, as `Viewer.sessions` lists it.' })
  sessionId!: string;
}
