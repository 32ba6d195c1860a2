import { Entity, Index, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

/** An event of an account, stored for consumers. */
@Entity({ tableName: 'account_event' })
@Index({ name: 'account_event_of_user', properties: ['userId'] })
export class AccountEvent {
  /** Id of the task that recorded the event, so that a retry cannot record it twice. */
  @PrimaryKey({ type: 'uuid' })
  id!: string;

  @Property({ type: 'text' })
  kind!: 'user.registered';

  @Property({ type: 'uuid' })
  userId!: string;

  @Property({ type: 'datetime', length: 3 })
  at!: Date;
}
