import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { HtmlValidate } from 'html-validate';
import type { Page } from '@playwright/test';
import { expect } from './portal.ts';

const validator = new HtmlValidate({
  root: true,
  extends: ['html-validate:standard', 'html-validate:a11y', 'html-validate:document'],
  rules: {
    // Scripts and styles come from the portal itself.
    'require-sri': 'off',
    // The menu stands before the screen's h1; axe checks the order of headings.
    'heading-level': 'off',
    // Browsers drop the roles of a table that is displayed as cards, so the roles are repeated.
    'no-redundant-role': 'off',
    // The search is an input with a list of results, which a select cannot be.
    'prefer-native-element': 'off',
  },
});

/** Findings that are right to keep, each with the reason. */
const INTENDED: readonly [message: string, selector: RegExp, reason: string][] = [
  [
    '<details> element is not permitted as a descendant of <dt>',
    /> dt > div > details$/,
    'The standard permits it: details is no sectioning content',
  ],
];

/** Fails when the HTML of a screen is not valid. */
export async function expectValidHtml(html: string, path: string): Promise<void> {
  const { results } = await validator.validateString(html);
  const found = results.flatMap(({ messages }) =>
    messages
      .filter(({ message, selector }) => !INTENDED.some(([text, at]) => message === text && at.test(selector ?? '')))
      .map(({ ruleId, message, selector }) => `${ruleId}: ${message} (${selector})`),
  );
  expect.soft([...new Set(found)], `HTML of ${path}`).toEqual([]);
}

const engineSource = readFileSync(
  createRequire(import.meta.url).resolve('accessibility-checker-engine/ace.js'),
  'utf8',
);

/** Rules of the second accessibility checker that do not apply here, each with the reason. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  aria_form_label_unique:
    'A form without a name is no landmark (HTML-AAM); with names a table would have five of them.',
  input_autocomplete_valid: 'The HTML standard permits `username` on a field for an email address.',
};

interface Issue {
  ruleId: string;
  message: string;
  value: [policy: string, outcome: string];
  snippet: string;
}
declare global {
  var ace: { Checker: new () => { check(node: Node, rules: string[]): Promise<{ results: Issue[] }> } } | undefined;
}

/** Rows or items that are alike are checked up to this number, because IBM's checker takes seconds for a class. */
const ALIKE = 4;

/**
 * An addition to axe: fails when IBM's checker finds a violation in the current state of the page. It removes the
 * rest of long tables and lists from the page, so call it last.
 */
export async function expectNoIbmViolations(page: Page): Promise<void> {
  if (!(await page.evaluate(() => 'ace' in globalThis))) {
    const session = await page.context().newCDPSession(page);
    await session.send('Runtime.evaluate', { expression: engineSource });
    await session.detach();
  }
  const issues = await page.evaluate(async (alike) => {
    for (const list of document.querySelectorAll('tbody, ul, ol, svg, svg g, select'))
      if (list.children.length > 2 * alike) for (const item of [...list.children].slice(alike)) item.remove();
    const { results } = await new globalThis.ace!.Checker().check(document, ['WCAG_2_2']);
    return results
      .filter(({ value: [policy, outcome] }) => policy === 'VIOLATION' && outcome === 'FAIL')
      .map(({ ruleId, message, snippet }) => ({ ruleId, text: `${ruleId}: ${message}\n    ${snippet.slice(0, 160)}` }));
  }, ALIKE);
  const found = issues.filter(({ ruleId }) => !(ruleId in EXCEPTIONS)).map(({ text }) => text);
  expect.soft(found, `IBM’s checker on ${page.url()}`).toEqual([]);
}
