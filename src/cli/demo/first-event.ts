import type { DemoResponse } from './send-demo-request.js';

const PATIENCE_MS = 10_000;
const EVENT = /event: next\ndata: (.*)\n\n/;

/**
 * Opens a stream of events (GraphQL over SSE, one operation a connection), does something once it is open, and gives the
 * first event.
 *
 * @throws Error of fetch when none comes in time
 */
export async function firstEvent(
  baseUrl: string,
  token: string,
  body: object,
  meanwhile: () => Promise<unknown>,
): Promise<DemoResponse> {
  const response = await fetch(`${baseUrl}/graphql`, {
    method: 'POST',
    headers: { accept: 'text/event-stream', 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  await meanwhile();
  return { status: response.status, body: await readFirst(response) };
}

async function readFirst(response: Response): Promise<unknown> {
  const decoder = new TextDecoder();
  let text = '';
  // AccountRemoval the loop closes the connection.
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    const data = EVENT.exec(text)?.[1];
    if (data !== undefined) return JSON.parse(data);
  }
  return null;
}
