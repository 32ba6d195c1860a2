import type { Exchange } from '../exchanges/exchange.js';

export function isRightBody({ isRight }: Exchange, body: string, number: number): boolean {
  try {
    return isRight(JSON.parse(body) as never, number);
  } catch {
    return false;
  }
}
