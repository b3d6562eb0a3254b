import { CERTIFICATE_IDS, CERTIFICATES } from '#contract/certificates.ts';
import { certificateCalls } from '#contract/calls/certificates.ts';
import { pupilCalls } from '#contract/calls/pupils.ts';
import { beforeAll, expect, test } from 'vitest';
import { testApp } from '../../../testing/app.ts';
import type { BuiltSchool } from '../../../testing/builder.ts';
import { extractText, getDocumentProxy } from '../../../testing/read-pdf.ts';

const app = testApp();
let school: BuiltSchool;

beforeAll(async () => {
  school = await app.build.school();
});

/** The texts of a PDF's pages. */
async function pagesOf(bytes: Buffer): Promise<string[]> {
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(bytes)));
  return text;
}

const render = (query: object, token = school.teacher.token) =>
  app.call(certificateCalls.renderCertificates, {
    params: { id: school.id },
    query: { certificate: 'book-worm', ...query } as never,
    token,
  });

test.each(CERTIFICATE_IDS)(
  'GET /certificates/%s.pdf answers one page with fields for name, reason and date',
  async (id) => {
    const { status, bytes, headers } = await app.call(certificateCalls.getCertificate, {
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

test('certificates for selected pupils have one page per pupil in the order of the request', async () => {
  const [first, second] = school.ownClass.pupils;
  const { status, bytes } = await render({ reader_ids: `${second!.id},${first!.id},${second!.id}` });
  expect(status).toBe(200);
  const pages = await pagesOf(bytes);
  expect(pages).toHaveLength(2);
  expect(pages[0]).toContain(second!.name);
  expect((await render({ reader_ids: `${first!.id},99999999` })).status).toBe(404);
  for (const query of [
    { reader_ids: ',' },
    { reader_ids: 'x' },
    { reader_ids: String(first!.id), reader_id: first!.id },
  ])
    expect((await render(query)).status).toBe(422);
});

test('a certificate for a pupil has name, class, school, reason and the day in the school’s time zone', async () => {
  const [pupil] = school.ownClass.pupils;
  await app.call(pupilCalls.renamePupil, {
    params: { id: school.id, readerId: pupil!.id },
    body: { name: 'Zoë Łukasiewicz' },
    token: school.teacher.token,
  });
  const { status, bytes } = await render({ reader_id: pupil!.id, reason: 'For reading at home' });
  expect(status).toBe(200);
  const [page, ...more] = await pagesOf(bytes);
  expect(more).toEqual([]);
  for (const text of ['Book Worm', 'Zoë Łukasiewicz', school.ownClass.name, 'For reading at home', '18 November 2026'])
    expect(page).toContain(text);
});

test('certificates for a class have a page per pupil, or one for the class', async () => {
  const { bytes } = await render({ group_id: school.otherClass.id, date: '2026-03-09' });
  const pages = await pagesOf(bytes);
  expect(pages).toHaveLength(school.otherClass.pupils.length);
  for (const page of pages) expect(page).toContain('9 March 2026');
  const [whole, ...more] = await pagesOf((await render({ group_id: school.otherClass.id, for: 'group' })).bytes);
  expect(whole).toContain(school.otherClass.name);
  expect(more).toEqual([]);
});

test('certificates without a recipient, for a class and a pupil at once, and for another school are rejected', async () => {
  const otherSchool = await app.build.school();
  const [pupil] = school.ownClass.pupils;
  const rejections = await Promise.all([
    render({}),
    render({ reader_id: pupil!.id, group_id: school.ownClass.id }),
    render({ reader_id: pupil!.id, for: 'group' }),
    render({ reader_id: pupil!.id, certificate: 'best-of-all' }),
    render({ reader_id: pupil!.id, reason: 'x'.repeat(121) }),
    render({ reader_id: otherSchool.ownClass.pupils[0]!.id }),
    render({ group_id: otherSchool.ownClass.id }),
    render({ reader_id: pupil!.id }, otherSchool.admin.token),
  ]);
  expect(rejections.map(({ status }) => status)).toEqual([422, 422, 422, 422, 422, 404, 404, 404]);
});
