import { styleText } from 'node:util';

export type Colour = 'green' | 'yellow' | 'red' | 'dim' | 'bold';

/** Output of a command. */
export interface Terminal {
  /** Writes a result to standard output. */
  readonly print: (text: string) => void;
  /** Writes a message about the result to standard error. */
  readonly report: (text: string) => void;
  /** Returns the text unchanged when standard output supports no colours. */
  readonly paint: (colour: Colour, text: string) => string;
}

export function createProcessTerminal(): Terminal {
  // Also honours NO_COLOR and FORCE_COLOR.
  const supportsColours = process.stdout.isTTY && process.stdout.hasColors();
  return {
    print: (text) => {
      process.stdout.write(`${text}\n`);
    },
    report: (text) => {
      process.stderr.write(`${text}\n`);
    },
    paint: (colour, text) => (supportsColours ? styleText(colour, text, { validateStream: false }) : text),
  };
}
