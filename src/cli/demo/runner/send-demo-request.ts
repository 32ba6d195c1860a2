/** Request of a demo step. */
export interface DemoRequest {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  /** Sent as JSON, or as a form when it is `URLSearchParams`. */
  readonly body?: object | URLSearchParams;
  /** An access token, or the secret of an API key. */
  readonly token?: string;
}

export interface DemoResponse {
  readonly status: number;
  /** Null when the body is empty or not JSON. */
  readonly body: unknown;
}

const TIMEOUT_MS = 10_000;

/** @throws Error of fetch when no response arrives within 10 s */
export async function sendDemoRequest(
  baseUrl: string,
  { method, path, body, token }: DemoRequest,
): Promise<DemoResponse> {
  const isForm = body instanceof URLSearchParams;
  const response = await fetch(`${baseUrl}${path}`, {
    method,
    headers: {
      accept: 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
    },
    body: body === undefined ? null : isForm ? body : JSON.stringify(body),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  return { status: response.status, body: parseJson(await response.text()) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
