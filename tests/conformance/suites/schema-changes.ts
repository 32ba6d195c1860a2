import { readFileSync } from 'node:fs';
import { CriticalityLevel, diff, type Change } from '@graphql-inspector/core';
import { buildSchema, type GraphQLSchema } from 'graphql';
import { ACCEPTED_CHANGES } from '../baseline/accepted-changes.js';
import { separateFailures } from '../expected-failures.js';
import type { Finding, Suite } from '../suite.js';

/** The schema that clients were last promised. Replaced at a release, together with the list of accepted changes. */
const BASELINE = '../baseline/schema.graphql';
const CURRENT = '../../../schema/schema.graphql';

/** Compares the schema with its baseline. A breaking change that is not accepted fails. */
export const schemaChanges: Suite = {
  name: 'schema changes',
  packages: ['@graphql-inspector/core'],
  async run() {
    const changes = await diff(readSchema(BASELINE), readSchema(CURRENT));
    const breaking = changes.filter(({ criticality }) => criticality.level === CriticalityLevel.Breaking);
    const separated = separateFailures(breaking.map(toFinding), ACCEPTED_CHANGES);
    return { passed: changes.length - breaking.length, ...separated, skipped: [] };
  },
};

function readSchema(path: string): GraphQLSchema {
  return buildSchema(readFileSync(new URL(path, import.meta.url), 'utf8'));
}

function toFinding({ path, type, message }: Change): Finding {
  return { title: path ?? type, reason: `${type}: ${message}` };
}
