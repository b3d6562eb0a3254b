import { contactCalls } from '#contract/calls/contact-us.ts';
import { helpCalls } from '#contract/calls/help.ts';
import { readHelp } from '#content/help/read-help.ts';
import { extractText, getDocumentProxy } from '../../../testing/read-pdf.ts';
import { create as createFont, type Font } from 'fontkit';
import { beforeAll, expect, test } from 'vitest';
import { loadAndika } from '../../../pdf/fonts.ts';
import { testApp } from '../../../testing/app.ts';
import type { BuiltSchool } from '../../../testing/builder.ts';

const app = testApp({ CONTACT_EMAIL: 'hello@company.example', SUPPORT_EMAIL: 'support@company.example' });
let school: BuiltSchool;

beforeAll(async () => {
  school = await app.build.school();
});

/** The texts of a PDF's pages. */
async function pagesOf(bytes: Buffer): Promise<string[]> {
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(bytes)));
  return text;
}

test('GET /user-guide.pdf has contents with its three parts and the page number of each section', async () => {
  const { status, bytes } = await app.call(helpCalls.getUserGuide);
  expect(status).toBe(200);
  const pages = await pagesOf(bytes);
  const [cover, contents] = pages;
  expect(cover).toContain('User guide');
  const places = [
    'Getting your school online',
    'Getting the most out of Storylark',
    'Records and privacy',
    'Update pupils from your school records',
    'Data and privacy',
  ].map((title) => contents?.indexOf(title));
  expect(places).toEqual(places.toSorted((a, b) => Number(a) - Number(b)));
  expect(places).not.toContain(-1);
  for (const { title } of readHelp().tabs.flatMap(({ items }) => items)) {
    const shown = title.replaceAll('{product}', 'Storylark');
    const page = new RegExp(`${shown.replaceAll(/[?().]/g, '\\$&')}\\s*(\\d+)`).exec(contents ?? '')?.[1];
    expect(pages[Number(page) - 1]).toContain(shown);
  }
  expect(pages.join(' ')).not.toContain('{product}');
  expect(pages.join(' ')).toContain('under More at the top of the class’s page');
});

test('GET /user-guide.pdf only links the words of a link', async () => {
  const { bytes } = await app.call(helpCalls.getUserGuide);
  const document = await getDocumentProxy(new Uint8Array(bytes));
  let linked = 0;
  // After the cover and the contents.
  for (let number = 3; number <= document.numPages; number += 1)
    for (const { rect } of await (await document.getPage(number)).getAnnotations()) linked += rect[2] - rect[0];

  const font = createFont(loadAndika().regular) as Font;
  const words = JSON.stringify(readHelp().tabs).matchAll(/"link":"\/userguide\/[^"]*","text":"([^"]*)"/g);
  let width = 0;
  for (const [, text] of words) width += (font.layout(text!).advanceWidth / font.unitsPerEm) * 11;
  // A space at the end of a line is omitted.
  expect(linked / width).toBeGreaterThan(0.95);
  expect(linked / width).toBeLessThan(1.01);
});

test('POST /contactus/enquiries sends the company a mail that names the user and can be replied to', async () => {
  const body = { subject: 'Login cards', message: 'First.\n\nSecond <b>line</b>.', contact_number: '020 7946 0000' };
  const { status } = await app.call(contactCalls.sendEnquiry, { body, token: school.teacher.token });
  expect(status).toBe(200);
  await app.runJobs();
  const mail = app.mails.at(-1);
  expect(mail).toMatchObject({
    recipient: 'support@company.example',
    headers: { 'Reply-To': school.teacher.email },
  });
  expect(mail?.subject).toContain('Login cards');
  expect(mail?.text).toContain(`Email: ${school.teacher.email}\nPhone: 020 7946 0000`);
  expect(mail?.html).toContain('&lt;b&gt;');
  const empty = await app.call(contactCalls.sendEnquiry, {
    body: { subject: 'Two\r\nlines', message: ' ' },
    token: school.teacher.token,
  });
  expect({ status: empty.status, fields: Object.keys(empty.error.errors ?? {}) }).toEqual({
    status: 422,
    fields: ['subject', 'message'],
  });
});
