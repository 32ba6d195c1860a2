import type { ReasonOf } from './catalogue.js';
import { InvalidInputError, type FieldError } from './domain-error.js';

/**
 * Collects the errors of an input, so that one response names every invalid field.
 */
export class FieldErrorCollector {
  readonly #fields: FieldError[] = [];
  readonly #reasons = new Set<ReasonOf<'InvalidInput'>>();

  /** @param problem a sentence that states what is allowed; null when the value is valid */
  check(field: string, problem: string | null): this {
    if (problem !== null) this.add(new InvalidInputError([{ field, message: problem }]));
    return this;
  }

  /** Adds an error that may have a reason of its own. @param error null when the value is valid */
  add(error: InvalidInputError | null): this {
    if (error === null) return this;
    this.#fields.push(...(error.fields ?? []));
    this.#reasons.add(error.invalidReason);
    return this;
  }

  /** @throws InvalidInputError when there is an error: with the reason that all share, or else `INVALID_INPUT` */
  throwIfAny(): void {
    if (this.#fields.length === 0) return;
    const [reason = 'INVALID_INPUT', ...others] = this.#reasons;
    throw new InvalidInputError(this.#fields, others.length === 0 ? reason : 'INVALID_INPUT');
  }
}
