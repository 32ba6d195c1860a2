import type { ReasonOf } from './catalogue.js';
import { InvalidInputError, type FieldError } from './domain-error.js';

/**
 * Collects what is wrong with an input, so that one answer names every faulty field.
 *
 * A rule returns the sentence that says what is allowed, or null when the value is fine.
 */
export class FieldErrorCollector {
  readonly #fields: FieldError[] = [];
  readonly #reasons = new Set<ReasonOf<'InvalidInput'>>();

  check(field: string, problem: string | null): this {
    if (problem !== null) this.add(new InvalidInputError([{ field, message: problem }]));
    return this;
  }

  /** Takes over a refusal with a reason of its own, which is kept where it is the only one. */
  add(refusal: InvalidInputError | null): this {
    if (refusal === null) return this;
    this.#fields.push(...(refusal.fields ?? []));
    this.#reasons.add(refusal.invalidReason);
    return this;
  }

  /** @throws InvalidInputError when any check failed: with the reason that all share, or `INVALID_INPUT`. */
  throwIfAny(): void {
    if (this.#fields.length === 0) return;
    const [reason = 'INVALID_INPUT', ...others] = this.#reasons;
    throw new InvalidInputError(this.#fields, others.length === 0 ? reason : 'INVALID_INPUT');
  }
}
