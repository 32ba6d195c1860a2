#!/usr/bin/env node
/**
 * Takes the picture of GraphiQL for the README from a running service with a new database:
 * `node scripts/take-screenshots.mjs http://localhost:4000`. Needs Chromium (`CHROMIUM_PATH`).
 */
import { chromium } from 'playwright-core';

const SIZE = { width: 1120, height: 640 };
const [, , url = 'http://localhost:4000'] = process.argv;
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});
const page = await browser.newPage({ viewport: SIZE, reducedMotion: 'reduce' });

await page.goto(`${url}/graphql`);
await page.getByRole('tab', { name: 'Welcome' }).waitFor();
await openAndRun('Register', '"register"');
await logIn();
await openAndRun('UpdateProfile', '"Ada Lovelace"');
await page.mouse.move(0, 0);
await page.screenshot({ path: 'docs/images/graphiql.png' });
await browser.close();

async function openAndRun(name, result) {
  await page.getByRole('button', { name: 'Examples' }).click();
  await page.getByRole('button', { name: new RegExp(`^${name} mutation`) }).click();
  await page.getByRole('button', { name: /^Execute query/ }).click();
  await page.locator('.result-window').getByText(result).first().waitFor();
}

async function logIn() {
  await page.locator('#open-login').click();
  await page.getByLabel('Username or email address').fill('ada');
  await page.getByLabel('Password', { exact: true }).fill('seven quiet lanterns');
  await page.locator('#login').getByRole('button', { name: 'Log in' }).click();
  await page.getByText('Signed in as ada').waitFor();
}
