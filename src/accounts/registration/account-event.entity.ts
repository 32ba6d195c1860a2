import { Entity, Index, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

/** Something about an account that others may follow. */
@Entity({ tableName: 'account_event' })
@Index({ name: 'account_event_of_user', properties: ['userId'] })
export class AccountEvent {
  /** The id of what caused it, so that recording it twice is impossible. */
  @PrimaryKey({ type: 'uuid' })
  id!: string;

  @Property({ type: 'text' })
  kind!: 'user.registered';

  @Property({ type: 'uuid' })
  userId!: string;

  @Property({ type: 'datetime', length: 3 })
  at!: Date;
}
