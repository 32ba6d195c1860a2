import { Field, ID, ObjectType } from 'type-graphql';
import type { AuditDetail } from '../../../accounts/index.js';
import { createConnectionType } from '../../connections/create-connection-type.js';
import { DateTime, JSONValue } from '../../leaf-types/scalars.js';

@ObjectType('AuditEvent', { description: 'Something that was done and matters to security.' })
export class AuditEventType {
  @Field(() => ID, { description: 'Identifies the event.' })
  id!: string;

  @Field(() => DateTime, { description: 'When it was done.' })
  at!: Date;

  @Field(() => String, {
    description: 'What was done: a word such as `login`, `password.changed` or `api-key.created`.',
  })
  action!: string;

  @Field(() => JSONValue, {
    nullable: true,
    description: 'Ids and words about it; null when there is nothing more to say. Never a secret.',
  })
  detail!: AuditDetail | null;
}

export const AuditEventConnection = createConnectionType(
  AuditEventType,
  'AuditEvent',
  'what was done that matters to security, newest first',
);
