import { CERTIFICATE_IDS, CERTIFICATES } from '#contract/certificates.ts';
import { contactCalls } from '#contract/calls/contact-us.ts';
import { helpCalls } from '#contract/calls/help.ts';
import { pupilCalls } from '#contract/calls/pupils.ts';
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

const draw = (query: object, token = school.teacher.token) =>
  app.call(helpCalls.renderCertificates, {
    params: { id: school.id },
    query: { certificate: 'book-worm', ...query } as never,
    token,
  });

test.each(CERTIFICATE_IDS)(
  'GET /certificates/%s.pdf answers one page with fields for name, reason and date',
  async (id) => {
    const { status, bytes, headers } = await app.call(helpCalls.getCertificate, {
      params: { certificate: `${id}.pdf` },
    });
    expect({ status, type: headers['content-type'] }).toEqual({ status: 200, type: 'application/pdf' });
    const document = await getDocumentProxy(new Uint8Array(bytes));
    expect(document.numPages).toBe(1);
    const page = await document.getPage(1);
    const fields = (await page.getAnnotations()).map(({ fieldName }) => String(fieldName));
    expect(fields.sort()).toEqual(['date', 'name', 'reason']);
    const { width, height } = page.getViewport({ scale: 1 });
    expect([Math.round(width), Math.round(height)]).toEqual([842, 595]);
    expect((await extractText(document)).text.join(' ')).toContain(CERTIFICATES[id]);
  },
);

test('certificates for selected pupils have a page each, in their order, once', async () => {
  const [first, second] = school.ownClass.pupils;
  const { status, bytes } = await draw({ reader_ids: `${second!.id},${first!.id},${second!.id}` });
  expect(status).toBe(200);
  const pages = await pagesOf(bytes);
  expect(pages).toHaveLength(2);
  expect(pages[0]).toContain(second!.name);
  expect((await draw({ reader_ids: `${first!.id},99999999` })).status).toBe(404);
  for (const query of [
    { reader_ids: ',' },
    { reader_ids: 'x' },
    { reader_ids: String(first!.id), reader_id: first!.id },
  ])
    expect((await draw(query)).status).toBe(422);
});

test('a certificate for a pupil has name, class, school, reason and the day in the school’s time zone', async () => {
  const [pupil] = school.ownClass.pupils;
  await app.call(pupilCalls.renamePupil, {
    params: { id: school.id, readerId: pupil!.id },
    body: { name: 'Zoë Łukasiewicz' },
    token: school.teacher.token,
  });
  const { status, bytes } = await draw({ reader_id: pupil!.id, reason: 'For reading at home' });
  expect(status).toBe(200);
  const [page, ...more] = await pagesOf(bytes);
  expect(more).toEqual([]);
  for (const text of ['Book Worm', 'Zoë Łukasiewicz', school.ownClass.name, 'For reading at home', '18 November 2026'])
    expect(page).toContain(text);
});

test('certificates for a class have a page per pupil, or one for the class', async () => {
  const { bytes } = await draw({ group_id: school.otherClass.id, date: '2026-03-09' });
  const pages = await pagesOf(bytes);
  expect(pages).toHaveLength(school.otherClass.pupils.length);
  for (const page of pages) expect(page).toContain('9 March 2026');
  const [whole, ...more] = await pagesOf((await draw({ group_id: school.otherClass.id, for: 'group' })).bytes);
  expect(whole).toContain(school.otherClass.name);
  expect(more).toEqual([]);
});

test('certificates without a recipient, for a class and a pupil at once, and for another school are rejected', async () => {
  const other = await app.build.school();
  const [pupil] = school.ownClass.pupils;
  const rejections = await Promise.all([
    draw({}),
    draw({ reader_id: pupil!.id, group_id: school.ownClass.id }),
    draw({ reader_id: pupil!.id, for: 'group' }),
    draw({ reader_id: pupil!.id, certificate: 'best-of-all' }),
    draw({ reader_id: pupil!.id, reason: 'x'.repeat(121) }),
    draw({ reader_id: other.ownClass.pupils[0]!.id }),
    draw({ group_id: other.ownClass.id }),
    draw({ reader_id: pupil!.id }, other.admin.token),
  ]);
  expect(rejections.map(({ status }) => status)).toEqual([422, 422, 422, 422, 422, 404, 404, 404]);
});

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
