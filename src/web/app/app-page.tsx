import { render } from 'preact';
import { requireElement } from '../require-element.js';
import { Session } from '../session/session.js';
import { App } from './app.js';
import { Client } from './client/client.js';
import { readConfiguration } from './data/configuration.js';

const root = requireElement('#app', HTMLElement);
const configuration = readConfiguration(root);
const client = new Client(configuration.endpoint, new Session(configuration.endpoint, configuration.basePath));

root.replaceChildren();
render(<App client={client} configuration={configuration} />, root);
