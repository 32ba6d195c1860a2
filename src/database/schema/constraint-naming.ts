import { UnderscoreNamingStrategy } from '@mikro-orm/core';

/** Names what an entity leaves unnamed as PostgreSQL names what a migration leaves unnamed. */
export class ConstraintNaming extends UnderscoreNamingStrategy {
  override indexName(...[table, columns, type]: Parameters<UnderscoreNamingStrategy['indexName']>): string {
    return type === 'foreign' ? `${table}_${columns.join('_')}_fkey` : super.indexName(table, columns, type);
  }

  /** A reference that is mapped to a plain id is a property such as `userId`, and its column is `user_id`. */
  override joinKeyColumnName(property: string): string {
    return this.propertyToColumnName(property);
  }
}
