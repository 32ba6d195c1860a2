import { request, type IncomingHttpHeaders } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

const DECODERS = { br: brotliDecompressSync, gzip: gunzipSync, identity: (bytes: Buffer) => bytes };

export interface EncodedResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Size of the body as sent. */
  readonly bytes: number;
  /** The decompressed body. */
  readonly text: string;
}

interface SentRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Sends a request with exactly these headers. `fetch` adds Accept-Encoding, and hides the encoding of the response. */
export function sendForEncoded(
  url: string,
  { method = 'GET', headers = {}, body }: SentRequest = {},
): Promise<EncodedResponse> {
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    request(url, { method, headers: { ...length, ...headers } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const sent = Buffer.concat(chunks);
        const used = (response.headers['content-encoding'] ?? 'identity') as keyof typeof DECODERS;
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          bytes: sent.length,
          text: sent.length === 0 ? '' : DECODERS[used](sent).toString('utf8'),
        });
      });
    })
      .on('error', reject)
      .end(body);
  });
}
