import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

/** One login; access tokens name it in their `sid` claim. */
@Entity({ tableName: 'session' })
export class Session {
  @PrimaryKey({ type: 'uuid' })
  id!: string;

  @Property({ type: 'uuid' })
  userId!: string;

  @Property({ type: 'timestamptz(3)' })
  createdAt!: Date;
}
