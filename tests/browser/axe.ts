import axe from 'axe-core';
import type { Page } from 'playwright-core';

const COLOR_SCHEMES = ['light', 'dark'] as const;
const WIDTHS = [1280, 390];
const HEIGHT = 844;
/** Time for a script that renders anew after a change of the media. */
const NEXT_FRAMES = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))';

/**
 * Checks the open page with axe-core, in light and dark mode, each in the width of a desktop and of a phone.
 * It stays in the last of them.
 *
 * @returns one readable line per violation and element; empty when there are none
 */
export async function findAccessibilityViolations(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of COLOR_SCHEMES) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: HEIGHT });
      await page.evaluate(NEXT_FRAMES);
      const violations = await runAxe(page);
      found.push(...violations.flatMap(describeViolation).map((line) => `${colorScheme}, ${width} px: ${line}`));
    }
  }
  return found;
}

/** The policy of a page forbids script elements, so the debugger evaluates axe-core. */
async function runAxe(page: Page): Promise<axe.Result[]> {
  const loaded = await page.evaluate(`typeof axe === 'object'`);
  if (loaded !== true) await page.evaluate(axe.source);
  const { violations } = await page.evaluate<axe.AxeResults>(`axe.run({ resultTypes: ['violations'] })`);
  return violations;
}

function describeViolation({ id, impact, help, nodes }: axe.Result): string[] {
  return nodes.map(
    ({ target, failureSummary = '' }) =>
      `${id} (${impact ?? 'unknown'}): ${help}; ${target.join(' ')}: ${failureSummary.replace(/\s+/g, ' ')}`,
  );
}
