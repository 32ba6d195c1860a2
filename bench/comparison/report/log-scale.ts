/** A logarithmic axis: maps values to positions, and chooses the marks. */
export class LogScale {
  readonly #low: number;
  readonly #high: number;
  readonly #start: number;
  readonly end: number;

  /** The axis covers the values and 1, from one power of ten, or its double or fivefold, to another. */
  constructor(values: readonly number[], start: number, end: number) {
    this.#low = Math.max(...STEPS.filter((step) => step <= Math.min(1, ...values)));
    this.#high = Math.min(...STEPS.filter((step) => step >= Math.max(1, ...values)));
    this.#start = start;
    this.end = end;
  }

  positionOf(value: number): number {
    const share = Math.log(value / this.#low) / Math.log(this.#high / this.#low);
    return this.#start + share * (this.end - this.#start);
  }

  /** Powers of ten, and also their double and fivefold on an axis of up to two decades. */
  marks(): number[] {
    const isLong = this.#high / this.#low > 101;
    return STEPS.filter((step) => step >= this.#low && step <= this.#high).filter(
      (step) => !isLong || isPowerOfTen(step) || step === this.#low || step === this.#high,
    );
  }
}

/** 0.001, 0.002, 0.005, 0.01 … 5,000. */
const STEPS = [-3, -2, -1, 0, 1, 2, 3].flatMap((power) =>
  [1, 2, 5].map((digit) => Number(`${String(digit)}e${String(power)}`)),
);

function isPowerOfTen(value: number): boolean {
  return Number.isInteger(Math.round(Math.log10(value) * 1e6) / 1e6);
}
