import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { renderPreview } from './features/books/book-content/previews.document.ts';
import { renderSummary } from './features/reading/dashboard/summary.document.ts';
import { renderWordSheet } from './features/reading/hard-words/word-sheets.document.ts';
import { renderCertificates } from './features/help/certificates/certificates.document.ts';
import { renderGuide } from './features/help/help/guide.document.ts';
import { renderInvoice } from './features/billing/invoices/invoice.document.ts';
import { renderLoginCards } from './features/school/login-cards/login-cards.document.ts';
import { renderErasureReceipt } from './features/privacy/erasure/erasure-receipt.document.ts';
import { renderPupilReports } from './features/reading/pupil-progress/pupil-report.document.ts';
import { renderNeedsList } from './features/reading/reading-needs/needs-list.document.ts';
import { renderCopy } from './features/privacy/subject-access/copy-pdf.document.ts';
import { readStructure } from './testing/read-pdf.ts';

const product = 'Storylark';
const date = '25 November 2026';
const days = '2 to 22 November 2026';
const figures = { pupils: 30, readers: 28, reading_time: 90_000, accuracy: 94.5 };
const words = Array.from({ length: 60 }, (_, index) => `word-${index}`);

const invoice = {
  number: 'INV-000042',
  issuedOn: '2026-12-01',
  dueOn: '2026-12-31',
  subtotal: 18_049,
  vat: 3610,
  total: 21_659,
  poNumber: null,
  content: {
    seller: { name: 'Storylark Books Ltd', address: ['York'], vat_number: 'GB 123', email: 'office@storylark.example' },
    school: 'Oakfield',
    bill_to: ['Pat Office'],
    email: 'pat@oakfield.example',
    country_code: 'GBR',
    lines: [
      { text: '240 pupils', detail: 'New', amount: 18_049, quantity: 1, unit_price_pence: 18_049, vat_rate: 2000 },
    ],
    period: { from: '2026-12-01', to: '2027-11-30' },
    vat_rate: 2000,
    bank_account: null,
    is_tagged: true as const,
  },
  url: 'https://portal.example/invoices/token',
  creditNote: { number: 'CN-000001', issuedOn: '2026-12-09', reason: 'Ordered twice' },
};

const report = {
  bucket: 'week' as const,
  buckets: [
    { day: '2026-11-02', reading_time: 1800, accuracy: 96 },
    { day: '2026-11-09', reading_time: 0, accuracy: null },
  ],
  reading_time: 1800,
  accuracy: 96,
  titles: ['The Wet Pup'],
  level: { reading_level: 2, since: '2026-10-01', school_days: 30 },
  words: ['knight'],
};

const logins = [
  { name: 'Ada Baker', class: 'Wrens', username: 'ada-baker', password: 'sun-hat-42' },
  { name: 'Bo Li', class: null, username: 'bo-li', password: 'red-cup-17' },
];
const cards = { logins, product, instruction: 'Go to read.example', date, appUrl: 'https://read.example' };

/** Every PDF of the product: the task that renders it, some elements that it must contain, and its decoration. */
const DOCUMENTS: [
  name: string,
  render: () => Promise<Uint8Array>,
  elements: [role: string, text: string, alt?: string][],
  decoration: RegExp,
][] = [
  [
    'renderInvoice',
    () => renderInvoice(invoice),
    [
      ['H1', 'Invoice'],
      ['P', 'Invoice numberINV-000042'],
      ['TH', '240 pupilsNew: 1 December 2026 to 30 November 2027'],
      ['TD', '£180.49'],
      ['H2', 'How to pay'],
      ['Link', 'See this invoice on the web', 'See this invoice on the web'],
      ['H1', 'Credit note'],
      ['TD', '-£216.59'],
    ],
    /^$/,
  ],
  [
    'renderCopy',
    () =>
      renderCopy({
        product,
        title: 'Everything about Ada Baker',
        subtitle: 'A copy of what Oakfield stores',
        summary: ['Ada Baker is a pupil at Oakfield.'],
        chart: { title: 'Minutes read by month', bars: [{ label: 'May 2026', value: 70, text: '1 hour 10 minutes' }] },
        about: ['The school decides why this data is used.'],
        sections: [
          {
            title: 'What was read, by month',
            sentences: [],
            tables: [
              {
                caption: 'Reading',
                columns: [
                  { name: 'Month', width: 2 },
                  { name: 'Minutes', width: 1, isNumber: true },
                ],
                rows: Array.from({ length: 90 }, (_, row) => [`Month ${row}`, String(row)]),
                total: ['Total', '4,005'],
                note: 'Minutes are active reading time.',
              },
            ],
            quotes: [{ text: 'Likes owls', source: 'Note, Pat Teacher, 6 May 2026' }],
          },
        ],
      }),
    [
      ['H1', 'Everything about Ada Baker'],
      ['P', 'Ada Baker is a pupil at Oakfield.'],
      ['Figure', 'May 2026 1 hour 10 minutes', 'Chart. May 2026: 1 hour 10 minutes.'],
      ['H2', 'What was read, by month'],
      ['H3', 'Reading'],
      ['TH', 'Minutes'],
      ['TR', 'Month 89 89'],
      ['TR', 'Total 4,005'],
      ['P', 'Minutes are active reading time.'],
      ['P', 'Likes owls'],
      ['P', 'Note, Pat Teacher, 6 May 2026'],
    ],
    /^(Everything about Ada Baker · page \d of \d|Month|Minutes)$/,
  ],
  [
    'renderPupilReports',
    () =>
      renderPupilReports({
        product,
        school: 'Oakfield',
        days,
        date,
        pages: [{ name: 'Ada', className: null, report }],
      }),
    [
      ['H1', 'Ada'],
      ['H2', 'Minutes read by week'],
      ['Figure', '2 Nov9 Nov30 min15 min0', 'Chart. 2 Nov: 30 min. No reading on the other weeks.'],
      ['LI', 'The Wet Pup'],
    ],
    /^Storylark · 25 November 2026$/,
  ],
  [
    'renderNeedsList',
    () =>
      renderNeedsList({
        product,
        name: 'Year 3',
        date,
        pupils: Array.from({ length: 40 }, (_, id) => ({
          id,
          name: `Pupil ${id}`,
          group: null,
          needs: [{ reason: 'No books assigned', evidence: { kind: 'nothing_assigned' as const }, tried: null }],
        })),
      }),
    [
      ['H1', 'Who needs me'],
      ['LI', 'Pupil 39No books assigned'],
    ],
    /^(Who needs me|Year 3 · 25 November 2026)$/,
  ],
  [
    'renderSummary',
    () =>
      renderSummary({
        product,
        school: 'St Ann & St Bede',
        days,
        date,
        summary: {
          name: 'The whole school',
          start_date: '2026-11-02',
          end_date: '2026-11-22',
          school_days: 15,
          ...figures,
          last_term: null,
          year_groups: [
            { name: 'Year 1', ...figures, levels: [{ reading_level: 1, accuracy: 95 }] },
            { name: 'Year 2', ...figures, levels: [] },
          ],
        },
      }),
    [
      ['H1', 'Reading at St Ann & St Bede'],
      ['TH', 'Year group'],
      ['TR', 'Year 1302825094%95%'],
      ['TR', 'All302825094%'],
    ],
    /^Storylark · 25 November 2026$/,
  ],
  [
    'renderWordSheet',
    () => renderWordSheet({ product, days, kind: 'sheet', lists: [{ name: 'Wrens', words }] }),
    [
      ['H1', 'Words to practise: Wrens'],
      ['LI', 'word-59'],
    ],
    /^(Words to practise: Wrens|2 to 22 November 2026)$/,
  ],
  [
    'renderWordSheet',
    () => renderWordSheet({ product, days, kind: 'tick_list', lists: [{ name: 'Ada', words: [] }] }),
    [['P', 'No words to practise in these dates.']],
    /^$/,
  ],
  [
    'renderWordSheet',
    () => renderWordSheet({ product, days, kind: 'flashcards', lists: [{ name: 'Wrens', words }] }),
    [['LI', 'word-59']],
    /^$/,
  ],
  [
    'renderLoginCards',
    () => renderLoginCards({ ...cards, size: 'pocket' }),
    [
      ['H1', 'Wrens'],
      ['H2', 'Ada Baker'],
      ['P', 'Usernameada-baker'],
      ['Figure', '', 'QR code that opens the login of Ada Baker'],
      ['H1', 'Without a class'],
    ],
    /^$/,
  ],
  ['renderLoginCards', () => renderLoginCards({ ...cards, size: 'peg' }), [['P', 'Passwordred-cup-17']], /^$/],
  [
    'renderCertificates',
    () =>
      renderCertificates({
        certificate: 'superstar-reader',
        product,
        awards: [{ name: 'Ada Baker', className: 'Wrens', reason: 'for reading', date, school: 'Oakfield' }],
      }),
    [
      ['H1', 'Superstar Reader'],
      ['P', 'Ada Baker'],
    ],
    /^$/,
  ],
  [
    'renderCertificates',
    () => renderCertificates({ certificate: 'book-worm', product, awards: [] }),
    [['Form', '']],
    /^$/,
  ],
  [
    'renderErasureReceipt',
    () =>
      renderErasureReceipt({
        product,
        heading: 'Oakfield · number 7',
        kind: 'pupil',
        who: 'a pupil',
        when: 'on 25 November 2026 at 12:00 by an admin',
        counts: [{ title: 'Reading sessions', rows: 12 }],
        digest: 'c0ffee',
        notes: ['The last backup with the data is deleted on 25 December 2026.'],
      }),
    [
      ['H1', 'Receipt of erasure'],
      ['H2', 'What was erased'],
      ['P', 'Reading sessions12 entries'],
      ['P', 'c0ffee'],
    ],
    /^$/,
  ],
  [
    'renderErasureReceipt',
    () =>
      renderErasureReceipt({
        product,
        heading: 'A school with all its pupils, staff and settings',
        kind: 'school',
        who: 'a school',
        when: 'on 25 November 2026 at 12:00, automatically',
        counts: Array.from({ length: 30 }, (_, kind) => ({ title: `Kind ${kind}`, rows: 1_000_000 })),
        digest: 'c0ffee',
        notes: ['The last backup with the data is deleted on 25 December 2026.'],
      }),
    [
      ['H1', 'Receipt of erasure'],
      ['P', 'A school with all its pupils, staff and settings'],
      ['P', 'Kind 29 1,000,000 entries'],
      ['P', 'Made with a secret key from the number of the school. It names no one, and proves which erasure this is.'],
    ],
    /^$/,
  ],
  [
    'renderPreview',
    () => renderPreview({ id: 101, title: 'The Wet Pup', level: 1, pages: ['The pup is wet.'] }),
    [
      ['H1', 'The Wet Pup'],
      ['P', 'The pup is wet.'],
    ],
    /^\d+$/,
  ],
  [
    'renderGuide',
    () => renderGuide({ product }),
    [
      ['H1', 'User guide'],
      ['H2', 'Choose a package'],
      ['Link', 'Choose a package4', 'Choose a package, page 4'],
    ],
    /^(Storylark user guide|\d+)$/,
  ],
];

/** Where lines and cells end there may be a space in the text or none. */
const withoutSpaces = (text: string): string => text.replaceAll(/\s/g, '');

describe.each(DOCUMENTS)('a PDF of %s', (_, render, expected, decoration) => {
  test('has tags, a title, a language and the structure of its content', async () => {
    const pdf = await readStructure(await render());
    expect(pdf).toMatchObject({
      isMarked: true,
      showsTitle: true,
      Language: 'en-GB',
      Title: expect.stringMatching(/./),
    });
    const described = pdf.elements.flatMap(({ role, text, alt }) => {
      const name = `${role}: ${withoutSpaces(text)}`;
      return [name, `${name}: ${alt}`];
    });
    const wanted = expected.map(([role, text, alt]) =>
      [`${role}: ${withoutSpaces(text)}`, ...(alt === undefined ? [] : [alt])].join(': '),
    );
    expect(described).toEqual(expect.arrayContaining(wanted));
    for (const text of pdf.decoration) expect(text).toMatch(decoration);
    const withoutAlt = pdf.elements.filter(({ role, alt }) => ['Figure', 'Link'].includes(role) && !alt);
    expect(withoutAlt).toEqual([]);
    const levels = pdf.elements.flatMap(({ role }) => (/^H\d$/.test(role) ? Number(role[1]) : []));
    levels.forEach((level, index) => expect(level).toBeLessThanOrEqual((levels[index - 1] ?? 0) + 1));
    for (const { role, text, cells } of pdf.elements)
      if (role === 'TR') expect([text, cells > 1]).toEqual([text, true]);
  });
});

test('every task of a worker that renders a PDF is above', () => {
  const tasks = readFileSync(new URL('worker.ts', import.meta.url), 'utf8').match(/render\w+(?=:)/g);
  expect([...new Set(DOCUMENTS.map(([name]) => name))].sort()).toEqual(tasks?.sort());
});
