import { MetadataStorage, ReferenceKind } from '@mikro-orm/core';
import { ConstraintNaming } from './constraint-naming.js';

/** The stored properties of an entity, read-only and without MikroORM's type markers. */
export type Stored<Entity> = {
  readonly [Name in keyof Entity as Name extends symbol ? never : Name]: Entity[Name];
};

/** Copies the named properties, such as those that a statement selects by `columnsSql`. */
export function pickProperties<Source extends object, Name extends keyof Source>(
  source: Source,
  names: readonly Name[],
): Pick<Source, Name> {
  const picked: Partial<Pick<Source, Name>> = {};
  for (const name of names) picked[name] = source[name];
  // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- each name was copied
  return picked as Pick<Source, Name>;
}

interface EntityClass<Entity> {
  readonly name: string;
  readonly prototype: Entity;
  readonly [MetadataStorage.PATH_SYMBOL]?: string;
}

const NAMING = new ConstraintNaming();

/**
 * SQL for the columns of an entity or embeddable, each named as its property. Embedded objects are left out, since
 * their class has columns of its own. The text is built when the module loads, so that queries pay nothing for it.
 *
 * @param alias the table's alias in the statement
 * @param names the properties to select; all by default
 * @throws Error for a property that is no column
 */
export function columnsSql<Entity extends object>(
  entity: EntityClass<Entity>,
  alias: string,
  names?: readonly (keyof Stored<Entity> & string)[],
): string {
  const columns = columnsOf(entity);
  return (names ?? [...columns.keys()])
    .map((name) => {
      const column = columns.get(name);
      if (column === undefined) throw new Error(`${entity.name} has no column for ${name}`);
      return column === name ? `${alias}.${column}` : `${alias}.${column} as "${name}"`;
    })
    .join(', ');
}

/** Columns by property, from what the decorators declare: MikroORM's own metadata is complete only after its start. */
function columnsOf(entity: EntityClass<object>): ReadonlyMap<string, string> {
  const path = entity[MetadataStorage.PATH_SYMBOL];
  if (path === undefined) throw new Error(`${entity.name} is no entity`);
  const { properties } = MetadataStorage.getMetadata(entity.name, path);
  return new Map(
    Object.entries(properties)
      .filter(([, { kind }]) => kind !== ReferenceKind.EMBEDDED)
      .map(([name, declared]) => [name, declaredColumn(declared) ?? NAMING.propertyToColumnName(name)]),
  );
}

/** The decorator's option `fieldName`, which MikroORM replaces by `fieldNames` when it starts. */
function declaredColumn(property: {
  readonly fieldName?: string;
  readonly fieldNames?: readonly string[];
}): string | undefined {
  return property.fieldNames?.[0] ?? property.fieldName;
}
