import { readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload, type SourceOrigin } from 'node:module';
import { LRUCache } from 'lru-cache';

/** The folder of the bundle. Texts of clients can name other files, which are not read. */
const FOLDER = new URL('.', import.meta.url).href;
const POSITION = /(file:\S+\.js):(\d+):(\d+)/g;
const MAX_REMEMBERED = 1_000;

/** Positions in the sources by position in the bundle, because the same errors repeat in an outage. */
const remembered = new LRUCache<string, string>({ max: MAX_REMEMBERED });

/**
 * Replaces positions in the bundle by those in its sources, from the source maps beside it. Other positions stay.
 *
 * Reason: with its option for source maps, Node.js 24 loads all of them at the start, which takes 26 MiB.
 */
export function withSourcePositions(stack: string): string {
  const maps = new Map<string, SourceMap | null>();
  return stack.replaceAll(POSITION, (position: string, url: string, line: string, column: string) => {
    if (!url.startsWith(FOLDER)) return position;
    const known = remembered.get(position);
    if (known !== undefined) return known;
    const found = findSource(mapOf(url, maps), url, Number(line), Number(column)) ?? position;
    remembered.set(position, found);
    return found;
  });
}

function mapOf(url: string, maps: Map<string, SourceMap | null>): SourceMap | null {
  const map = maps.has(url) ? maps.get(url) : readMap(url);
  maps.set(url, map ?? null);
  return map ?? null;
}

/** @returns null for a file without a source map */
function readMap(url: string): SourceMap | null {
  try {
    // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- written by the bundler
    return new SourceMap(JSON.parse(readFileSync(new URL(`${url}.map`), 'utf8')) as SourceMapPayload);
  } catch {
    return null;
  }
}

function findSource(map: SourceMap | null, url: string, line: number, column: number): string | null {
  const { fileName, lineNumber, columnNumber }: Partial<SourceOrigin> = map?.findOrigin(line, column) ?? {};
  if (fileName?.startsWith('../') !== true) return null;
  return `${new URL(fileName, url).href}:${String(lineNumber)}:${String(columnNumber)}`;
}
