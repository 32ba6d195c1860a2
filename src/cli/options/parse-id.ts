import { InvalidArgumentError } from 'commander';
import { z } from 'zod';

/** @throws InvalidArgumentError when the text is no UUID */
export function parseId(text: string): string {
  const id = z.uuid().safeParse(text);
  if (!id.success) throw new InvalidArgumentError('Ids look like 0199a0c2-8b1e-7c3a-9d4f-2e6b7a8c9d0e.');
  return id.data.toLowerCase();
}
