import { settingNames } from './load-config.js';
import { SETTINGS, type SettingName } from './settings.js';

/** `docs/configuration.md`, from the very table that the service reads its settings by. */
export function configurationPage(): string {
  return `# Configuration

Every setting is an environment variable, or a line in a file \`.env\` in the folder that the service is started in;
the environment wins. Each one has a default that works in development. A malformed value, or a name in \`.env\` that
is not a setting, stops the start with a message that names the setting and never its value.

| setting | default | what it does |
|---|---|---|
${settingNames().map(row).join('\n')}

This page is written by \`npm run generate\` from \`src/config/settings.ts\`.
`;
}

function row(name: SettingName): string {
  const { defaultText, description } = SETTINGS[name];
  return `| \`${name}\` | ${defaultText.startsWith('(') ? defaultText : `\`${defaultText}\``} | ${description} |`;
}
