import { api } from '#contract/api.ts';
import { openapiDocument } from '#contract/openapi.ts';
import { expect, test } from 'vitest';
import { apiDocsPage } from './api-docs.ts';

const page = apiDocsPage('Storylark');
const textOf = (html: string) =>
  html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');

interface Operation {
  operationId: string;
  parameters: { name: string; example?: unknown }[];
  requestBody?: { content: Record<string, { example?: unknown }> };
}
const operations = Object.values(
  openapiDocument(api, 'Storylark').paths as Record<string, Record<string, Operation>>,
).flatMap((verbs) => Object.values(verbs));

test('every call is on the page, with the examples of its parameters and its body', () => {
  expect(operations).toHaveLength(Object.keys(api).length);
  for (const { operationId, parameters, requestBody } of operations) {
    const section = page.split(`<section aria-labelledby="${operationId}">`)[1]?.split('</section>')[0] ?? '';
    const text = textOf(section);
    const examples = [...parameters, ...Object.values(requestBody?.content ?? {})].flatMap(({ example }) =>
      example === undefined ? [] : [typeof example === 'string' ? example : JSON.stringify(example, null, 2)],
    );
    expect(section).toContain(`id="${operationId}"`);
    for (const example of examples) expect(text).toContain(example);
  }
});

test('the page has no script and loads nothing', () => {
  expect(page).not.toMatch(/<script|<link|<img|@import|url\(|\son\w+=/);
});
