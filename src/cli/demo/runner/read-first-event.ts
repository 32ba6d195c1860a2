import type { DemoResponse } from './send-demo-request.js';

const TIMEOUT_MS = 10_000;
const EVENT = /event: next\ndata: (.*)\n\n/;

/**
 * Opens an event stream (GraphQL over SSE, distinct connections mode), runs `during`, and returns the first event.
 *
 * @throws Error of fetch when no event arrives within 10 s
 */
export async function readFirstEvent(
  baseUrl: string,
  token: string,
  body: object,
  during: () => Promise<unknown>,
): Promise<DemoResponse> {
  const response = await fetch(`${baseUrl}/graphql`, {
    method: 'POST',
    headers: { accept: 'text/event-stream', 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  await during();
  return { status: response.status, body: await readFirst(response) };
}

async function readFirst(response: Response): Promise<unknown> {
  const decoder = new TextDecoder();
  let text = '';
  // Leaving the loop closes the connection.
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    const data = EVENT.exec(text)?.[1];
    if (data !== undefined) return JSON.parse(data);
  }
  return null;
}
