import { z } from 'zod';

/** The schemas that the OpenAPI document names under `components.schemas`. */
export const COMPONENT_SCHEMAS = z.registry<{ readonly id: string }>();

/** Largest `integer` of PostgreSQL. */
const MAX_INTEGER = 2_147_483_647;

/** Ids in the examples of the document, by the name of the member or path parameter. */
export const EXAMPLE_IDS = {
  group_id: '0198f3b0-11aa-7c3e-8d4f-5b6a7c8d9e01',
  user_id: '0198f3a4-7c1e-7d2b-9a55-3f6d1c0b8e42',
};

export const UUID = z.string().meta({ format: 'uuid' });
export const TIME = z.string().meta({ format: 'date-time', description: 'In UTC, with milliseconds.' });
export const COUNT = z.int().min(0).max(MAX_INTEGER);
