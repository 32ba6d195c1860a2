/** The response to one request over a raw connection. Chunked JSON bodies are not supported. */
export interface RawResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The parsed body when it is JSON of any kind; undefined otherwise. */
  readonly body: unknown;
}

export function parseRawResponse(response: string): RawResponse {
  const end = response.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = response.slice(0, end).split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  const text = response.slice(end + 4);
  const isJson = /\bjson\b/.test(headers['content-type'] ?? '') && headers['transfer-encoding'] === undefined;
  return {
    status: Number(statusLine.split(' ')[1]),
    headers,
    text,
    body: isJson && text !== '' ? JSON.parse(text) : undefined,
  };
}
