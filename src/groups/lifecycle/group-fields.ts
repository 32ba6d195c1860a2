import { futureTimeProblem, normalizeText, validateText } from '../../accounts/index.js';
import { FieldErrorCollector } from '../../errors/index.js';

const MAX_NAME_LENGTH = 120;
const MAX_DESCRIPTION_LENGTH = 2_000;
const MAX_QUORUM = 1_000_000;

/** Fields that owners declare. Absent means unchanged or default; null means none. */
export interface GroupFields {
  /** 1 to 120 characters, one line; required. */
  readonly name?: string | null | undefined;
  /** At most 2,000 characters. */
  readonly description?: string | null | undefined;
  /** Acceptances required to confirm the group, 1 to 1,000,000; null requires all invited people. */
  readonly quorum?: number | null | undefined;
  /** In the future, and before the year 10000 in UTC; null for no deadline. */
  readonly respondBy?: Date | null | undefined;
}

/**
 * Validates the fields and returns them with texts normalized to NFC.
 *
 * @throws InvalidInputError `INVALID_INPUT` with all invalid fields
 */
export function validateGroupFields<Fields extends GroupFields>(fields: Fields, now: Date): Fields {
  new FieldErrorCollector()
    .check('name', validateName(fields.name))
    .check('description', validateDescription(fields.description ?? null))
    .check('quorum', validateQuorum(fields.quorum ?? null))
    .check('respondBy', validateRespondBy(fields.respondBy ?? null, now))
    .throwIfAny();
  const { name, description } = fields;
  return {
    ...fields,
    ...(typeof name === 'string' && { name: normalizeText(name) }),
    ...(typeof description === 'string' && { description: normalizeText(description) }),
  };
}

function validateName(name: string | null | undefined): string | null {
  return name === undefined ? null : validateText(name ?? '', { min: 1, max: MAX_NAME_LENGTH });
}

function validateDescription(description: string | null): string | null {
  if (description === null) return null;
  return validateText(description, { min: 0, max: MAX_DESCRIPTION_LENGTH, multiline: true });
}

function validateQuorum(quorum: number | null): string | null {
  if (quorum === null || (Number.isInteger(quorum) && quorum >= 1 && quorum <= MAX_QUORUM)) return null;
  return 'must be a whole number from 1 to 1,000,000, or null for all who are invited';
}

function validateRespondBy(respondBy: Date | null, now: Date): string | null {
  const problem = respondBy === null ? null : futureTimeProblem(respondBy, now);
  return problem === null ? null : `${problem}, or null for no deadline`;
}
