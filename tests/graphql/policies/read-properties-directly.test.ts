import 'reflect-metadata';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { isObjectType } from 'graphql';
import { Field, getMetadataStorage, ObjectType, UseMiddleware } from 'type-graphql';
import { readPropertiesDirectly } from '../../../src/graphql/policies/read-properties-directly.js';
import { buildGraphqlSchema } from '../../../src/graphql/schema.js';

/** The names of the fields of a type that have a resolver. */
function resolvedFields(typeName: string): string[] {
  const type = buildGraphqlSchema().getType(typeName);
  if (!isObjectType(type)) throw new Error(`The schema has no type ${typeName}`);
  return Object.values(type.getFields())
    .filter(({ resolve }) => resolve !== undefined)
    .map(({ name }) => name)
    .toSorted();
}

describe('readPropertiesDirectly', () => {
  it('leaves resolvers to the fields that need one', () => {
    expect(resolvedFields('User')).toEqual([]);
    expect(resolvedFields('UpdateMemberStatusPayload')).toEqual([]);
    expect(resolvedFields('Member')).toEqual(['group', 'id', 'invitedBy', 'user']);
    // Its property has another name.
    expect(resolvedFields('Group')).toContain('responseCounts');
    expect(resolvedFields('Group')).not.toContain('acceptedCount');
  });

  it('keeps the resolvers of the properties that need a scope', () => {
    expect(resolvedFields('Group')).toEqual(
      expect.arrayContaining(['createdAt', 'description', 'name', 'quorum', 'respondBy']),
    );
  });
});

describe('readPropertiesDirectly: with middleware on a property', () => {
  const storage = getMetadataStorage();
  const lists = [storage.fields, storage.objectTypes, storage.middlewares];
  let lengths: number[] = [];
  beforeEach(() => {
    lengths = lists.map(({ length }) => length);
  });
  afterEach(() => {
    lists.forEach((list, index) => list.splice(lengths[index] ?? 0));
  });

  it('throws, because the middleware would not run', () => {
    @ObjectType('Guarded')
    class Guarded {
      @Field(() => String)
      @UseMiddleware((_, next) => next())
      secret!: string;
    }
    expect(Guarded).toBeDefined();
    expect(readPropertiesDirectly).toThrow('The middleware of Guarded.secret would not run');
  });
});
