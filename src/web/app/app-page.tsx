import { render } from 'preact';
import { requireElement } from '../require-element.js';
import { Client } from '../session/client.js';
import { createSessionStore } from '../session/session-store.js';
import { Session } from '../session/session.js';
import { App } from './app.js';
import { readConfiguration } from './data/configuration.js';

const root = requireElement('#app', HTMLElement);
const configuration = readConfiguration(root);
const client = new Client(
  configuration.endpoint,
  new Session(configuration.endpoint, createSessionStore(configuration.basePath)),
);

root.replaceChildren();
render(<App client={client} configuration={configuration} />, root);
