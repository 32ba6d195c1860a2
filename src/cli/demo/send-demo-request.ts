/** Something that a scene sends to the service. */
export interface DemoRequest {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  /** Sent as JSON, unless it is a form. */
  readonly body?: object | URLSearchParams;
  /** An access token, or the secret of an API key. */
  readonly token?: string;
}

export interface DemoResponse {
  readonly status: number;
  /** Null when there is none, or when it is not JSON. */
  readonly body: unknown;
}

const PATIENCE_MS = 10_000;

/** @throws Error of fetch when no answer comes */
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
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  return { status: response.status, body: parsed(await response.text()) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
