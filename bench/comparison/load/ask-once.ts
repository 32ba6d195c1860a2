import { connect } from 'node:net';
import type { Exchange } from '../exchanges/exchange.js';
import { bodyOf, readResponse, serializeRequest } from './http-message.js';
import { isRightBody } from './right-answer.js';

export interface Answer {
  readonly status: number;
  readonly body: string;
}

/** Sends one request on a connection of its own. */
export function ask(port: number, exchange: Exchange, number: number): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let received = Buffer.alloc(0);
    socket.on('connect', () => socket.write(serializeRequest(exchange.request(number), port)));
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      const response = readResponse(received);
      if (response === null) return;
      resolve({ status: response.status, body: bodyOf(response) });
      socket.destroy();
    });
    socket.on('error', reject);
    socket.on('close', () => {
      reject(new Error('The program closed the connection without an answer'));
    });
  });
}

/** @returns null for a right answer, otherwise a description of the wrong one */
export async function askOnce(port: number, exchange: Exchange, number: number): Promise<string | null> {
  try {
    const { status, body } = await ask(port, exchange, number);
    return status === (exchange.status ?? 200) && isRightBody(exchange, body, number)
      ? null
      : `${String(status)} ${body.slice(0, 200)}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
