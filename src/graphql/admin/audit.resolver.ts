import { Args, ArgsType, Ctx, Field, FieldResolver, ObjectType, Query, Resolver, Root } from 'type-graphql';
import { listAuditEvents, type AuditDetail, type AuditEventView, type UserView } from '../../accounts/index.js';
import type { ConnectionPage } from '../../paging/index.js';
import { UserType } from '../accounts/user.type.js';
import { createConnectionType } from '../connection.js';
import type { RequestContext } from '../context.js';
import { PageArgs } from '../page-args.js';
import { pageRequest, Selection, type PageSelection } from '../page-selection.js';
import { PLAIN_FIELDS } from '../plain-fields.js';
import { DateTime, JSONValue, UUID } from '../scalars.js';

@ObjectType('AuditEvent', { description: 'Something that was done and matters to security.', ...PLAIN_FIELDS })
class AuditEventType {
  @Field(() => UUID, { description: 'Identifies the event.' })
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

const AuditEventConnection = createConnectionType(
  AuditEventType,
  'AuditEvent',
  'what was done that matters to security, newest first',
);

@ArgsType()
class AuditEventsArgs extends PageArgs {
  @Field(() => UUID, { nullable: true, description: 'Only what this person did, or what concerns them; null for all.' })
  userId?: string | null;
}

@Resolver(() => AuditEventType)
export class AdminAuditResolver {
  @Query(() => AuditEventConnection, {
    description: 'What was done that matters to security, newest first. Administrators only.',
  })
  auditEvents(
    @Args(() => AuditEventsArgs) args: AuditEventsArgs,
    @Selection() selection: PageSelection,
    @Ctx() { accounts, actor }: RequestContext,
  ): Promise<ConnectionPage<AuditEventView>> {
    return listAuditEvents(accounts, actor, pageRequest(args, selection));
  }

  @FieldResolver(() => UserType, {
    nullable: true,
    description: 'Who did it; null for the command line and the clock, and when the account is gone.',
  })
  async actor(@Root() { actorId }: AuditEventView, @Ctx() { accounts }: RequestContext): Promise<UserView | null> {
    return actorId === null ? null : accounts.loaders.user(actorId);
  }

  @FieldResolver(() => UserType, {
    nullable: true,
    description: 'Whose account it concerns; null when it concerns none, and when that is gone.',
  })
  async subject(@Root() { subjectId }: AuditEventView, @Ctx() { accounts }: RequestContext): Promise<UserView | null> {
    return subjectId === null ? null : accounts.loaders.user(subjectId);
  }
}
