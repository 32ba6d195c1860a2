import { styleText } from 'node:util';

export type Colour = 'green' | 'yellow' | 'red' | 'dim' | 'bold';

/** Where a command writes. */
export interface Terminal {
  /** What was asked for: standard output, so that it can be piped on. */
  readonly print: (text: string) => void;
  /** A word about it: standard error. */
  readonly say: (text: string) => void;
  /** The text as it is where nobody would see colours. */
  readonly paint: (colour: Colour, text: string) => string;
}

export function createProcessTerminal(): Terminal {
  // Also honours NO_COLOR and FORCE_COLOR.
  const colourful = process.stdout.isTTY && process.stdout.hasColors();
  return {
    print: (text) => {
      process.stdout.write(`${text}\n`);
    },
    say: (text) => {
      process.stderr.write(`${text}\n`);
    },
    paint: (colour, text) => (colourful ? styleText(colour, text, { validateStream: false }) : text),
  };
}
