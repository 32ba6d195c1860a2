import { beforeEach, describe, expect, it } from '@jest/globals';
import type { App } from '../src/app.js';
import { loadConfig } from '../src/config/index.js';
import { PublicUrl } from '../src/http-core/index.js';
import type { ServiceEvents } from '../src/output/service-events.js';
import { serve } from '../src/serve.js';
import { waitUntil } from './support/wait-until.js';

let events: string[];
let printed: string;
let complaints: string[];
beforeEach(() => {
  events = [];
  printed = '';
  complaints = [];
});

const serviceEvents: ServiceEvents = {
  onListening: (greeting) => {
    printed += greeting;
  },
  onStopping: () => {
    events.push('stopping');
  },
  onFailure: (reason) => {
    complaints.push(reason);
  },
};

function sampleApp(parts: Partial<App> = {}): App {
  return {
    settings: loadConfig({ DATA_DIR: '/data' }, '/nonexistent'),
    publicUrl: new PublicUrl('http://localhost:4000'),
    migrated: [],
    server: { hasRoute: ({ url }: { url: string }) => url !== '/app' },
    listen: async () => {
      events.push('listen');
    },
    close: async () => {
      events.push('close');
    },
    ...parts,
  } as unknown as App;
}

describe('serve', () => {
  it('listens, logs the address, and closes on a signal', async () => {
    const stop = new AbortController();
    const served = serve(async () => sampleApp(), stop.signal, serviceEvents);
    await waitUntil('it greets', () => printed !== '');
    expect(events).toEqual(['listen']);
    for (const part of [
      'http://localhost:4000/graphql',
      'Start page http://localhost:4000/\n',
      'http://localhost:4000/api/docs',
      'http://localhost:4000/docs',
      '/data/outbox',
      'Ctrl-C',
      'npm run demo',
    ]) {
      expect(printed).toContain(part);
    }
    expect(printed).not.toContain('Web client');
    stop.abort();
    expect(await served).toBe(0);
    expect(events).toEqual(['listen', 'stopping', 'close']);
  });

  it('names the address for the proxy when PUBLIC_URL is set', async () => {
    const PUBLIC_URL = 'https://example.org/convene/';
    const app = sampleApp({
      settings: loadConfig({ PUBLIC_URL }, '/nonexistent'),
      publicUrl: new PublicUrl(PUBLIC_URL),
      listen: () => Promise.resolve('http://127.0.0.1:4711'),
    });
    const stop = new AbortController();
    const served = serve(() => Promise.resolve(app), stop.signal, serviceEvents);
    await waitUntil('it greets', () => printed !== '');
    expect(printed).toContain('Convene serves on https://example.org/convene.');
    expect(printed).toContain('https://example.org/convene/graphql');
    expect(printed).toContain('http://127.0.0.1:4711   (for the proxy of PUBLIC_URL)');
    stop.abort();
    await served;
  });

  it('logs the changes that the start made in the database', async () => {
    const stop = new AbortController();
    const served = serve(async () => sampleApp({ migrated: ['001-first', '002-second'] }), stop.signal, serviceEvents);
    await waitUntil('it greets', () => printed !== '');
    expect(printed).toContain('brought up to date (001-first, 002-second)');
    stop.abort();
    await served;
  });

  it('never listens after a signal during the start, and closes what has started', async () => {
    const stop = new AbortController();
    const served = serve(
      async () => {
        stop.abort();
        return sampleApp();
      },
      stop.signal,
      serviceEvents,
    );
    expect(await served).toBe(0);
    expect(events).toEqual(['close']);
    expect(printed).toBe('');
  });

  it('closes everything and logs the reason in one sentence when it cannot listen', async () => {
    const busy = Object.assign(new Error('listen EADDRINUSE'), {
      syscall: 'listen',
      code: 'EADDRINUSE',
      address: '127.0.0.1',
      port: 4000,
    });
    expect(
      await serve(
        async () => sampleApp({ listen: () => Promise.reject(busy) }),
        new AbortController().signal,
        serviceEvents,
      ),
    ).toBe(1);
    expect(events).toEqual(['close']);
    expect(complaints).toEqual([expect.stringMatching(/^Port 4000 of 127\.0\.0\.1 is in use/)]);
  });

  it('logs an unexpected error with its stack', async () => {
    const error = new TypeError('undefined is not a function');
    expect(await serve(() => Promise.reject(error), new AbortController().signal, serviceEvents)).toBe(1);
    expect(complaints).toEqual([
      expect.stringMatching(/^TypeError: undefined is not a function\n {4}at .*serve\.test/),
    ]);
  });

  it('fails when a part did not stop cleanly', async () => {
    const stop = new AbortController();
    const served = serve(
      async () => sampleApp({ close: () => Promise.reject(new Error('the jobs did not stop cleanly')) }),
      stop.signal,
      serviceEvents,
    );
    await waitUntil('it greets', () => printed !== '');
    stop.abort();
    expect(await served).toBe(1);
    expect(complaints).toHaveLength(1);
  });
});
