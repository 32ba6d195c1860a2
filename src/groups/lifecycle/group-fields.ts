import { futureTimeProblem, normalizeText, validateText } from '../../accounts/index.js';
import { FieldErrorCollector } from '../../errors/index.js';

const LONGEST_NAME = 120;
const LONGEST_DESCRIPTION = 2_000;
const LARGEST_QUORUM = 1_000_000;

/** What an owner says about a group. Absent is not said; null says that there is none. */
export interface GroupFields {
  /** 1 to 120 characters, one line; every group has one. */
  readonly name?: string | null | undefined;
  /** At most 2,000 characters. */
  readonly description?: string | null | undefined;
  /** How many must accept, 1 to 1,000,000; null for everyone. */
  readonly quorum?: number | null | undefined;
  /** In the future, and before the year 10000 in UTC; null for no deadline. */
  readonly respondBy?: Date | null | undefined;
}

/**
 * Takes texts as they are stored: in NFC.
 *
 * @throws InvalidInputError `INVALID_INPUT` naming every faulty field
 */
export function validateGroupFields<Fields extends GroupFields>(fields: Fields, now: Date): Fields {
  new FieldErrorCollector()
    .check('name', nameProblem(fields.name))
    .check('description', descriptionProblem(fields.description ?? null))
    .check('quorum', quorumProblem(fields.quorum ?? null))
    .check('respondBy', respondByProblem(fields.respondBy ?? null, now))
    .throwIfAny();
  const { name, description } = fields;
  return {
    ...fields,
    ...(typeof name === 'string' && { name: normalizeText(name) }),
    ...(typeof description === 'string' && { description: normalizeText(description) }),
  };
}

function nameProblem(name: string | null | undefined): string | null {
  return name === undefined ? null : validateText(name ?? '', { min: 1, max: LONGEST_NAME });
}

function descriptionProblem(description: string | null): string | null {
  return description === null ? null : validateText(description, { min: 0, max: LONGEST_DESCRIPTION, multiline: true });
}

function quorumProblem(quorum: number | null): string | null {
  if (quorum === null || (Number.isInteger(quorum) && quorum >= 1 && quorum <= LARGEST_QUORUM)) return null;
  return 'must be a whole number from 1 to 1,000,000, or null for everyone';
}

function respondByProblem(respondBy: Date | null, now: Date): string | null {
  const problem = respondBy === null ? null : futureTimeProblem(respondBy, now);
  return problem === null ? null : `${problem}, or null for no deadline`;
}
